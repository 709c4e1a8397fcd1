// Web Push, through the real hook and daemon, to a push service of the test's own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePair } from './lib/certificates.mjs';
import { makeHome, startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { bearer, halves, homeWithPassword, login, loginPage } from './lib/login.mjs';
import { Agent } from './lib/payloads.mjs';
import { Browser, PushService, allowLoopback, subscribe, vapidClaims } from './lib/push_service.mjs';

async function stage(t, { config = {}, home = makeHome(t), env = {} } = {}) {
  const service = await PushService.start(t);
  allowLoopback(home, config);
  return { service, home, daemon: await startDaemon(t, { home, env }) };
}

const asks = (agent, command) => {
  const input = { command };
  return [agent.start(), agent.prompt('Go'), agent.pre('Bash', input), agent.permission('Bash', input)];
};

test('a request reaches the phone: sealed for it alone, signed for its push service, whole', async t => {
  const { service, daemon } = await stage(t);
  const browser = new Browser(service);
  const answer = await subscribe(daemon, browser, {}, { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36' });
  assert.equal(answer.status, 200);
  const { id } = await answer.json();
  const { publicKey, subscriptions } = await daemon.get('/api/push');
  assert.equal(Buffer.from(publicKey, 'base64url').length, 65);
  assert.deepEqual(subscriptions.map(({ createdAt, ...rest }) => rest),
    [{ id, device: 'Chrome 140 on Android', lastSentAt: null, failure: null, login: null, current: true }]);

  const agent = new Agent({ cwd: '/srv/app' });
  await runHooks(daemon.home, asks(agent, 'rm -rf build'));
  const { message, headers } = await browser.next();
  assert.equal(message.kind, 'approval');
  assert.equal(message.project, 'app');
  assert.equal(message.text, 'rm -rf build');
  assert.equal(message.whole, true);
  const session = await daemon.get(`/api/sessions/${agent.id}`);
  assert.equal(message.requestId, session.attention.requestId);
  assert.equal(message.url, `/session/${session.id}`);
  assert.equal(headers['content-encoding'], 'aes128gcm');
  assert.equal(headers.urgency, 'high');
  assert.match(headers.ttl, /^\d+$/);
  assert.match(headers.topic, /^[\w-]{1,32}$/);

  const claims = vapidClaims(headers, publicKey);
  const now = Date.now() / 1000;
  assert.equal(claims.aud, service.url);
  assert.ok(claims.exp > now + 3600 && claims.exp < now + 24 * 3600, String(claims.exp - now));
  assert.match(claims.sub, /^(mailto:|https:)/);
});

test('what was answered at the desk is taken back from the phone, and nothing is told twice', async t => {
  const { service, daemon } = await stage(t);
  const browser = new Browser(service);
  assert.equal((await subscribe(daemon, browser)).status, 200);
  const agent = new Agent();
  await runHooks(daemon.home, asks(agent, 'make'));
  const { message, headers } = await browser.next();
  await runHooks(daemon.home, [agent.post('Bash', { command: 'make' }), agent.stop('Built.')]);
  const next = [await browser.next(), await browser.next()];
  const over = next.find(n => n.message.gone), finished = next.find(n => n.message.kind === 'finished');
  assert.deepEqual(over.message, { gone: true, kind: 'approval', tag: message.tag });
  assert.equal(over.headers.topic, headers.topic, 'the push service replaces one that was not delivered yet');
  assert.equal(finished.message.text, 'Built.');
  assert.equal(service.requests.length, 3);
});

test('a daemon that comes back does not tell old news, but takes back what is over', async t => {
  const { service, daemon } = await stage(t);
  const browser = new Browser(service);
  assert.equal((await subscribe(daemon, browser)).status, 200);
  const agent = new Agent();
  await runHooks(daemon.home, asks(agent, 'make'));
  const { message } = await browser.next();
  await daemon.stop();
  await daemon.start();
  await runHooks(daemon.home, [agent.post('Bash', { command: 'make' })]);
  for (;;) {
    const next = await browser.next();
    assert.equal(next.message.tag, message.tag, 'what began a moment before the restart may come once more, in the same place');
    if (next.message.gone) break;
  }
});

test('only the kinds that are wanted, and none in quiet hours', async t => {
  const { service, daemon } = await stage(t);
  const picky = new Browser(service), quiet = new Browser(service), all = new Browser(service);
  const minute = new Date().getUTCHours() * 60 + new Date().getUTCMinutes();
  const hours = { from: (minute + 1440 - 60) % 1440, to: (minute + 60) % 1440, timezoneOffset: 0 };
  assert.equal((await subscribe(daemon, picky, { kinds: ['finished'] })).status, 200);
  assert.equal((await subscribe(daemon, quiet, { quiet: hours })).status, 200);
  assert.equal((await subscribe(daemon, all, { quiet: { ...hours, timezoneOffset: 720 } })).status, 200);
  const agent = new Agent();
  await runHooks(daemon.home, asks(agent, 'make'));
  assert.equal((await all.next()).message.kind, 'approval');
  await runHooks(daemon.home, [agent.post('Bash', { command: 'make' }), agent.stop('Built.')]);
  assert.equal((await picky.next()).message.kind, 'finished');
  while ((await all.next()).message.kind !== 'finished');
  assert.deepEqual(service.requests.filter(r => r.path === quiet.path), []);
  assert.equal(service.requests.filter(r => r.path === picky.path).length, 1);
});

test('410 and 404 take the subscription away', async t => {
  for (const status of [410, 404]) {
    const { service, daemon } = await stage(t);
    const browser = new Browser(service);
    assert.equal((await subscribe(daemon, browser)).status, 200);
    service.answer({ status });
    assert.equal((await daemon.fetch('/api/push/test', { method: 'POST' })).status, 200);
    assert.equal((await browser.next()).message.kind, 'test');
    await daemon.says(/wants no notifications any more/);
    assert.deepEqual((await daemon.get('/api/push')).subscriptions, []);
    assert.equal((await daemon.fetch('/api/push/test', { method: 'POST' })).status, 409);
    assert.doesNotMatch(fs.readFileSync(path.join(daemon.home, 'push'), 'utf8'), /endpoint/);
  }
});

test('429 waits as long as it says, 500 is tried again, and what came meanwhile takes its place', async t => {
  const { service, daemon } = await stage(t);
  const browser = new Browser(service);
  assert.equal((await subscribe(daemon, browser)).status, 200);
  service.answer({ status: 429, headers: { 'retry-after': '2' } }, { status: 500 });
  const agent = new Agent();
  await runHooks(daemon.home, asks(agent, 'make'));
  const first = (await browser.next()).message;
  await runHooks(daemon.home, [agent.post('Bash', { command: 'make' })]);
  const second = (await browser.next()).message, third = (await browser.next()).message;
  assert.deepEqual([first.kind, first.gone, second.gone, third.gone], ['approval', undefined, true, true]);
  const [one, two] = service.requests;
  assert.ok(two.at - one.at >= 1990, `${two.at - one.at} ms`);
  assert.deepEqual(service.requests.map(r => r.status), [429, 500, 201]);
});

test('over TLS only to who can prove its name; what cannot is said in the list', async t => {
  const home = makeHome(t), pair = makePair(home, 'service');
  const known = await PushService.start(t, { pair });
  allowLoopback(home);
  const daemon = await startDaemon(t, { home, env: { SSL_CERT_FILE: pair.cert } });
  const browser = new Browser(known);
  assert.equal((await subscribe(daemon, browser)).status, 200);
  assert.equal((await daemon.fetch('/api/push/test', { method: 'POST' })).status, 200);
  const { headers } = await browser.next();
  assert.equal(vapidClaims(headers, (await daemon.get('/api/push')).publicKey).aud, known.url);

  const stranger = await PushService.start(t, { pair: makePair(home, 'other') });
  const other = new Browser(stranger);
  assert.equal((await subscribe(daemon, other)).status, 200);
  assert.equal((await daemon.fetch('/api/push/test', { method: 'POST' })).status, 200);
  await browser.next();
  await daemon.says(/tried again later: .*certificate is not trusted/);
  assert.match((await daemon.get('/api/push')).subscriptions.at(-1).failure, /certificate is not trusted/);
  assert.deepEqual(stranger.requests, []);
});

test('no page makes the daemon a proxy into the machine or its network', async t => {
  const service = await PushService.start(t);
  const daemon = await startDaemon(t); // nobody named a network
  const browser = new Browser(service);
  const refused = async endpoint => {
    const answer = await daemon.fetch('/api/push/subscriptions', {
      method: 'POST', body: JSON.stringify({ ...browser.subscription(), endpoint }) });
    return answer.status;
  };
  for (const endpoint of [service.url, `https://127.0.0.1:${service.port}/`, 'https://[::1]/x', 'https://10.0.0.1/x', 'https://192.168.1.1/x',
    'https://169.254.169.254/latest', 'https://[fe80::1]/x', 'https://[::ffff:10.0.0.1]/', 'https://[64:ff9b::10.0.0.1]/', 'https://100.64.0.1/',
    'http://push.example/x', 'ftp://push.example/', 'https://user@push.example/', 'https://push.example/#x', 'https://push.example/a b',
    'https://push.example/\r\nHost: x', 'https:///x', 'https://push.example:0/', 'https://push.example:99999/', 'file:///etc/passwd', '', 7, null])
    assert.equal(await refused(endpoint), 400, String(endpoint));
  // Names, and numbers that are addresses in disguise, are found out when they are looked up.
  for (const endpoint of [`https://localhost:${service.port}/x`, `https://2130706433:${service.port}/x`, `https://0x7f.1:${service.port}/x`])
    assert.equal(await refused(endpoint), 200, endpoint);
  assert.equal((await daemon.fetch('/api/push/test', { method: 'POST' })).status, 200);
  await daemon.says(/(tried again later: .*private network[^]*){3}/);
  assert.deepEqual(service.requests, []);
});

test('a subscription that makes no sense is refused with a sentence', async t => {
  const { service, daemon } = await stage(t);
  const good = new Browser(service).subscription();
  const zero = Buffer.alloc(65).fill(0, 1); zero[0] = 4;
  for (const bad of [{ keys: {} }, { keys: { ...good.keys, p256dh: zero.toString('base64url') } }, { keys: { ...good.keys, auth: 'AA' } },
    { kinds: ['everything'] }, { kinds: 'approval' }, { quiet: { from: 1440, to: 0, timezoneOffset: 0 } }, { quiet: { from: 1 } }]) {
    const answer = await daemon.fetch('/api/push/subscriptions', { method: 'POST', body: JSON.stringify({ ...good, ...bad }) });
    assert.equal(answer.status, 400, JSON.stringify(bad));
    assert.ok((await answer.json()).error.length > 10);
  }
  assert.equal((await daemon.fetch('/api/push/subscriptions', { method: 'POST', body: '[]' })).status, 400);
  assert.equal((await daemon.fetch('/api/push/subscriptions/nobody', { method: 'DELETE' })).status, 404);
});

test('a revoked login takes its subscription away, and a new password all of them; they outlive the daemon', async t => {
  const { service, daemon } = await stage(t, { home: homeWithPassword(t) });
  const owner = bearer(await login(daemon));
  const page = halves(daemon, await loginPage(daemon));
  const [one, two] = [new Browser(service), new Browser(service)];
  assert.equal((await subscribe(daemon, one)).status, 401);
  assert.equal((await subscribe(daemon, one, {}, owner)).status, 200);
  assert.equal((await subscribe(daemon, two, {}, page)).status, 200);
  const list = async () => (await (await daemon.fetch('/api/push', { headers: owner })).json()).subscriptions;
  assert.deepEqual((await list()).map(s => s.current), [true, false]);
  assert.equal(fs.statSync(path.join(daemon.home, 'push')).mode & 0o777, 0o600);
  assert.equal(fs.statSync(path.join(daemon.home, 'push.key')).mode & 0o777, 0o600);
  await daemon.stop();
  await daemon.start();
  assert.equal((await list()).length, 2, 'they outlive the daemon');
  const { login: id } = (await list())[1];
  assert.equal((await daemon.fetch(`/api/auth/logins/${id}`, { method: 'DELETE', headers: owner })).status, 200);
  assert.equal((await list()).length, 1);
  assert.equal((await daemon.fetch('/api/auth/logout', { method: 'POST', headers: owner })).status, 200);
  assert.doesNotMatch(fs.readFileSync(path.join(daemon.home, 'push'), 'utf8'), /endpoint/);
});

test('nothing of a subscription is in the log', async t => {
  const { service, daemon } = await stage(t, { env: { OSTLER_LOG: 'debug' } });
  const browser = new Browser(service);
  assert.equal((await subscribe(daemon, browser)).status, 200);
  service.answer({ status: 400 });
  assert.equal((await daemon.fetch('/api/push/test', { method: 'POST' })).status, 200);
  await browser.next();
  await daemon.says(/is given up/);
  assert.ok(!daemon.log.includes(browser.path) && !daemon.log.includes(browser.auth.toString('base64url')));
});

test('of a session that is muted nobody is notified, on no device, until it is not', async t => {
  const { service, daemon } = await stage(t);
  const browser = new Browser(service);
  assert.equal((await subscribe(daemon, browser, { kinds: ['finished'] })).status, 200);
  const [loud, muted] = [new Agent(), new Agent()];
  await runHooks(daemon.home, [loud.start(), muted.start()]);
  const mute = value => daemon.fetch(`/api/sessions/${muted.id}/muted`, { method: 'PUT', body: JSON.stringify({ muted: value }) });
  assert.equal((await mute('yes')).status, 400);
  assert.equal((await mute(true)).status, 200);
  await daemon.stop();
  await daemon.start();
  assert.equal((await daemon.get(`/api/sessions/${muted.id}`)).muted, true);
  await runHooks(daemon.home, [muted.prompt('Go'), muted.stop('Unheard.'), loud.prompt('Go'), loud.stop('Heard.')]);
  assert.equal((await browser.next()).message.text, 'Heard.');
  assert.equal((await mute(false)).status, 200);
  await runHooks(daemon.home, [muted.prompt('Go'), muted.stop('Heard, too.')]);
  assert.equal((await browser.next()).message.text, 'Heard, too.');
  assert.equal(service.requests.length, 2);
});
