// Somebody sits at the agent while somebody else answers from here: what its CLI says beside its hooks, and whom a hook may keep waiting.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { environment, startDaemon } from './lib/daemon.mjs';
import { HOOK, runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

const BASH = { command: 'npm test', description: 'Run the tests' };

/** An agent of Claude Code's with a transcript and a status file of its own, in this home. */
class Desk extends Agent {
  constructor(daemon) {
    super({ cwd: daemon.home });
    Object.assign(this, { daemon, home: daemon.home, transcript: path.join(daemon.home, '.claude/projects/p', 'x.jsonl') });
    fs.mkdirSync(path.dirname(this.transcript), { recursive: true, mode: 0o700 });
    fs.mkdirSync(path.join(this.home, '.claude/sessions'), { mode: 0o700 });
    fs.writeFileSync(this.transcript, '');
  }

  event(name, fields) {
    return { ...super.event(name, fields), transcript_path: this.transcript };
  }

  /** What its own file says. */
  says(status) {
    fs.writeFileSync(path.join(this.home, '.claude/sessions/4711.json'), JSON.stringify({ pid: 4711, sessionId: this.id, statusUpdatedAt: Date.now(), ...status }));
  }

  records(line) {
    fs.appendFileSync(this.transcript, `${JSON.stringify({ timestamp: new Date().toISOString(), ...line })}\n`);
  }

  /** Its hook, which may wait. */
  asks(t, fields = {}) {
    const hook = spawn(HOOK, ['--cli', 'claude', '--reply'], { env: environment(this.home), stdio: ['pipe', 'pipe', 'inherit'] });
    cleanup(t, () => { hook.kill('SIGKILL'); });
    const asking = { said: '', closed: once(hook, 'close') };
    hook.stdout.on('data', text => { asking.said += text; });
    hook.stdin.end(JSON.stringify(this.event('PermissionRequest', { tool_name: 'Bash', tool_input: BASH, ...fields })));
    return asking;
  }
}

async function stage(t) {
  const daemon = await startDaemon(t), board = await Board.connect(t, daemon, { v1: true });
  const desk = new Desk(daemon);
  board.send({ type: 'inbox', on: true });
  for (const payload of [desk.start(), desk.prompt('go'), desk.pre('Bash', BASH)]) await runHook(daemon.home, payload, { args: ['--cli', 'claude'] });
  return { daemon, board, desk };
}

/** The request, once it is told like this. */
const told = (board, condition, from = 0) =>
  board.waitFor(message => message.type === 'approval' && condition(message.approval), { from }).then(({ approval }) => approval);

async function send(daemon, where, method, body) {
  const response = await daemon.fetch(where, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return { status: response.status, ...await response.json() };
}

test('a dialog that was answered from here, and is about to go, is not asked about again', async t => {
  const { daemon, board, desk } = await stage(t);
  const hook = desk.asks(t), request = await told(board, one => one.can.length > 0);
  assert.equal((await send(daemon, `/api/approvals/${request.id}`, 'POST', { decision: 'allow', digest: request.digest })).status, 200);
  await hook.closed;
  desk.says({ status: 'waiting', waitingFor: 'permission prompt' });
  await daemon.stop(); // whoever reads the file first, this daemon or the next one
  await daemon.start();
  desk.says({ status: 'busy' });
  await runHook(daemon.home, desk.post('Bash', BASH), { args: ['--cli', 'claude'] });
  await runHook(daemon.home, desk.event('Stop', { last_assistant_message: 'done' }), { args: ['--cli', 'claude'] });
  const again = await Board.connect(t, daemon, { v1: true });
  await again.until(() => [...again.sessions.values()].some(({ attention }) => attention?.kind === 'finished'), 'finished');
  const { approvals } = await daemon.get('/api/approvals');
  assert.deepEqual(approvals.map(({ id, state }) => [id, state]), [[request.id, 'allowed']]);
});

test('the desk was first: the request is told once more, as it ended', async t => {
  const { daemon, board, desk } = await stage(t);
  const hook = desk.asks(t), request = await told(board, one => one.can.length > 0);
  const answer = await send(daemon, `/api/approvals/${request.id}`, 'POST', { decision: 'deny', digest: request.digest });
  assert.deepEqual([answer.status, answer.state], [200, 'denied']);
  await hook.closed;
  const from = board.messages.length;
  desk.records({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_000001', content: 'ok' }] },
    permissionDecision: { decision: 'accept', source: 'user_temporary' } });
  const ended = await told(board, one => one.id === request.id && one.state === 'desk', from);
  assert.equal(ended.by, null);
  await daemon.stop();
  await daemon.start();
  const { approvals } = await daemon.get('/api/approvals');
  assert.deepEqual(approvals.map(({ id, state, by }) => [id, state, by]), [[request.id, 'desk', null]]);
});

test('a subagent asks: its hook waits only while the person is away', async t => {
  const { daemon, board, desk } = await stage(t);
  const fields = { agent_id: 'a1', agent_type: 'general-purpose' };
  const there = desk.asks(t, fields);
  await there.closed;
  assert.equal(there.said, '');
  const request = await told(board, one => one.agent === 'a1');
  assert.deepEqual(request.can, []);
  assert.match(request.why ?? (await daemon.get('/api/approvals')).approvals[0].why, /away/);
  await send(daemon, '/api/away', 'PUT', { away: true });
  const held = desk.asks(t, { ...fields, tool_input: { command: 'make' } });
  const second = await told(board, one => one.detail === 'make' && one.can.length > 0);
  await send(daemon, '/api/away', 'PUT', { away: false });
  await held.closed;
  assert.equal(held.said, '');
  const { approvals } = await daemon.get('/api/approvals');
  assert.deepEqual(approvals.find(({ id }) => id === second.id).can, []);
});
