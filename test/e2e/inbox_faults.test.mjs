// Requests and their answers while things go wrong: daemons and hooks that are killed, stopped, or not there at all.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { answer, approvals, ask, Asking, eventually, hooksLeft, Inbox } from './lib/asking.mjs';
import { Board } from './lib/board.mjs';
import { makeHome, startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { Account, noStranger, Stranger } from './lib/stranger.mjs';

const BASH = { command: 'npm test' };

async function stage(t, options) {
  const daemon = await startDaemon(t, options);
  return { daemon, inbox: await Inbox.open(t, daemon, { Board }) };
}

const request = (agent, input = BASH) => agent.event('PermissionRequest', { tool_name: 'Bash', tool_input: input });
const find = async (daemon, id) => (await approvals(daemon)).find(r => r.id === id);

test('no daemon: the hook is gone at once, silently; so it is when the daemon ends or is killed', async t => {
  const home = makeHome(t);
  for (const cli of ['claude', 'codex']) await new Asking(t, home, request(new Agent()), { cli }).silence();
  const { daemon, inbox } = await stage(t, { home });
  await eventually(async () => (await approvals(daemon)).length === 2, 'requests of before');
  const first = await ask(t, daemon, inbox, 'Bash', BASH);
  await daemon.crash();
  await first.asking.silence();
  await daemon.start();
  const after = await find(daemon, first.request.id);
  assert.deepEqual([after.state, after.can, after.via], ['open', [], null]);
  assert.match(after.why, /waits no longer/);
  const again = await Inbox.open(t, daemon, { Board });
  const second = await ask(t, daemon, again, 'Bash', BASH);
  await daemon.stop();
  await second.asking.silence();
  assert.deepEqual(hooksLeft(home), []);
});

test('what lies where the socket should be is not waited for', async t => {
  const home = makeHome(t);
  const state = path.join(home, 'state');
  for (const dir of [home, state]) {
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, 'reply.sock'), 'no socket');
  }
  await new Asking(t, home, request(new Agent())).silence();
});

test('a daemon that hangs: the hook leaves, and when it goes on the request is there', async t => {
  const { daemon, inbox } = await stage(t);
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  daemon.child.kill('SIGSTOP');
  const asking = new Asking(t, daemon.home, request(agent));
  await asking.silence();
  daemon.child.kill('SIGCONT');
  const left = await inbox.request(r => r.sessionId === agent.id && r.state === 'open' && r.can.length === 0 && r.why);
  assert.match(left.why, /waits no longer/);
});

test('a hook that was killed cannot be answered, and says so', async t => {
  const { daemon, inbox } = await stage(t);
  for (const signal of ['SIGKILL', 'SIGTERM']) {
    const asked = await ask(t, daemon, inbox, 'Bash', BASH);
    asked.asking.child.kill(signal);
    await asked.asking.ended;
    const left = await inbox.request(r => r.id === asked.request.id && r.can.length === 0);
    assert.deepEqual([left.state, left.via], ['open', null], signal);
    const refused = await answer(daemon, left.id, { decision: 'allow', digest: left.digest });
    assert.deepEqual([refused.status, refused.state], [409, 'open']);
    await runHook(daemon.home, asked.agent.post('Bash', BASH));
    assert.equal((await inbox.ended(left.id)).state, 'desk');
  }
});

test('a hook that is stopped: the answer is taken back with words, and it prints nothing when it goes on', async t => {
  const { daemon, inbox } = await stage(t);
  const asked = await ask(t, daemon, inbox, 'Bash', BASH);
  asked.asking.child.kill('SIGSTOP');
  const refused = await answer(daemon, asked.request.id, { decision: 'allow', digest: asked.request.digest });
  assert.deepEqual([refused.status, refused.state], [409, 'open']);
  assert.match(refused.error, /does not respond/);
  const back = await inbox.request(r => r.id === asked.request.id && r.note);
  assert.deepEqual([back.state, back.answer, back.can], ['open', null, []]);
  assert.match(back.note, /does not respond/);
  asked.asking.child.kill('SIGCONT');
  await asked.asking.silence();
});

test('a CLI that closes the hook\'s output, or goes: the hook goes, too', async t => {
  const { daemon, inbox } = await stage(t);
  const asked = await ask(t, daemon, inbox, 'Bash', BASH);
  asked.asking.child.stdout.destroy();
  await asked.asking.ended;
  const left = await inbox.request(r => r.id === asked.request.id && r.can.length === 0);
  assert.equal(left.state, 'open');
});

test('a daemon killed between the answer and its delivery: one end, or open again with words; the hook prints at most once', async t => {
  const { daemon } = await stage(t);
  const outcomes = { told: 0, silent: 0 };
  for (let round = 0; round < 20; round++) {
    const inbox = await Inbox.open(t, daemon, { Board });
    const asked = await ask(t, daemon, inbox, 'Bash', { command: `make ${round}` });
    const { id, digest } = asked.request;
    const reply = answer(daemon, id, { decision: 'deny', message: `round ${round}`, digest }).catch(error => ({ status: 0, error }));
    await new Promise(resolve => { setTimeout(resolve, round / 2); });
    await daemon.crash();
    const said = await reply;
    const { code, signal, out } = await asked.asking.ended;
    assert.deepEqual({ code, signal }, { code: 0, signal: null });
    if (out) assert.deepEqual(JSON.parse(out).hookSpecificOutput.decision, { behavior: 'deny', message: `round ${round}` });
    outcomes[out ? 'told' : 'silent']++;
    if (said.status === 200) assert.ok(out, 'who was told yes was told the truth');
    await daemon.start();
    const after = await eventually(async () => {
      const r = await find(daemon, id);
      return (r.state !== 'open' || (!r.answer && (r.note || !out))) && r;
    }, `an end of round ${round}`);
    if (out) assert.deepEqual([after.state, typeof after.by], ['denied', 'string'], `round ${round}: the agent was told`);
    else assert.deepEqual([after.state, after.answer], ['open', null], `round ${round}: it was not`);
  }
  t.diagnostic(JSON.stringify(outcomes));
  assert.deepEqual(hooksLeft(daemon.home), []);
});

test('Claude Code says in its state file that it goes on: the hook is gone, silently', async t => {
  const { daemon, inbox } = await stage(t);
  const directory = path.join(daemon.home, '.claude/sessions');
  fs.mkdirSync(directory, { recursive: true });
  const agent = new Agent();
  const event = agent.event.bind(agent);
  const transcript_path = path.join(daemon.home, '.claude/projects/-srv-app', `${agent.id}.jsonl`);
  agent.event = (name, fields) => ({ ...event(name, fields), transcript_path });
  const say = (status, waitingFor) => fs.writeFileSync(path.join(directory, '4711.json'),
    JSON.stringify({ pid: 4711, sessionId: agent.id, kind: 'interactive', status, ...(waitingFor && { waitingFor }), statusUpdatedAt: Date.now() }));
  say('busy');
  const asked = await ask(t, daemon, inbox, 'Bash', BASH, { agent });
  say('waiting', 'permission prompt');
  say('busy');
  await asked.asking.silence();
  assert.equal((await inbox.ended(asked.request.id)).state, 'desk');
});

test('what strangers and others say to the socket', async t => {
  const { daemon, inbox } = await stage(t);
  const socket = eventuallyPath(daemon.home);
  const says = text => new Promise(resolve => {
    const s = net.connect(socket);
    let heard = '';
    s.on('data', chunk => { heard += chunk; });
    s.on('close', () => resolve(heard));
    s.on('error', () => {});
    s.on('connect', () => s.write(text));
  });
  for (const text of ['GET / HTTP/1.1\r\n\r\n', '\n', 'hold\n', 'hold 2 k claude\n', 'hold 1  claude\n', 'hold 1 k nobody\n', `hold 1 ${'k'.repeat(64)} claude\n`,
    `${'x'.repeat(200)}`, 'hold 1 k claude\ntake\n', 'hold 1 k claude\nnoise\n', 'hold 1 k claude extra\n', '\0\0\0\n'])
    assert.match(await says(text), /^(held\n)?$/, JSON.stringify(text.slice(0, 40)));
  const asked = await ask(t, daemon, inbox, 'Bash', BASH);
  const refused = noStranger();
  if (!refused) {
    const account = new Account();
    t.after(() => account.leave());
    const stranger = await Stranger.arrive(t, account);
    assert.equal(await stranger.does('unixConnect', { path: socket }), 'EACCES');
  }
  assert.equal((await answer(daemon, asked.request.id, { decision: 'allow', digest: asked.request.digest })).status, 200);
  await asked.asking.answer();
});

function eventuallyPath(home) {
  const found = [path.join(home, 'reply.sock'), path.join(home, 'state/reply.sock')].find(p => fs.existsSync(p));
  assert.ok(found, 'reply.sock');
  return found;
}
