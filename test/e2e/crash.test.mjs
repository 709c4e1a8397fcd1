// Nothing lost, nothing twice: thousands of real hooks while the daemon is killed again and again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { Daemon, makeHome, startDaemon } from './lib/daemon.mjs';
import { query } from './lib/database.mjs';
import { Flood } from './lib/flood.mjs';
import { runHook, runHooks } from './lib/hook.mjs';
import { Agent, turn } from './lib/payloads.mjs';

const LANES = 8, EVENTS_PER_LANE = 5000, KILLS = 10;
const TOTAL = LANES * EVENTS_PER_LANE;
const TOOL_LOG = 200;

/** Every event that is in the database, with its mark, and the place that it has in its lane. */
const MARKED = `WITH marked AS (
  SELECT s.session_id AS lane, e.pos, coalesce(t.tool_input_summary, p.text) AS said,
    row_number() OVER (PARTITION BY e.session_id ORDER BY e.pos) - 1 AS nth
  FROM events e JOIN sessions s ON s.id = e.session_id
  LEFT JOIN tool_calls t ON t.session_id = e.session_id AND t.pos = e.pos
  LEFT JOIN prompts p ON p.session_id = e.session_id AND p.pos = e.pos)`;

test('40,000 hooks, 8 at a time, with the daemon killed 10 times meanwhile', { timeout: 300_000 }, async t => {
  const daemon = await startDaemon(t);
  const flood = new Flood(t, daemon.home, { lanes: LANES, events: EVENTS_PER_LANE });
  const step = Math.floor(TOTAL / (KILLS + 1));
  for (let kill = 1; kill <= KILLS; kill++) {
    // The writers may be one step ahead of the kills, so that these are spread over the run however slow a start is.
    flood.allow((kill + 1) * step - 1);
    const board = await Board.connect(t, daemon, { v1: true });
    await board.waitFor(m => m.type === 'session_update'); // each life did something
    await flood.until(() => flood.done >= kill * step - 1);
    assert.ok(!flood.ended, 'killed while hooks run');
    await daemon.crash();
    await daemon.start();
  }
  flood.allow(TOTAL);
  await flood.until(() => flood.ended);

  const board = await Board.connect(t, daemon);
  for (const id of flood.ids)
    await board.session(id, s => s.promptCount + s.toolCalls >= EVENTS_PER_LANE, `all events of ${id}`);
  const sessions = await daemon.get('/api/sessions');
  assert.deepEqual(Object.keys(sessions).sort(), flood.ids, 'one card an agent');
  for (const { promptCount, toolCalls, toolUsage } of Object.values(sessions))
    assert.deepEqual([promptCount, toolCalls, toolUsage], [200, 4800, { Bash: 4800 }]);

  // …and what is there now is what another start finds.
  await daemon.stop();
  assert.deepEqual(query(daemon.home, `${MARKED} SELECT count(*) AS applied, count(DISTINCT lane || said) AS different,
    sum(said IS NULL) AS unmarked, sum(said NOT IN ('mark-' || nth, 'echo mark-' || nth)) AS misplaced FROM marked`),
  [{ applied: TOTAL, different: TOTAL, unmarked: 0, misplaced: 0 }]);
  assert.deepEqual(query(daemon.home, 'SELECT count(*) AS events FROM events GROUP BY session_id'),
    flood.ids.map(() => ({ events: EVENTS_PER_LANE })));
  await daemon.start();
  assert.deepEqual(await daemon.get('/api/sessions'), sessions);
});

test('what hooks wrote before the first start is not lost', async t => {
  const home = makeHome(t);
  const agents = [new Agent({ cwd: '/srv/early' }), new Agent({ cwd: '/srv/bird' })];
  for (const agent of agents) await runHooks(home, [agent.start(), ...turn(agent, 'Before anyone was there'), agent.end()]);
  const daemon = await startDaemon(t, { home });
  const board = await Board.connect(t, daemon);
  for (const agent of agents) {
    const session = await board.session(agent.id, s => s.status === 'ended');
    assert.deepEqual([session.promptCount, session.toolCalls], [1, 1]);
    assert.deepEqual(session.events.map(e => e.type),
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd']);
  }
});

test('killed while it reads a backlog, again and again, it applies every record once', { timeout: 120_000 }, async t => {
  const home = makeHome(t);
  const agent = new Agent({ cwd: '/srv/backlog' });
  const count = 300;
  for (let i = 0; i < count; i++) await runHook(home, agent.pre('Bash', { command: `echo mark-${i}` }));
  const daemon = new Daemon(home);
  cleanup(t, () => daemon.stop());
  for (let i = 0; i < 5; i++) {
    await daemon.start(); // it listens: now it is somewhere in the backlog
    await daemon.crash();
  }
  await daemon.start();
  const board = await Board.connect(t, daemon);
  const session = await board.session(agent.id, s => s.toolCalls >= count);
  assert.equal(session.toolCalls, count);
  assert.deepEqual(session.toolLog.map(tool => /mark-\d+/.exec(tool.input)[0]),
    Array.from({ length: TOOL_LOG }, (_, i) => `mark-${count - TOOL_LOG + i}`));
});

test('hooks that run while no daemon does are applied in their order', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start(), agent.prompt('One')]);
  const before = await Board.connect(t, daemon);
  const { id } = await before.session(agent.id, s => s.promptCount === 1);
  await daemon.crash();
  await runHooks(daemon.home, [agent.stop('First answer'), agent.prompt('Two'), agent.stop('Second answer')]);
  await daemon.start();
  const board = await Board.connect(t, daemon);
  const session = await board.session(agent.id, s => s.promptCount === 2 && s.status === 'waiting');
  assert.equal(session.id, id);
  assert.deepEqual(session.responseLog.map(r => r.text), ['First answer', 'Second answer']);
});
