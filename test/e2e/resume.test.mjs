// Whose card a hosted agent is, told by hooks of this test's own. The daemon may come and go meanwhile.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { HOOK, runHook, runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { makeTerminal } from './lib/tty.mjs';

function command(home, name, fields) {
  const ostler = { v: 1, via: 'daemon', hook_sent_at: Date.now(), command: { name, ...fields } };
  fs.appendFileSync(path.join(home, 'spool', 'active'), `\n${JSON.stringify({ ostler, payload: {} })}\n`);
}

/** Terminals with a Claude Code that has not said anything yet. */
async function makeSilent(daemon, count) {
  const program = path.join(daemon.home, 'claude'), cwd = path.join(daemon.home, 'app');
  fs.mkdirSync(cwd);
  fs.writeFileSync(program, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
  const ids = [];
  for (let i = 0; i < count; i++) ids.push((await makeTerminal(daemon, { argv: [program], workingDir: cwd })).terminalId);
  return { ids, cwd };
}

/** Runs the hook from a process of its own, in a terminal: another agent than the one that these tests are. */
function runHookElsewhere(home, payload, env) {
  const agent = `require('node:child_process').spawnSync(${JSON.stringify(HOOK)}, { input: process.env.PAYLOAD })`;
  return runHook(home, '', {
    env: { ...env, PAYLOAD: JSON.stringify(payload), AGENT: agent },
    program: 'script', args: ['-qec', `${process.execPath} -e "$AGENT"`, '/dev/null'],
  });
}

test('a resume survives a restart of the daemon in its middle', async t => {
  const daemon = await startDaemon(t);
  const before = new Agent({ cwd: '/srv/app' }), after = new Agent({ cwd: '/srv/app' }), neighbour = new Agent({ cwd: '/srv/app' });
  await runHooks(daemon.home, [before.start(), before.prompt('Begin'), before.end()]);
  const board = await Board.connect(t, daemon);
  const { id } = await board.session(before.id, s => s.status === 'ended');
  command(daemon.home, 'resume', { session: before.id, terminal: 'term-1' });
  await board.session(before.id, s => s.status === 'connecting' && s.terminalId === 'term-1');
  await daemon.crash();
  // While nobody looks: another agent of the directory, and the one that is waited for.
  await runHookElsewhere(daemon.home, neighbour.pre('Bash', { command: 'make' }), {});
  await runHookElsewhere(daemon.home, after.start('resume'), { AGENT_MANAGER_TERMINAL_ID: 'term-1' });
  await daemon.start();
  const again = await Board.connect(t, daemon);
  const session = await again.session(after.id); // its process is gone already
  assert.equal(session.id, id, 'the same card');
  assert.deepEqual(session.previousSessions.map(p => p.sessionId), [before.id]);
  await again.session(after.id, s => s.lastTerminalId === 'term-1', 'that there is no such terminal');
  assert.equal((await again.session(neighbour.id)).terminalId, null);
  assert.equal(again.sessions.size, 2);
  assert.equal((await daemon.get(`/api/sessions/${before.id}`)).id, id, 'the old id leads there too');
});

test('a card that changes its conversation tells plain clients which one it replaces, once', async t => {
  const daemon = await startDaemon(t);
  const { ids: [terminalId], cwd } = await makeSilent(daemon, 1);
  const agent = new Agent({ cwd });
  const board = await Board.connect(t, daemon);
  const { id } = await board.session(terminalId, s => s.status === 'connecting');
  const mark = { agent_terminal_id: terminalId }; // from a hook that does not tell who called it
  await daemon.post({ ...agent.start(), ...mark });
  const update = await board.waitFor(m => m.session?.sessionId === agent.id);
  assert.deepEqual([update.session.replacesId, update.session.id], [terminalId, id]);
  await daemon.post({ ...agent.prompt('x'), ...mark });
  const session = await board.session(agent.id, s => s.status === 'prompting');
  assert.ok(!('replacesId' in session));
  assert.deepEqual(Object.keys(await daemon.get('/api/sessions')), [agent.id]);

  // An agent inside that agent is another one.
  const nested = new Agent({ cwd });
  await runHookElsewhere(daemon.home, nested.start(), { AGENT_MANAGER_TERMINAL_ID: terminalId });
  assert.equal((await board.session(nested.id)).terminalId, null);
});

test('two that could be meant: neither is taken, and the log says why', async t => {
  const daemon = await startDaemon(t);
  const { cwd } = await makeSilent(daemon, 2);
  const agent = new Agent({ cwd });
  await daemon.post(agent.start()); // a hook that does not tell who called it
  const board = await Board.connect(t, daemon);
  assert.equal((await board.session(agent.id)).kind, 'observed');
  await daemon.says(/an agent started in \S+\/app, where 2 cards are started lately: it gets its own/);
});
