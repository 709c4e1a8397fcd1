// Pairing a phone, and logins that may only look.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makePair } from './lib/certificates.mjs';
import { ROOT, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { LIFE_MS, ageLogins, ask, bearer, cookieName, halves, halvesOf, homeWithPassword, keyProtocol, letsIn, login, openSocket } from './lib/login.mjs';
import { Agent } from './lib/payloads.mjs';
import { Browser, PushService, allowLoopback, subscribe } from './lib/push_service.mjs';

const URL_OF = 'https://barn.example:3333';

async function codeFrom(home, ...more) {
  const { code, stdout, stderr } = await ostler(home, ['pair', '--json', '--url', URL_OF, ...more]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const claim = (daemon, code, headers = {}) => ask(daemon, '/api/auth/paired', { code }, headers);

async function pair(daemon, ...more) {
  const { code } = await codeFrom(daemon.home, ...more);
  return halvesOf(daemon, await claim(daemon, code, { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36' }));
}

test('a phone is let in by a code, once, stays for long, is listed by its name and can be revoked', async t => {
  const daemon = await startDaemon(t, { home: homeWithPassword(t) });
  const made = await codeFrom(daemon.home, '--name', 'my phone');
  assert.equal(made.url, `${URL_OF}/#pair=${made.code}`);
  assert.equal(made.expiresIn, 300);
  assert.ok(made.qr.length >= 21 && made.qr.every(row => row.length === made.qr.length && /^[01]+$/.test(row)));
  const answer = await claim(daemon, made.code);
  assert.match(answer.headers.get('set-cookie'), new RegExp(`Max-Age=${90 * 24 * 3600}$`));
  const page = await halvesOf(daemon, answer);
  assert.ok(await letsIn(daemon, halves(daemon, page)));
  assert.equal((await claim(daemon, made.code)).status, 401, 'once');
  const listed = await ostler(daemon.home, ['logins']);
  assert.match(listed.stdout, /my phone/);
  const { logins } = await (await daemon.fetch('/api/auth/logins', { headers: halves(daemon, page) })).json();
  assert.deepEqual(logins.map(({ name, paired, lookOnly, kind, current }) => ({ name, paired, lookOnly, kind, current })),
    [{ name: 'my phone', paired: true, lookOnly: false, kind: 'browser', current: true }]);
  await daemon.stop();
  ageLogins(daemon.home, 89 * LIFE_MS);
  await daemon.start();
  assert.ok(await letsIn(daemon, halves(daemon, page)), 'it outlives the daemon, and a day');
  const renewed = await halvesOf(daemon, await daemon.fetch('/api/auth/renew', { method: 'POST', headers: halves(daemon, page) }));
  await daemon.stop();
  ageLogins(daemon.home, 89 * LIFE_MS);
  await daemon.start();
  assert.ok(await letsIn(daemon, halves(daemon, renewed)), 'each use begins another 90 days');
  assert.equal((await ostler(daemon.home, ['logins', 'revoke', logins[0].id])).code, 0);
  assert.ok(!await letsIn(daemon, halves(daemon, renewed)));
});

test('a phone that nobody used for 90 days has to be paired again', async t => {
  const daemon = await startDaemon(t, { home: homeWithPassword(t) });
  const page = await pair(daemon);
  await daemon.stop();
  ageLogins(daemon.home, 90 * LIFE_MS);
  await daemon.start();
  assert.ok(!await letsIn(daemon, halves(daemon, page)));
});

test('codes cannot be guessed, tried for long, or kept over a change of the password', async t => {
  const daemon = await startDaemon(t, { home: homeWithPassword(t) });
  for (const code of ['', 'abc', 7, null, 'f'.repeat(22), 'f'.repeat(5000)])
    assert.ok([400, 401, 413, 429].includes((await claim(daemon, code)).status), String(code));
  for (let i = 0; i < 8; i++) await claim(daemon, 'e'.repeat(22));
  assert.equal((await claim(daemon, 'e'.repeat(22))).status, 429, 'wrong codes are counted like wrong passwords');
  const { code } = await codeFrom(daemon.home);
  assert.equal((await ostler(daemon.home, ['password', 'set'], { input: 'another one\n' })).code, 0);
  assert.notEqual((await claim(daemon, code)).status, 200);
});

test('what is missing for a phone is said, and what to do about it', async t => {
  const without = await startDaemon(t);
  let said = await ostler(without.home, ['pair']);
  assert.equal(said.code, 1);
  assert.match(said.stderr, /ostler password set/);
  assert.match(said.stderr, /--tls/);
  const local = await startDaemon(t, { home: homeWithPassword(t) });
  said = await ostler(local.home, ['pair']);
  assert.equal(said.code, 1);
  assert.match(said.stderr, /--host 0\.0\.0\.0 --tls/);
  assert.match(said.stderr, /--url/);
  said = await ostler(local.home, ['pair', '--url', 'javascript:alert(1)']);
  assert.match(said.stderr, /must be the board's address/);
  said = await ostler(local.home, ['pair', '--url', URL_OF, '--name', 'a\u001b[31m']);
  assert.match(said.stderr, /plain letters/);
});

test('with TLS for other machines the address is found, and the picture is drawn where there is room for it', async t => {
  const home = homeWithPassword(t), pair = makePair(home, 'board');
  const daemon = await startDaemon(t, { home, args: ['--host', '0.0.0.0', '--tls-cert', pair.cert, '--tls-key', pair.key] });
  const said = await ostler(home, ['pair']);
  if (/cannot reach/.test(said.stderr)) return; // a machine without a network
  assert.equal(said.code, 0, said.stderr);
  assert.match(said.stdout, new RegExp(`https://[\\d.]+:${daemon.port}/#pair=[0-9a-f]{22}`));
  assert.match(said.stdout, /[▀▄█]{10}/);
});

/** Every route that the daemon has, by the table in its source. */
function routes() {
  const source = fs.readFileSync(path.join(ROOT, 'src/api/routes.c'), 'utf8');
  const found = [...source.matchAll(/\{HTTP_(\w+), "(\/api\/[^"]+)"/g)].map(([, method, pattern]) => ({ method, pattern }));
  assert.ok(found.length > 35);
  return found;
}

test('a login that may only look is refused everything that changes something, on every route', async t => {
  const daemon = await startDaemon(t, { home: homeWithPassword(t) });
  const page = await pair(daemon, '--look-only', '--name', 'tablet');
  const headers = halves(daemon, page);
  // What concerns only itself, or brings a proof of its own.
  const own = new Set(['POST /api/auth/login', 'POST /api/auth/logout', 'POST /api/auth/paired', 'POST /api/auth/renew',
    'POST /api/push/subscriptions', 'DELETE /api/push/subscriptions/:id', 'POST /api/push/test', 'POST /api/push/answer',
    'POST /api/hooks', 'POST /api/auth/reload']); // for these two, this user's own processes need no login at all
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start()]);
  for (const { method, pattern } of routes()) {
    if (own.has(`${method} ${pattern}`)) continue;
    const where = pattern.replace(':id', agent.id);
    const answer = await daemon.fetch(where, { method, headers, ...(method !== 'GET' && { body: '{}' }) });
    await answer.arrayBuffer();
    if (method === 'GET') assert.notEqual(answer.status, 403, `${method} ${pattern}`);
    else assert.equal(answer.status, 403, `${method} ${pattern}`);
  }
  for (const method of ['PATCH', 'OPTIONS', 'PROPFIND'])
    assert.equal((await daemon.fetch(`/api/sessions/${agent.id}`, { method, headers })).status, 403, method);
});

test('nor does it get more by logging out everybody, answering, or taking others\' subscriptions away', async t => {
  const home = homeWithPassword(t);
  allowLoopback(home);
  const daemon = await startDaemon(t, { home });
  const service = await PushService.start(t);
  const owner = bearer(await login(daemon));
  const headers = halves(daemon, await pair(daemon, '--look-only'));
  assert.equal((await ask(daemon, '/api/auth/logout', { everywhere: true }, headers)).status, 403);
  assert.ok(await letsIn(daemon, owner));
  const theirs = await (await subscribe(daemon, new Browser(service), {}, owner)).json();
  const mine = await (await subscribe(daemon, new Browser(service), {}, headers)).json();
  assert.equal((await daemon.fetch(`/api/push/subscriptions/${theirs.id}`, { method: 'DELETE', headers })).status, 403);
  assert.equal((await daemon.fetch(`/api/push/subscriptions/${mine.id}`, { method: 'DELETE', headers })).status, 200);
  assert.equal((await (await daemon.fetch('/api/auth/status', { headers })).json()).lookOnly, true);
});

test('over its sockets it sees everything and types nothing', async t => {
  const daemon = await startDaemon(t, { home: homeWithPassword(t) });
  const page = await pair(daemon, '--look-only');
  const owner = bearer(await login(daemon));
  const made = await ask(daemon, '/api/terminals', { argv: ['cat'] }, owner);
  const { terminalId, sessionId } = await made.json();
  const options = { headers: { cookie: `${cookieName(daemon)}=${page.cookie}` }, protocols: [keyProtocol(page.key), 'ostler.board.v1'] };
  const { socket, first } = openSocket(t, daemon, '/ws', options);
  assert.equal(JSON.parse(await first).type, 'welcome');
  const refusals = ['terminal_input', 'terminal_resize', 'terminal_disconnect', 'update_queue_count'];
  const said = new Promise(resolve => {
    const errors = [];
    socket.on('message', data => {
      const message = JSON.parse(data);
      if (message.type === 'error' && errors.push(message.error) === refusals.length) resolve(errors);
    });
  });
  const answered = new Promise(resolve => socket.on('message', data => {
    const message = JSON.parse(data);
    if (message.type === 'answered') resolve(message);
  }));
  for (const type of refusals)
    socket.send(JSON.stringify({ type, terminalId, sessionId, id: 'r1', decision: 'allow', data: 'typed', cols: 50, rows: 20, count: 1 }));
  for (const error of await said) assert.match(error, /only look/);
  socket.send(JSON.stringify({ type: 'answer', id: 'r1', decision: 'allow', ref: 1 }));
  assert.deepEqual([(await answered).ok, (await answered).status], [false, 403]);

  const worker = openSocket(t, daemon, `/ws/session/${sessionId}/worker/${terminalId}?cols=50&rows=20`, { ...options, protocols: [keyProtocol(page.key), 'ostler.tty.v1'] });
  await worker.first;
  const refused = new Promise(resolve => {
    let n = 0;
    worker.socket.on('message', (data, binary) => { if (!binary && JSON.parse(data).code === 'LOOK_ONLY' && ++n === 2) resolve(); });
  });
  worker.socket.send(Buffer.from('typed\n'));
  worker.socket.send(JSON.stringify({ type: 'resize', cols: 50, rows: 20 }));
  await refused;
  const screen = await (await daemon.fetch(`/api/terminals/${terminalId}/screen`, { headers: owner })).json();
  assert.deepEqual([screen.cols, screen.rows, screen.lines.join('').trim()], [120, 40, '']);
});
