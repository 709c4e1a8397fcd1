// Answers that come from a notification: a ticket for one request, as it was shown, and no login.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { environment, makeHome, startDaemon } from './lib/daemon.mjs';
import { HOOK, runHooks } from './lib/hook.mjs';
import { ask, bearer, halves, halvesOf, homeWithPassword, login } from './lib/login.mjs';
import { Agent } from './lib/payloads.mjs';
import { Browser, PushService, allowLoopback, subscribe } from './lib/push_service.mjs';

/** A daemon with a password, a phone that is logged in and subscribed, and an agent. */
async function stage(t, { lookOnly = false } = {}) {
  const home = homeWithPassword(t);
  allowLoopback(home, { notifyDelay: 1000 }); // by then the hook waits for an answer
  const service = await PushService.start(t);
  const daemon = await startDaemon(t, { home });
  const owner = bearer(await login(daemon));
  const { code } = await (await ask(daemon, '/api/auth/pair', { url: 'https://barn.example', name: 'phone', lookOnly }, owner)).json();
  const phone = halves(daemon, await halvesOf(daemon, await ask(daemon, '/api/auth/paired', { code })));
  const browser = new Browser(service);
  assert.equal((await subscribe(daemon, browser, { kinds: ['approval', 'question', 'plan'] }, phone)).status, 200);
  const agent = new Agent();
  await runHooks(home, [agent.start(), agent.prompt('Go')]);
  return { daemon, owner, phone, browser, agent };
}

/** The agent's CLI asks; answers what its hook will have printed. */
function request(t, daemon, agent, tool, input) {
  const hook = spawn(HOOK, ['--cli', 'claude', '--reply'], { env: environment(daemon.home), stdio: ['pipe', 'pipe', 'inherit'] });
  cleanup(t, () => hook.kill('SIGKILL'));
  let text = '';
  hook.stdout.setEncoding('utf8').on('data', d => { text += d; });
  hook.stdin.end(JSON.stringify(agent.permission(tool, input)));
  return { hook, printed: once(hook, 'close').then(() => text) };
}

const answer = (daemon, body, headers = {}) => ask(daemon, '/api/push/answer', body, headers);

test('allowed from the notification, without a login: the agent has it, the ticket works once, and who it was is told', async t => {
  const { daemon, owner, browser, agent } = await stage(t);
  const { printed } = request(t, daemon, agent, 'Bash', { command: 'npm test' });
  const { message } = await browser.next();
  assert.deepEqual([message.kind, message.whole, message.can, message.text], ['approval', true, ['allow', 'deny'], 'npm test']);
  assert.equal((await answer(daemon, { token: message.token, decision: 'always' })).status, 400);
  const said = await answer(daemon, { token: message.token, decision: 'allow' });
  assert.deepEqual([said.status, (await said.json()).state], [200, 'allowed']);
  assert.match(await printed, /"allow"/);
  assert.equal((await answer(daemon, { token: message.token, decision: 'deny' })).status, 409, 'once');
  const { approvals } = await (await daemon.fetch('/api/approvals', { headers: owner })).json();
  assert.equal(approvals.find(a => a.id === message.requestId).state, 'allowed');
  assert.match(approvals.find(a => a.id === message.requestId).by, /by notification/);
  assert.equal((await browser.next()).message.gone, true, 'and the notification goes, wherever else it is shown');
});

test('what a notification does not show whole cannot be allowed from it, but denied with a reason', async t => {
  const { daemon, browser, agent } = await stage(t);
  const { printed } = request(t, daemon, agent, 'Bash', { command: `echo ${'a'.repeat(300)}; rm -rf /` });
  const { message } = await browser.next();
  assert.deepEqual([message.whole, message.can], [false, ['deny']]);
  assert.equal((await answer(daemon, { token: message.token, decision: 'allow' })).status, 403);
  assert.equal((await answer(daemon, { token: message.token, decision: 'deny', message: 'not from here' })).status, 200);
  assert.match(await printed, /not from here/);
});

test('tickets cannot be made up, changed, or used from another page; those of a revoked login are worth nothing', async t => {
  const { daemon, owner, browser, agent } = await stage(t);
  const { hook } = request(t, daemon, agent, 'Bash', { command: 'make' });
  const { message: { token } } = await browser.next();
  const parts = token.split('.');
  for (const wrong of ['', 'x', 7, null, parts.with(1, '1').join('.'), parts.with(0, `${Number(parts[0]) + 1}`).join('.'),
    parts.with(3, 'r0').join('.'), parts.slice(0, -1).join('.'), 'a'.repeat(1000)])
    assert.equal((await answer(daemon, { token: wrong, decision: 'allow' })).status, 403, String(wrong));
  assert.equal((await answer(daemon, { token, decision: 'allow' }, { origin: 'https://evil.example' })).status, 403);
  assert.equal((await answer(daemon, { token, decision: 'allow' }, { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await answer(daemon, 'nonsense')).status, 400);
  const { logins } = await (await daemon.fetch('/api/auth/logins', { headers: owner })).json();
  const { id } = logins.find(l => l.name === 'phone');
  assert.equal((await daemon.fetch(`/api/auth/logins/${id}`, { method: 'DELETE', headers: owner })).status, 200);
  assert.equal((await answer(daemon, { token, decision: 'allow' })).status, 403);
  assert.equal(hook.exitCode, null, 'and the agent still waits');
});

test('a ticket is for what was shown: a daemon that starts anew knows it, an answer at the desk ends it', async t => {
  const { daemon, browser, agent } = await stage(t);
  const input = { command: 'make' };
  request(t, daemon, agent, 'Bash', input);
  const { message: { token } } = await browser.next();
  await daemon.stop();
  await daemon.start();
  const late = await answer(daemon, { token, decision: 'allow' });
  assert.equal(late.status, 409, 'its hook left with the daemon');
  await runHooks(daemon.home, [agent.post('Bash', input)]);
  assert.equal((await answer(daemon, { token, decision: 'allow' })).status, 409);
});

test('a phone that may only look is notified, and gets no ticket', async t => {
  const { daemon, browser, agent } = await stage(t, { lookOnly: true });
  request(t, daemon, agent, 'Bash', { command: 'make' });
  const { message } = await browser.next();
  assert.deepEqual([message.kind, message.can, message.token], ['approval', [], undefined]);
});
