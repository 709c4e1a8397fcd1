// Codex asks here only while the person is away: how that is known, and what ends it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvals, ask, away, eventually, hooksLeft, Inbox } from './lib/asking.mjs';
import { Board } from './lib/board.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { HostedAgent } from './lib/hosted.mjs';

async function stage(t, options) {
  const daemon = await startDaemon(t, options);
  return { daemon, inbox: await Inbox.open(t, daemon, { Board }) };
}

test('that one is away is remembered over a crash, told to every board, and taken back', async t => {
  const { daemon, inbox } = await stage(t);
  const told = () => inbox.board.messages.filter(m => m.type === 'away').map(m => m.away);
  assert.deepEqual(await daemon.get('/api/away'), { away: false, since: null, by: null, afterMinutes: null, auto: false });
  assert.equal((await away(daemon, true)).status, 200);
  await inbox.until(() => told().at(-1)?.away, 'away');
  await daemon.crash();
  await daemon.start();
  const { away: is, by, auto } = await daemon.get('/api/away');
  assert.deepEqual([is, typeof by, auto], [true, 'string', false]);
  assert.equal((await ostler(daemon.home, ['away', 'off'])).code, 0);
  assert.equal((await daemon.get('/api/away')).away, false);
  for (const body of ['{}', '{"away":1}', '{"away":null}', '[]', '', '{"away":"true"}'])
    assert.equal((await daemon.fetch('/api/away', { method: 'PUT', headers: { 'content-type': 'application/json' }, body })).status, 400, body);
});

test('a key in its hosted terminal brings its own dialog back; ostler away off everybody\'s', async t => {
  const { daemon, inbox } = await stage(t, { env: { SHELL: '/bin/bash' } });
  await away(daemon, true);
  const agent = await HostedAgent.start(t, daemon, 'codex');
  await agent.do('prompt', { text: 'Go' });
  const elsewhere = await ask(t, daemon, inbox, 'Bash', { command: 'make' }, { cli: 'codex' });
  agent.do('tool', { name: 'Bash', input: { command: 'rm x' }, ask: true }).catch(() => {});
  const held = await inbox.answerable(agent.id);
  assert.deepEqual([held.via, held.can], ['hook', ['allow', 'deny', 'message']]);
  agent.tty.type(' ');
  const released = await inbox.request(r => r.id === held.id && r.can.length === 0);
  assert.deepEqual([released.state, released.via], ['open', null]);
  assert.ok(elsewhere.asking.running, 'that of another agent waits on');
  assert.equal((await ostler(daemon.home, ['away', 'off'])).code, 0);
  await elsewhere.asking.silence();
  await eventually(() => hooksLeft(daemon.home).length === 0, 'end of every hook');
});

test('away by itself when no key was typed for long: boards are told, and Codex waits', async t => {
  const home = makeHome(t);
  assert.equal((await ostler(home, ['config', 'set', 'awayAfterMinutes', '1'])).code, 0);
  const { daemon, inbox } = await stage(t, { home });
  assert.deepEqual(await daemon.get('/api/away'), { away: false, since: null, by: null, afterMinutes: 1, auto: false });
  const now = await inbox.until(() => inbox.board.messages.find(m => m.type === 'away'), 'that nobody typed for a minute');
  assert.deepEqual([now.away.away, now.away.auto], [true, true]);
  assert.match((await ostler(home, ['away'])).stdout, /no key was typed for 1 min/);
  const { asking, request } = await ask(t, daemon, inbox, 'Bash', { command: 'make' }, { cli: 'codex' });
  assert.equal((await approvals(daemon)).find(r => r.id === request.id).via, 'hook');
  const approved = await ostler(home, ['approve', request.id]);
  assert.equal(approved.code, 0, approved.stderr);
  assert.deepEqual((await asking.answer()).hookSpecificOutput.decision, { behavior: 'allow' });
});
