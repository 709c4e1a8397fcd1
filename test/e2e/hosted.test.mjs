// Agents in terminals of ours: their hooks for the run, whose card they are, how they come back.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { register } from './lib/agents.mjs';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { keepers, startDaemon } from './lib/daemon.mjs';
import { HostedAgent, installAgent } from './lib/hosted.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const BASH = { env: { SHELL: '/bin/bash' } };
const resume = async (daemon, id) => {
  const answer = await daemon.fetch(`/api/sessions/${id}/resume`, { method: 'POST' });
  return { status: answer.status, ...await answer.json() };
};

/** What Claude Code would have left: a short chain of messages. */
function writeTranscript(agent, cwd, home) {
  const file = path.join(home, '.claude/projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${agent.id}.jsonl`);
  const ids = [randomUUID(), randomUUID()];
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, ids.map((uuid, i) => `${JSON.stringify({
    parentUuid: i ? ids[i - 1] : null, type: i ? 'assistant' : 'user', uuid, sessionId: agent.id, cwd, timestamp: new Date().toISOString() })}\n`).join(''));
  return file;
}

test('Claude Code: its card connects, its own hooks tell of it, once', async t => {
  const daemon = await startDaemon(t, BASH);
  register.claude(daemon.home); // installed as well: it must leave the telling to the other
  const board = await Board.connect(t, daemon);
  const agent = await HostedAgent.start(t, daemon, 'claude', { sessionTitle: 'Mine' });
  const card = await board.session(agent.id, s => s.status === 'idle');
  assert.deepEqual([card.terminalId, card.title, card.cachedPid, card.kind, card.cli], [agent.terminalId, 'Mine', agent.pid, 'quick', 'claude']);
  const first = board.messages.filter(m => m.session?.id === card.id)[0].session;
  assert.deepEqual([first.sessionId, first.status], [agent.terminalId, 'connecting'], 'it was there before its agent');
  await agent.do('prompt', { text: 'Mend the fence' });
  await agent.do('tool', { name: 'Bash', input: { command: 'make' } });
  await agent.do('finish', { output: 'ok' });
  await agent.do('stop', { message: 'Mended.' });
  const done = await board.session(agent.id, s => s.status === 'waiting');
  assert.deepEqual([done.promptCount, done.toolCalls, done.responseLog.length], [1, 1, 1]);
  assert.deepEqual(Object.keys(await daemon.get('/api/sessions')), [agent.id]);
  const terminal = await daemon.get(`/api/terminals/${agent.terminalId}`);
  assert.deepEqual([terminal.sessionId, terminal.kind, terminal.pid], [agent.id, 'agent', agent.pid], 'the agent is the terminal\'s process');
  assert.ok(fs.existsSync(path.join(daemon.home, 'hosted/claude-2.1.325.json')));

  // An agent that this agent starts has its marks, and is another one: the installed hook tells of it.
  await agent.do('tool', { name: 'Bash', input: { command: 'claude -p' }, run: [path.join(daemon.home, 'bin/claude')] });
  const nested = await board.until(() => [...board.sessions.values()].find(s => s.id !== card.id), 'a card of its own');
  assert.deepEqual([nested.terminalId, nested.kind], [null, 'observed']);
  assert.equal(board.find(agent.id).terminalId, agent.terminalId);
});

test('Codex: hooks and their trust on its command line', async t => {
  const daemon = await startDaemon(t, BASH);
  register.codex(daemon.home);
  const board = await Board.connect(t, daemon);
  const agent = await HostedAgent.start(t, daemon, 'codex');
  const quiet = await board.session(agent.sessionId, s => s.status === 'idle', 'a card that does not connect for ever');
  assert.deepEqual([quiet.cli, quiet.terminalId], ['codex', agent.terminalId]);
  await agent.do('prompt', { text: 'Mend the gate' });
  const card = await board.session(agent.id, s => s.status === 'prompting');
  assert.deepEqual([card.id, card.promptCount, card.terminalId], [quiet.id, 1, agent.terminalId]);
  await agent.do('exit');
  await board.session(agent.id, s => s.status === 'ended');
  await board.session(agent.id, s => s.terminalId === null);
  const { tty } = agent;
  assert.deepEqual(await resume(daemon, agent.id), { status: 200, ok: true, terminalId: agent.terminalId, newTerminal: false, fresh: false });
  await tty.until(() => tty.messages.some(m => m.type === 'epoch'), 'another incarnation');
  await new HostedAgent(tty, agent).launched();
  const again = await new HostedAgent(tty, agent).launched();
  assert.equal(again.id, agent.id, 'codex resume ID');
});

test('a resume goes on with the conversation, in its terminal', async t => {
  const daemon = await startDaemon(t, BASH);
  const board = await Board.connect(t, daemon);
  const agent = await HostedAgent.start(t, daemon, 'claude');
  await agent.do('prompt', { text: 'Begin' });
  const { id } = await board.session(agent.id, s => s.status === 'prompting');
  assert.deepEqual(await resume(daemon, agent.id), { status: 409, error: 'the session is live' });
  writeTranscript(agent, daemon.home, daemon.home);
  await agent.do('exit');
  const ended = await board.session(agent.id, s => s.status === 'ended' && s.terminalId === null);
  assert.deepEqual([ended.isHistorical, ended.lastTerminalId], [true, agent.terminalId]);
  const { epoch } = await daemon.get(`/api/terminals/${agent.terminalId}`);

  assert.deepEqual(await resume(daemon, agent.id), { status: 200, ok: true, terminalId: agent.terminalId, newTerminal: false, fresh: false });
  const back = await board.session(agent.id, s => s.status === 'idle' && s.events.at(-1).type === 'SessionStart');
  assert.deepEqual([back.id, back.terminalId, back.events.at(-1).detail, back.promptCount], [id, agent.terminalId, 'Session started (resume)', 1]);
  const terminal = await daemon.get(`/api/terminals/${agent.terminalId}`);
  assert.ok(terminal.epoch > epoch && terminal.connection === 'live');
  await agent.tty.until(() => agent.tty.messages.some(m => m.type === 'epoch'), 'the viewer saw it');
  assert.equal(board.sessions.size, 1);
});

test('without a transcript it starts fresh, says so, and is the same card', async t => {
  const daemon = await startDaemon(t, BASH);
  const board = await Board.connect(t, daemon);
  const agent = await HostedAgent.start(t, daemon, 'claude');
  const { id } = await board.session(agent.id);
  await agent.do('exit');
  await board.session(agent.id, s => s.status === 'ended' && s.terminalId === null);
  const answer = await resume(daemon, agent.id);
  assert.deepEqual([answer.status, answer.fresh, answer.newTerminal], [200, true, false]);
  assert.match(answer.message, /no transcript.*starts fresh/);
  const card = await board.until(() => [...board.sessions.values()].find(s => s.sessionId !== agent.id && s.status === 'idle'), 'the new conversation');
  assert.deepEqual([card.id, card.terminalId, card.previousSessions.map(p => p.sessionId)], [id, agent.terminalId, [agent.id]]);
  assert.equal(board.sessions.size, 1);
});

test('one that ran elsewhere is resumed in a terminal of ours', async t => {
  const daemon = await startDaemon(t, BASH);
  installAgent(daemon.home, 'claude');
  fs.writeFileSync(path.join(daemon.home, '.profile'), `PATH='${daemon.home}/bin':$PATH\n`);
  const board = await Board.connect(t, daemon);
  const agent = { id: randomUUID() }, cwd = path.join(daemon.home, 'work');
  fs.mkdirSync(cwd);
  const transcript_path = writeTranscript(agent, cwd, daemon.home);
  const event = name => daemon.post({ session_id: agent.id, hook_event_name: name, cwd, transcript_path });
  await event('SessionStart');
  const { id } = await board.session(agent.id, s => s.status === 'idle');
  assert.equal((await resume(daemon, agent.id)).status, 409);
  await event('SessionEnd');
  await board.session(agent.id, s => s.status === 'ended');
  const answer = await resume(daemon, agent.id);
  assert.deepEqual([answer.status, answer.newTerminal, answer.fresh], [200, true, false]);
  const card = await board.session(agent.id, s => s.status === 'idle');
  assert.deepEqual([card.id, card.terminalId, card.kind, card.source, card.archived], [id, answer.terminalId, 'quick', 'ssh', 0]);
  assert.equal((await daemon.get(`/api/terminals/${answer.terminalId}`)).command, `claude --resume ${agent.id}`);
  fs.rmSync(cwd, { recursive: true });
  assert.equal(board.sessions.size, 1);
});

test('an agent that is started in a hosted shell is that shell\'s card', async t => {
  const daemon = await startDaemon(t, BASH);
  register.claude(daemon.home);
  const program = installAgent(daemon.home, 'claude');
  const board = await Board.connect(t, daemon);
  const made = await makeTerminal(daemon, { command: '', workingDir: daemon.home, cols: 500 });
  const { id } = await board.session(made.sessionId, s => s.workerType === 'terminal');
  const tty = await Tty.connect(t, daemon, made);
  tty.type(`${program}\r`);
  const agent = await new HostedAgent(tty, made).launched();
  const card = await board.session(agent.id, s => s.status === 'idle');
  assert.deepEqual([card.id, card.terminalId, card.workerType], [id, made.terminalId, undefined]);
  await agent.do('exit');
  await board.session(agent.id, s => s.status === 'ended' && s.terminalId === made.terminalId);
  assert.match((await resume(daemon, agent.id)).error, /its terminal is still open/);
  assert.equal(board.sessions.size, 1);
});

test('an agent in a tmux that was started in a hosted shell has left it: it gets a card of its own', async t => {
  const daemon = await startDaemon(t, BASH);
  register.claude(daemon.home);
  const program = installAgent(daemon.home, 'claude'), socket = path.join(daemon.home, 'tmux.sock');
  cleanup(t, () => spawnSync('tmux', ['-S', socket, 'kill-server']));
  const board = await Board.connect(t, daemon);
  const made = await makeTerminal(daemon, { command: '', workingDir: daemon.home, cols: 500 });
  const { id } = await board.session(made.sessionId, s => s.workerType === 'terminal');
  const tty = await Tty.connect(t, daemon, made);
  tty.type(`tmux -S ${socket} new-session -d sleep 4711; echo "started:$?"\r`);
  await tty.until(() => tty.output.includes('started:0'), 'the server');
  // Whoever opens a window there later, from wherever, has the environment of the shell that the server was started in.
  assert.equal(spawnSync('tmux', ['-S', socket, 'new-window', program]).status, 0);
  await board.until(() => board.sessions.size === 2, 'a card');
  const other = [...board.sessions.values()].find(session => session.id !== id);
  assert.deepEqual([other.terminalId ?? null, other.kind], [null, 'observed']);
  const shell = await daemon.get(`/api/sessions/${id}`);
  assert.deepEqual([shell.sessionId, shell.terminalId, shell.workerType, shell.cachedPid], [made.terminalId, made.terminalId, 'terminal', null]);

  // One whose own terminal is inside of ours has not left it.
  tty.type(`script -qec ${program} /dev/null\r`);
  const agent = await new HostedAgent(tty, made).launched();
  const card = await board.session(agent.id, s => s.status === 'idle');
  assert.deepEqual([card.id, card.terminalId], [id, made.terminalId]);
});

test('a reboot: cards end, shells and agents come back in place', async t => {
  const daemon = await startDaemon(t, BASH);
  const shell = await makeTerminal(daemon, { command: '', workingDir: daemon.home });
  const agent = await HostedAgent.start(t, daemon, 'claude');
  writeTranscript(agent, daemon.home, daemon.home);
  const tty = await Tty.connect(t, daemon, shell);
  tty.type('echo before $((40 + 2)); mkdir -p deep; cd deep\r');
  await tty.shows('before 42');
  const kept = path.join(daemon.home, 'terminals', shell.terminalId, 'meta.json'); // every two seconds
  while (!fs.readFileSync(kept, 'utf8').includes('/deep')) await new Promise(resolve => setTimeout(resolve, 50));
  await daemon.crash();
  for (const pid of keepers(daemon.home)) process.kill(pid, 'SIGKILL');
  await daemon.start();
  const board = await Board.connect(t, daemon);
  for (const name of [shell.sessionId, agent.id]) await board.session(name, s => s.status === 'ended' && s.isHistorical && s.terminalId === null);
  assert.equal((await daemon.get(`/api/terminals/${shell.terminalId}`)).connection, 'restored');

  assert.deepEqual(await resume(daemon, shell.sessionId), { status: 200, ok: true, terminalId: shell.terminalId, newTerminal: false, fresh: false });
  await board.session(shell.sessionId, s => s.status === 'idle' && s.terminalId === shell.terminalId);
  const again = await Tty.connect(t, daemon, shell);
  again.type('pwd\r');
  await again.until(() => `${again.snapshot}${again.output}`.includes(`${daemon.home}/deep\r\n`), 'its directory');
  assert.match(String(again.snapshot), /before 42/);
  assert.equal((await resume(daemon, agent.id)).fresh, false);
  await board.session(agent.id, s => s.status === 'idle' && s.terminalId === agent.terminalId);
  assert.equal(board.sessions.size, 2);
});
