// A database that somebody prepared, or a disk damaged: every number in it may be any number.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { change, query } from './lib/database.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { Board } from './lib/board.mjs';

test('numbers at the ends of what fits are loaded, reckoned with and told', async t => {
  const daemon = await startDaemon(t), home = daemon.home, agent = new Agent();
  await runHooks(home, [agent.start(), agent.prompt('Go'), agent.pre('Bash', { command: 'ls' })]);
  await (await Board.connect(t, daemon)).session(agent.id, s => s.toolLog.length === 1 || s.tool);
  await daemon.stop();
  const columns = query(home, "SELECT name FROM pragma_table_info('sessions') WHERE name LIKE '%\\_due' ESCAPE '\\' OR name LIKE '%\\_at' ESCAPE '\\' OR name LIKE '%since'");
  assert.ok(columns.length > 10);
  for (const value of ['-9223372036854775807 - 1', '9223372036854775807']) {
    change(home, `UPDATE sessions SET ${columns.map(({ name }) => `${name} = ${value}`).join(', ')}, on_board = 1`);
    await daemon.start();
    assert.equal((await daemon.get('/api/health')).status, 'ok');
    await runHooks(home, [agent.prompt('Again')]);
    await daemon.stop(); // which looks into the log for what the sanitizers say
  }
});
