// A thousand requests of a hundred sessions, and boards that do not keep up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, approvals, Asking, eventually, hooksLeft, Inbox } from './lib/asking.mjs';
import { Board } from './lib/board.mjs';
import { ostler, startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

const SESSIONS = 100, EACH = 10;

/** Events of hooks that do not wait, in the order of each agent, of eight agents at a time. */
async function tell(daemon, agents, payloads) {
  const left = [...agents];
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (let agent; (agent = left.shift());) await runHooks(daemon.home, payloads(agent));
  }));
}

const asks = (agent, command) => agent.event('PermissionRequest', { tool_name: 'Bash', tool_input: { command } });

test('1,000 open requests: each is listed, and answered; nothing else slows', async t => {
  const daemon = await startDaemon(t);
  const inbox = await Inbox.open(t, daemon, { Board });
  const agents = Array.from({ length: SESSIONS }, (_, i) => new Agent({ cwd: `/srv/p${i}` }));
  await tell(daemon, agents, agent => [agent.start(), ...Array.from({ length: EACH - 1 }, (_, i) => asks(agent, `make ${i}`))]);
  const begun = performance.now();
  const hooks = [];
  for (let i = 0; i < SESSIONS; i += 20) { // a hook leaves when the daemon says nothing for a second, which a busy machine may need
    for (const agent of agents.slice(i, i + 20)) hooks.push(new Asking(t, daemon.home, asks(agent, `held by ${agent.cwd}`)));
    await inbox.until(() => [...inbox.requests.values()].filter(r => r.can.length).length === i + 20, `${i + 20} hooks that wait`);
  }
  t.diagnostic(`100 hooks held: ${Math.round(performance.now() - begun)} ms`);
  const listed = performance.now();
  const all = await approvals(daemon);
  t.diagnostic(`the list of ${all.length}: ${Math.round(performance.now() - listed)} ms`);
  assert.deepEqual([all.length, new Set(all.map(r => r.id)).size], [SESSIONS * EACH, SESSIONS * EACH]);
  assert.ok(all.every((r, i) => i === 0 || r.askedAt >= all[i - 1].askedAt), 'the oldest first');
  const shown = performance.now();
  const printed = await ostler(daemon.home, ['inbox']);
  t.diagnostic(`ostler inbox: ${Math.round(performance.now() - shown)} ms`);
  assert.equal(printed.stdout.match(/^approval r/gm).length, SESSIONS * EACH);
  const times = [];
  const held = all.filter(r => r.can.length);
  for (const { id, digest } of held) {
    const from = performance.now();
    assert.equal((await answer(daemon, id, { decision: 'allow', digest })).status, 200);
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  t.diagnostic(`answers: p50 ${times[50].toFixed(1)} ms, p99 ${times[98].toFixed(1)} ms`);
  for (const hook of hooks) assert.deepEqual((await hook.answer()).hookSpecificOutput.decision, { behavior: 'allow' });
  assert.deepEqual(hooksLeft(daemon.home), []);
  await inbox.until(() => [...inbox.requests.values()].filter(r => r.state === 'allowed').length === SESSIONS, 'a hundred that are allowed');
  assert.equal((await approvals(daemon)).filter(r => r.state === 'open').length, SESSIONS * (EACH - 1));
});

test('of one session at most 32 are kept: the oldest is expired, and says so', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await tell(daemon, [agent], () => [agent.start(), ...Array.from({ length: 40 }, (_, i) => asks(agent, `make ${i}`))]);
  const all = await eventually(async () => {
    const found = await approvals(daemon);
    return found.length === 40 && found;
  }, '40 requests');
  assert.deepEqual([all.filter(r => r.state === 'open').length, all.filter(r => r.state === 'expired').length], [32, 8]);
});

test('a board that does not read falls behind, and then gets everything again', async t => {
  const daemon = await startDaemon(t);
  const slow = await Inbox.open(t, daemon, { Board });
  const other = await Inbox.open(t, daemon, { Board });
  const agents = Array.from({ length: 10 }, (_, i) => new Agent({ cwd: `/srv/q${i}` }));
  slow.board.socket._socket.pause();
  await tell(daemon, agents, agent => [agent.start(), ...Array.from({ length: 20 }, (_, i) => asks(agent, `make ${i} ${'x'.repeat(60_000)}`))]);
  await other.until(() => [...other.requests.values()].length === 200, 'all of them, for who reads');
  slow.board.socket._socket.resume();
  await slow.until(() => [...slow.requests.values()].length === 200, 'all of them');
  const again = slow.board.messages.filter(m => m.type === 'inbox').length;
  assert.ok(again > 1, 'it was told everything again');
  const plain = inbox => [...inbox.requests.values()].map(r => [r.id, r.digest, r.state]).sort();
  assert.deepEqual(plain(slow), plain(other));
});
