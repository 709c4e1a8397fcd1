// Logins of pages, of which one half is worth nothing; and the list of all of them, from which each can be taken.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { SUBPROTOCOL } from './lib/board.mjs';
import { ostler, startDaemon } from './lib/daemon.mjs';
import { ageLogins, ask, bearer, configFile, cookie, cookieName, halves, halvesOf, homeWithPassword, keyProtocol, letsIn, login, loginPage, openSocket, PASSWORD, sha256, tokensFile, UNAUTHORIZED } from './lib/login.mjs';
import { request } from './lib/raw.mjs';

const TTY = 'ostler.tty.v1';
const MINUTE = 60_000, HOUR = 60 * MINUTE;
// What a header may hold: no C0, but C1, directions and markup.
const HOSTILE = '\u009b31m\u009d0;owned\u202e<img src=x onerror=alert(1)>"&';

const start = async (t, options = {}) => startDaemon(t, { home: homeWithPassword(t), ...options });
const renew = (daemon, headers) => ask(daemon, '/api/auth/renew', '', headers);
const logins = async (daemon, headers) => {
  const answer = await daemon.fetch('/api/auth/logins', { headers });
  assert.equal(answer.status, 200);
  return (await answer.json()).logins;
};
const revoke = (daemon, id, headers) => daemon.fetch(`/api/auth/logins/${id}`, { method: 'DELETE', headers });

/** Where a terminal's socket is. */
async function terminalSocket(daemon, headers) {
  const answer = await ask(daemon, '/api/terminals', { argv: ['cat'], workingDir: '/' }, headers);
  const { terminalId } = await answer.json();
  assert.equal(answer.status, 200);
  return `/ws/session/${terminalId}/worker/${terminalId}`;
}

/** Sockets as a page opens them: the board's and a terminal's. */
async function openBoth(t, daemon, tty, { cookie: value, key }) {
  const opened = [['/ws', SUBPROTOCOL], [tty, TTY]].map(([where, protocol]) =>
    openSocket(t, daemon, where, { headers: cookie(daemon, value), protocols: [protocol, keyProtocol(key)] }));
  await Promise.all(opened.map(one => one.first));
  assert.deepEqual(opened.map(one => one.socket.protocol), [SUBPROTOCOL, TTY], 'the key is never the protocol that is chosen');
  return opened;
}

/** Logs in as something that calls itself so, in whichever bytes; answers the status. */
async function loginAs(daemon, agent) {
  const body = JSON.stringify({ password: PASSWORD });
  const { status } = await request(daemon, 'POST /api/auth/login', { 'Content-Type': 'application/json', 'Content-Length': body.length, 'User-Agent': agent }, body);
  return status;
}

test('a page has two halves: both let in, one is worth nothing anywhere', async t => {
  const daemon = await start(t);
  const page = await loginPage(daemon), other = await loginPage(daemon), token = await login(daemon);
  const mine = halves(daemon, page);
  assert.ok(await letsIn(daemon, mine));
  const tty = await terminalSocket(daemon, mine);
  await openBoth(t, daemon, tty, page);

  const stolen = { cookie: page.cookie, 'the key': page.key };
  const tries = [];
  for (const [name, half] of Object.entries(stolen)) {
    tries.push([`${name} as a cookie`, cookie(daemon, half)], [`${name} as the seed's cookie`, { cookie: `auth_token=${half}` }],
      [`${name} as a key`, { 'x-ostler-key': half }], [`${name} as a bearer`, bearer(half)],
      [`${name} as both halves`, halves(daemon, { cookie: half, key: half })],
      [`${name} as everything`, { ...halves(daemon, { cookie: half, key: half }), ...bearer(half) }]);
  }
  tries.push(['the halves exchanged', halves(daemon, { cookie: page.key, key: page.cookie })],
    ['a key of another login', halves(daemon, { cookie: page.cookie, key: other.key })],
    ['a key that was guessed', halves(daemon, { cookie: page.cookie, key: '0'.repeat(64) })],
    ['a token as a key', halves(daemon, { cookie: page.cookie, key: token })],
    ['a token as both halves', halves(daemon, { cookie: token, key: token })]);
  const origins = [{}, { origin: daemon.url }, { origin: 'http://localhost:1' }, { origin: 'null' }];
  for (const [name, headers] of tries)
    for (const origin of origins) {
      assert.ok(!await letsIn(daemon, { ...headers, ...origin }), name);
      const { authenticated } = await (await daemon.fetch('/api/auth/status', { headers: { ...headers, ...origin } })).json();
      assert.equal(authenticated, false, name);
    }
  for (const [name, headers] of tries)
    for (const where of ['/ws', '/', '/ws/dashboard', tty]) {
      const { 'x-ostler-key': key, ...rest } = headers;
      const { closed } = openSocket(t, daemon, where, { headers: rest, protocols: [where === tty ? TTY : SUBPROTOCOL, ...(key ? [keyProtocol(key)] : [])] });
      assert.deepEqual(await closed, UNAUTHORIZED, `${name} ${where}`);
    }
  for (const half of [page.cookie, page.key]) assert.equal((await daemon.fetch(`/api/sessions?token=${half}`)).status, 401);

  const changes = [['POST', '/api/terminals'], ['POST', '/api/auth/renew'], ['GET', '/api/auth/logins'], ['DELETE', '/api/auth/logins/00000000'], ['POST', '/api/reset']];
  for (const [method, where] of changes)
    assert.equal((await daemon.fetch(where, { method, headers: cookie(daemon, page.cookie) })).status, 401, where);
  // Nor does one half end the login.
  for (const headers of [cookie(daemon, page.cookie), { 'x-ostler-key': page.key }])
    assert.equal((await ask(daemon, '/api/auth/logout', '', headers)).status, 200);
  assert.equal((await ask(daemon, '/api/auth/logout', { everywhere: true }, cookie(daemon, page.cookie))).status, 401);
  assert.ok(await letsIn(daemon, mine));
  assert.ok(!daemon.log.includes(page.key) && !daemon.log.includes(page.cookie) && !daemon.log.includes(token));
});

test('what a login asks for is what it gets, and nothing of it is kept by caches', async t => {
  const daemon = await start(t);
  const answer = await ask(daemon, '/api/auth/login', { password: PASSWORD, split: true });
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
  assert.equal(answer.headers.get('clear-site-data'), null);
  const { success, key, renewAfter, expiresIn, ...rest } = await answer.json();
  assert.deepEqual([success, key.length, renewAfter, expiresIn, rest], [true, 64, 3600, 86400, {}]);
  assert.equal((await ask(daemon, '/api/auth/login', { password: PASSWORD, split: 'yes' })).status, 400);
  assert.ok((await (await ask(daemon, '/api/auth/login', { password: PASSWORD, split: false })).json()).token);
  // A browser sends this of a page of ours, which would keep a whole token in its storage.
  const page = await ask(daemon, '/api/auth/login', { password: PASSWORD }, { 'sec-fetch-site': 'same-origin' });
  assert.deepEqual([page.status, await page.json()], [409, { error: 'This page is older than the daemon: reload it' }]);
  const wrong = await ask(daemon, '/api/auth/login', { password: 'wrong', split: true });
  assert.deepEqual([wrong.status, wrong.headers.get('set-cookie')], [401, null]);
  const text = fs.readFileSync(tokensFile(daemon.home), 'utf8');
  assert.ok(!text.includes(key) && text.includes(sha256(key)));
});

test('pages of other ports neither log in nor out, renew or revoke', async t => {
  const daemon = await start(t);
  const page = await loginPage(daemon);
  const [{ id }] = await logins(daemon, halves(daemon, page));
  for (const from of [{ origin: `http://localhost:${daemon.port + 1}` }, { origin: 'http://127.0.0.1:1' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }]) {
    const headers = { ...halves(daemon, page), ...from };
    for (const [where, body] of [['login', { password: PASSWORD }], ['login', { password: PASSWORD, split: true }], ['logout', ''], ['logout', { everywhere: true }], ['renew', '']]) {
      const answer = await ask(daemon, `/api/auth/${where}`, body, headers);
      assert.deepEqual([answer.status, answer.headers.get('set-cookie')], [403, null], where);
    }
    assert.equal((await revoke(daemon, id, headers)).status, 403);
  }
  assert.equal((await logins(daemon, halves(daemon, page))).length, 1);
});

test('a cookie that another server of the host has put before ours does not lock out', async t => {
  const daemon = await start(t);
  const page = await loginPage(daemon);
  const planted = Array.from({ length: 5 }, (_, i) => `${cookieName(daemon)}=${String(i).repeat(64)}`);
  assert.ok(await letsIn(daemon, { cookie: [...planted, `${cookieName(daemon)}=${page.cookie}`].join('; '), 'x-ostler-key': page.key }));
});

test('each ostler of a host has a cookie of its own, over TLS one for that very host', async t => {
  const [one, two] = [await start(t), await start(t)];
  const pages = [await loginPage(one), await loginPage(two)];
  const jar = { cookie: `${cookieName(one)}=${pages[0].cookie}; ${cookieName(two)}=${pages[1].cookie}` };
  assert.ok(await letsIn(one, { ...jar, 'x-ostler-key': pages[0].key }));
  assert.ok(await letsIn(two, { ...jar, 'x-ostler-key': pages[1].key }));
  const out = await ask(one, '/api/auth/logout', '', { ...jar, 'x-ostler-key': pages[0].key });
  assert.match(out.headers.get('set-cookie'), new RegExp(`^${cookieName(one)}=;`));
  assert.ok(await letsIn(two, { ...jar, 'x-ostler-key': pages[1].key }));

  const sealed = await start(t, { args: ['--tls'] });
  const call = (method, where, headers, body) => new Promise((resolve, reject) => https.request({ host: '127.0.0.1', port: sealed.port,
    path: where, method, rejectUnauthorized: false, headers: { 'content-type': 'application/json', ...headers } }, answer => {
    let text = '';
    answer.setEncoding('utf8').on('data', chunk => { text += chunk; }).on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, json: JSON.parse(text) }));
  }).on('error', reject).end(body));
  const { json: { key }, headers } = await call('POST', '/api/auth/login', {}, JSON.stringify({ password: PASSWORD, split: true }));
  const [name, value] = headers['set-cookie'][0].split(';')[0].split('=');
  assert.equal(name, `__Host-${cookieName(sealed)}`);
  assert.equal((await call('GET', '/api/sessions', { cookie: `${name}=${value}`, 'x-ostler-key': key })).status, 200);
  // One that came without TLS, from whoever sits on the line, is not taken.
  assert.equal((await call('GET', '/api/sessions', { cookie: `${cookieName(sealed)}=${value}`, 'x-ostler-key': key })).status, 401);
});

test('halves are renewed: nobody falls out, and the old ones end', async t => {
  const home = homeWithPassword(t);
  const daemon = await startDaemon(t, { home, samePort: true });
  const old = await loginPage(daemon), mine = halves(daemon, old);
  assert.deepEqual(await (await renew(daemon, mine)).json(), { success: true, renewAfter: 60 }, 'they are new');
  await daemon.stop();
  ageLogins(home, HOUR);
  await daemon.start();
  const tty = await terminalSocket(daemon, mine);
  const sockets = await openBoth(t, daemon, tty, old);

  const answer = await renew(daemon, mine);
  assert.ok(Number(/Max-Age=(\d+)/.exec(answer.headers.get('set-cookie'))[1]) <= 23 * 3600, 'the day does not begin anew');
  const lost = await halvesOf(daemon, answer);
  assert.deepEqual(await (await renew(daemon, mine)).json(), { success: true, renewAfter: 60 }, 'another tab that was as quick');
  assert.equal((await renew(daemon, bearer(await login(daemon)))).status, 401, 'a token is not renewed');

  // As if that answer had never arrived: an hour and a crash later the old ones are still good.
  await daemon.crash();
  ageLogins(home, HOUR);
  await daemon.start();
  assert.deepEqual(await sockets[0].closed.then(({ code }) => code), 1006);
  assert.ok(await letsIn(daemon, mine));
  const now = await halvesOf(daemon, await renew(daemon, mine));
  assert.ok(!await letsIn(daemon, halves(daemon, lost)));
  const again = await openBoth(t, daemon, tty, { cookie: now.cookie, key: old.key }); // the cookie came, the key is being read
  assert.ok(await letsIn(daemon, halves(daemon, now)));
  assert.ok(await letsIn(daemon, mine), 'what was under way');
  assert.deepEqual(again.map(one => one.socket.readyState), [1, 1]);

  await daemon.stop();
  ageLogins(home, MINUTE);
  await daemon.start();
  for (const pair of [old, lost, { cookie: now.cookie, key: old.key }, { cookie: old.cookie, key: now.key }])
    assert.ok(!await letsIn(daemon, halves(daemon, pair)));
  assert.ok(await letsIn(daemon, halves(daemon, now)));
  assert.equal((await logins(daemon, halves(daemon, now))).filter(one => one.kind === 'browser').length, 1);
});

test('logins are listed with where they came from, and nothing that they say reaches a terminal or a page', async t => {
  const daemon = await start(t);
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
  const before = Date.now();
  const page = await loginPage(daemon, { 'user-agent': chrome });
  const token = await login(daemon, PASSWORD, { 'user-agent': 'curl/8.5.0' });
  assert.equal(await loginAs(daemon, HOSTILE), 200);
  assert.equal(await loginAs(daemon, undefined), 200);
  const list = await logins(daemon, halves(daemon, page));
  assert.deepEqual(list.map(one => [one.kind, one.agent, one.current]), [['browser', 'Chrome 126 on Linux', true],
    ['token', 'curl/8.5.0', false], ['token', '31m0ownedimg', false], ['token', null, false]]);
  for (const one of list) {
    assert.match(one.id, /^[0-9a-f]{8}$/);
    assert.equal(one.address, '127.0.0.1');
    assert.equal(one.user, os.userInfo().username);
    assert.ok(one.createdAt >= before && one.lastUsedAt >= one.createdAt && one.expiresAt === one.createdAt + 24 * HOUR);
  }
  assert.deepEqual((await logins(daemon, bearer(token))).map(one => one.current), [false, true, false, false]);
  await daemon.stop(); // when they were used last is kept, too
  const again = await startDaemon(t, { home: daemon.home });
  const kept = await logins(again, bearer(token));
  assert.deepEqual(kept.map(({ id, agent }) => [id, agent]), list.map(({ id, agent }) => [id, agent]));
  assert.ok(kept[0].lastUsedAt >= list[0].lastUsedAt);
});

test('who is revoked is out at once, with all sockets, and nobody else is', async t => {
  const daemon = await start(t);
  const [mine, theirs] = [await loginPage(daemon), await loginPage(daemon)];
  const tty = await terminalSocket(daemon, halves(daemon, mine));
  const stay = await openBoth(t, daemon, tty, mine), go = await openBoth(t, daemon, tty, theirs);
  const { id } = (await logins(daemon, halves(daemon, mine))).find(one => !one.current);
  assert.equal((await revoke(daemon, id, {})).status, 401);
  assert.equal((await revoke(daemon, id, cookie(daemon, mine.cookie))).status, 401);
  for (const unknown of ['00000000', 'x', `${id}0`, '%1b%5b2J']) {
    const answer = await revoke(daemon, unknown, halves(daemon, mine));
    assert.deepEqual([answer.status, await answer.json()], [404, { error: 'Login not found' }]);
  }
  const answer = await revoke(daemon, id, halves(daemon, mine));
  assert.deepEqual([answer.status, await answer.json(), answer.headers.get('set-cookie')], [200, { success: true }, null]);
  for (const one of go) assert.deepEqual(await one.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon, halves(daemon, theirs)));
  assert.deepEqual(stay.map(one => one.socket.readyState), [1, 1]);
  await daemon.crash();
  const again = await startDaemon(t, { home: daemon.home });
  assert.ok(!await letsIn(again, halves(again, theirs)));
  const [self] = await logins(again, halves(again, mine));
  const own = await revoke(again, self.id, halves(again, mine));
  assert.match(own.headers.get('set-cookie'), /=; .*Max-Age=0/);
  assert.ok(!await letsIn(again, halves(again, mine)));
});

test('a thousand logins: each lets in, one more ends the oldest', async t => {
  const home = homeWithPassword(t);
  const { passwordHash } = JSON.parse(fs.readFileSync(configFile(home), 'utf8'));
  const hex = (n, width) => n.toString(16).padStart(width, '0');
  const pairs = Array.from({ length: 1000 }, (_, i) => ({ cookie: hex(i, 64), key: hex(i + 5000, 64) }));
  const at = Date.now() - HOUR;
  const lines = pairs.map((pair, i) => `${hex(i, 8)} ${at + i} ${at + i} ${at + i} ${sha256(pair.cookie)} - 0 ${sha256(pair.key)} - 0 127.0.0.1 - -\n`);
  fs.writeFileSync(tokensFile(home), `ostler-tokens 2 ${sha256(passwordHash)}\n${lines.join('')}`, { mode: 0o600 });
  const daemon = await startDaemon(t, { home });
  for (const i of [0, 1, 499, 998, 999]) assert.ok(await letsIn(daemon, halves(daemon, pairs[i])));
  assert.ok(!await letsIn(daemon, halves(daemon, { cookie: pairs[3].cookie, key: pairs[4].key })));
  assert.equal((await logins(daemon, halves(daemon, pairs[7]))).length, 1000);
  const oldest = openSocket(t, daemon, '/ws', { headers: cookie(daemon, pairs[0].cookie), protocols: [SUBPROTOCOL, keyProtocol(pairs[0].key)] });
  await oldest.first;
  await loginPage(daemon);
  assert.deepEqual(await oldest.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon, halves(daemon, pairs[0])));
  assert.ok(await letsIn(daemon, halves(daemon, pairs[1])));
});

test('tokens of before, which were sent as cookies, are nobody\'s, and that is no fault', async t => {
  const home = homeWithPassword(t);
  const { passwordHash } = JSON.parse(fs.readFileSync(configFile(home), 'utf8'));
  const token = 'e'.repeat(64);
  fs.writeFileSync(tokensFile(home), `ostler-tokens 1 ${sha256(passwordHash)}\n${sha256(token)} ${Date.now()}\n`, { mode: 0o600 });
  const daemon = await startDaemon(t, { home });
  assert.ok(!await letsIn(daemon, bearer(token)));
  assert.doesNotMatch(daemon.log, /cannot be read/);
});

test('ostler logins: who is logged in, and an end to it', async t => {
  const daemon = await start(t);
  const { home } = daemon;
  const run = (...args) => ostler(home, ['logins', ...args]);
  assert.deepEqual([(await run()).stdout, (await run('--json')).stdout], ['Nobody is logged in.\n', '[]\n']);
  const page = await loginPage(daemon, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' });
  await loginAs(daemon, HOSTILE);
  const socket = openSocket(t, daemon, '/ws', { headers: cookie(daemon, page.cookie), protocols: [SUBPROTOCOL, keyProtocol(page.key)] });
  await socket.first;

  const listed = await run();
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(listed.stdout, new RegExp(`^ID +SINCE +USED +LEFT +FROM +WITH\n[0-9a-f]{8} +\\d+s +\\d+s +23h 127\\.0\\.0\\.1 \\(${os.userInfo().username}\\) +Firefox 128 on Linux\n`));
  assert.match(listed.stdout, /^[\x20-\x7e\n]*$/, 'nothing speaks to the terminal');
  assert.equal((await run('ls')).stdout.split('\n').length, 4);
  const list = JSON.parse((await run('--json')).stdout);
  assert.deepEqual(list.map(one => [one.kind, one.current]), [['browser', false], ['token', false]]);

  const revoked = await run('revoke', list[0].id);
  assert.deepEqual([revoked.code, revoked.stdout], [0, `${list[0].id} is revoked.\n`]);
  assert.deepEqual(await socket.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon, halves(daemon, page)));
  const twice = await run('revoke', list[0].id);
  assert.deepEqual([twice.code, twice.stderr], [1, `ostler logins: ${list[0].id}: there is no such login; ostler logins lists them\n`]);
  const mixed = await run('revoke', '--json', list[0].id, list[1].id);
  assert.equal(mixed.code, 1);
  assert.deepEqual(mixed.stdout.trim().split('\n').map(line => JSON.parse(line)),
    [{ id: list[0].id, error: 'there is no such login; ostler logins lists them' }, { id: list[1].id }]);
  const tokens = [await login(daemon), await login(daemon)];
  assert.equal((await run('revoke', '--all')).stdout, '2 logins are revoked.\n');
  for (const token of tokens) assert.ok(!await letsIn(daemon, bearer(token)));
  for (const args of [['revoke'], ['revoke', '--all', 'x'], ['--all'], ['nonsense'], ['ls', 'x'], ['revoke', '../../sessions']])
    assert.notEqual((await run(...args)).code, 0, args.join(' '));
  assert.ok(fs.existsSync(path.join(home, 'config/config.json')));
  await daemon.stop();
  const none = await run();
  assert.equal(none.code, 1);
  assert.match(none.stderr, /^ostler logins: .*ostler serve/);
});

test('without a password there is nothing to list, and that is said', async t => {
  const daemon = await startDaemon(t);
  assert.match((await ostler(daemon.home, ['logins'])).stdout, /^There is no password, so nobody logs in/);
  assert.deepEqual(await daemon.get('/api/auth/logins'), { logins: [] });
  assert.equal((await revoke(daemon, '00000000', {})).status, 404);
  assert.equal((await renew(daemon, {})).status, 401);
});
