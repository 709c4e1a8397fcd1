// Agents like the real ones, one of each CLI: what they do is what the daemon says of them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { codexTrust } from '../agents/registration.mjs';
import { Agent, register } from './lib/agents.mjs';
import { Board } from './lib/board.mjs';
import { startDaemon } from './lib/daemon.mjs';

const SHELL_TOOL = { claude: 'Bash', gemini: 'run_shell_command', codex: 'Bash' };

/** A daemon, a client, and one agent of each CLI in a directory of its own. */
async function startAll(t, clis = ['claude', 'gemini', 'codex']) {
  const daemon = await startDaemon(t);
  for (const cli of clis) register[cli](daemon.home);
  const board = await Board.connect(t, daemon);
  const agents = await Promise.all(clis.map(cli => Agent.start(t, daemon, cli, path.join(daemon.home, 'work', `${cli}-project`))));
  return { daemon, board, agents };
}

test('a turn of each CLI: every step is seen, and the agent is the process that is known', async t => {
  const { daemon, board, agents } = await startAll(t);
  for (const agent of agents) {
    const name = SHELL_TOOL[agent.cli], input = { command: 'make -j2', description: 'Build it' };
    if (agent.cli !== 'codex') await board.session(agent.id, s => s.status === 'idle'); // Codex says nothing at launch
    await agent.do('prompt', { text: `Build the ${agent.cli} project` });
    const session = await board.session(agent.id, s => s.status === 'prompting');
    assert.deepEqual([session.cli, session.projectPath, session.cachedPid], [agent.cli, agent.cwd, agent.pid]);
    await agent.do('tool', { name, input, run: ['sleep', '600'] });
    await board.session(agent.id, s => s.status === 'working' && s.tool?.tool === name && /make -j2/.test(s.tool.input));
    await agent.do('finish', { output: 'built' });
    await board.session(agent.id, s => s.status === 'working' && s.tool === null);
    await agent.do('tool', { name, input: { command: 'make install' }, ask: true });
    await board.session(agent.id, s => s.status === 'approval' && s.waitingDetail);
    await agent.do('answer', { allow: true });
    await agent.do('finish', { output: 'installed' });
    await board.session(agent.id, s => s.status === 'working' && s.waitingDetail === null);
    await agent.do('stop', { message: 'It is built and installed.' });
    await board.session(agent.id, s => s.status === 'waiting' && s.responseLog.at(-1)?.text === 'It is built and installed.');
  }
  for (const agent of agents) {
    await agent.exit();
    await board.session(agent.id, s => s.status === 'ended');
  }
  const sessions = await daemon.get('/api/sessions');
  assert.equal(Object.keys(sessions).length, 3);
  for (const { id } of agents) assert.deepEqual([sessions[id].promptCount, sessions[id].toolCalls], [1, 2]);
});

test('all three at once: nobody waits for another, and each card counts its own', async t => {
  const { daemon, board, agents } = await startAll(t);
  await Promise.all(agents.map(async agent => {
    for (let round = 0; round < 5; round++) {
      await agent.do('prompt', { text: `Round ${round}` });
      await agent.do('tool', { name: SHELL_TOOL[agent.cli], input: { command: `step ${round}` } });
      await agent.do('finish', { output: 'ok' });
      await agent.do('stop', { message: `Answer ${round}` });
    }
  }));
  for (const { id } of agents) {
    const session = await board.session(id, s => s.promptCount === 5 && s.status === 'waiting');
    assert.deepEqual(session.promptHistory.map(p => p.text), [0, 1, 2, 3, 4].map(round => `Round ${round}`));
    assert.deepEqual(session.responseLog.map(r => r.text), [0, 1, 2, 3, 4].map(round => `Answer ${round}`));
    assert.deepEqual([session.toolCalls, session.totalToolCalls], [5, 0]);
  }
  assert.equal(Object.keys(await daemon.get('/api/sessions')).length, 3);
});

test('a question, a refusal and Esc', async t => {
  const { board, agents: [claude, codex] } = await startAll(t, ['claude', 'codex']);
  await claude.do('prompt', { text: 'Choose a colour' });
  await claude.do('question', { text: 'Which colour?', options: ['red', 'blue'] });
  const asking = await board.session(claude.id, s => s.status === 'input');
  assert.equal(asking.waitingDetail, 'Waiting for your answer');
  await claude.do('choose', { label: 'red' });
  await board.session(claude.id, s => s.status === 'working' && s.waitingDetail === null);

  await claude.do('tool', { name: 'Bash', input: { command: 'rm -rf build' }, ask: true });
  await board.session(claude.id, s => s.status === 'approval' && s.pendingToolDetail === 'rm -rf build');
  await claude.do('answer', { allow: false }); // no event tells of it: the next prompt does
  await claude.do('prompt', { text: 'Then leave it' });
  await board.session(claude.id, s => s.status === 'prompting' && s.pendingTool === null);

  await codex.do('prompt', { text: 'Something long' });
  await codex.do('tool', { name: 'Bash', input: { command: 'sleep 600' }, run: ['sleep', '600'] });
  await board.session(codex.id, s => s.status === 'working');
  await codex.do('interrupt');
  await board.session(codex.id, s => s.status === 'waiting' && s.tool === null);
});

test('Codex skips what it does not trust, and its older notify form still makes a card', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  register.codex(daemon.home, { trusted: false });
  const untrusted = await Agent.start(t, daemon, 'codex', path.join(daemon.home, 'untrusted'));
  assert.equal((await untrusted.do('prompt', { text: 'Nobody hears this' })).ran, 0);

  fs.rmSync(path.join(daemon.home, '.codex'), { recursive: true });
  register.codexNotify(daemon.home);
  const old = await Agent.start(t, daemon, 'codex', path.join(daemon.home, 'older'));
  await old.do('prompt', { text: 'Fix the build' });
  await old.do('stop', { message: 'Fixed.' });
  const session = await board.session(old.id, s => s.status === 'waiting');
  assert.deepEqual([session.cli, session.projectName, session.currentPrompt], ['codex', 'older', 'Fix the build']);
  assert.deepEqual(Object.keys(await daemon.get('/api/sessions')), [old.id]);
});

test('an agent that is killed has ended, and the others have not', async t => {
  const { daemon, board, agents } = await startAll(t);
  const ended = id => board.session(id, s => s.status === 'ended');
  for (const agent of agents) {
    await agent.do('prompt', { text: 'Something long' });
    await agent.do('tool', { name: SHELL_TOOL[agent.cli], input: { command: 'sleep 600' }, run: ['sleep', '600'] });
    await board.session(agent.id, s => s.status === 'working');
  }
  const [claude, gemini, codex] = agents;
  await gemini.kill(); // its tool's process lives on
  assert.equal((await ended(gemini.id)).statusEvidence.source, 'process');
  assert.deepEqual([board.find(claude.id).status, board.find(codex.id).status], ['working', 'working']);

  await daemon.crash(); // who dies while no daemon runs is found when one comes back
  await codex.kill();
  await daemon.start();
  const after = await Board.connect(t, daemon);
  await after.session(codex.id, s => s.status === 'ended');
  assert.equal(after.find(claude.id).status, 'working');
  await claude.do('finish', { output: 'slept' });
  await after.session(claude.id, s => s.tool === null);
});

test('the hash by which Codex trusts a handler', () => {
  const { key, hash } = codexTrust('/c/hooks.json', 'Stop', 0, 0, { type: 'command', command: '/tmp/codex-hook-probe/hook.sh' });
  assert.equal(key, '/c/hooks.json:stop:0:0');
  assert.equal(hash, 'sha256:1f82e2f79ad43ede047010d5f31328ed0787935478340593c5589f7dfc8f5844');
});
