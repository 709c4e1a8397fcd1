// Logging in, through the real daemon: who gets in, how often one may try, and what ends when it ends.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Board, SUBPROTOCOL } from './lib/board.mjs';
import { Daemon, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { ask, bearer, configFile, configure, cookie, halves, hashOf, homeWithPassword, letsIn, LIFE_MS, login, loginPage, openSocket, PASSWORD, sha256, tokensFile, UNAUTHORIZED } from './lib/login.mjs';
import { request } from './lib/raw.mjs';

const status = (daemon, headers = {}) => daemon.fetch('/api/auth/status', { headers }).then(answer => answer.json());

async function start(t) {
  const home = homeWithPassword(t);
  return { home, daemon: await startDaemon(t, { home }) };
}

/** Where a terminal's socket is. */
async function terminalSocket(daemon, token) {
  const answer = await ask(daemon, '/api/terminals', { argv: ['cat'], workingDir: '/' }, bearer(token));
  const { terminalId } = await answer.json();
  assert.equal(answer.status, 200);
  return `/ws/session/${terminalId}/worker/${terminalId}`;
}

/** Puts tokens into the file as if they had been made then. */
function writeTokens(home, tokens) {
  const { passwordHash } = JSON.parse(fs.readFileSync(configFile(home), 'utf8'));
  const lines = tokens.map(([token, created], i) =>
    `${String(i).padStart(8, '0')} ${created} ${created} ${created} ${sha256(token)} - 0 - - 0 127.0.0.1 - -\n`);
  fs.writeFileSync(tokensFile(home), `ostler-tokens 2 ${sha256(passwordHash)}\n${lines.join('')}`, { mode: 0o600 });
}

test('without a password nobody has to log in', async t => {
  const daemon = await startDaemon(t);
  assert.deepEqual(await status(daemon), { passwordRequired: false, authenticated: true });
  const answer = await ask(daemon, '/api/auth/login', { password: 'anything' });
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), { success: true });
  assert.equal(answer.headers.get('set-cookie'), null);
  assert.deepEqual(await (await ask(daemon, '/api/auth/logout', '')).json(), { success: true });
  assert.ok(await letsIn(daemon));
});

test('a hash that Node made lets in who knows the password', async t => {
  const { daemon } = await start(t);
  assert.deepEqual(await status(daemon), { passwordRequired: true, authenticated: false });
  const answer = await ask(daemon, '/api/auth/login', { password: PASSWORD });
  assert.equal(answer.status, 200);
  const { success, token, ...rest } = await answer.json();
  assert.deepEqual([success, rest], [true, {}]);
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(answer.headers.get('set-cookie'), null, 'a whole token is never a cookie: that goes to every port');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.ok(await letsIn(daemon, bearer(token)));
  assert.deepEqual(await status(daemon, bearer(token)), { passwordRequired: true, authenticated: true });
  for (const headers of [cookie(daemon, token), { cookie: `auth_token=${token}` }]) {
    assert.ok(!await letsIn(daemon, headers));
    assert.deepEqual(await status(daemon, headers), { passwordRequired: true, authenticated: false });
  }
  assert.equal((await daemon.fetch(`/api/sessions?token=${token}`)).status, 200);
  assert.notEqual(await login(daemon), token);
});

test('without a token everything is refused but the way in, the page and the hooks', async t => {
  const { daemon } = await start(t);
  const refused = [['GET', '/api/sessions'], ['GET', '/api/terminals'], ['POST', '/api/terminals'], ['GET', '/api/mq-stats'], ['GET', '/api/pty-stats'],
    ['DELETE', '/api/sessions/x'], ['POST', '/api/reset'], ['GET', '/api/hooks'], ['GET', '/api/auth'], ['GET', '/api'], ['GET', '/api/none'],
    ['GET', '/api/auth/logins'], ['DELETE', '/api/auth/logins/00000000'], ['POST', '/api/auth/renew'], ['GET', '/api/auth/none'],
    ['GET', '/%61pi/sessions'], ['PUT', '/api/sessions/x/title'], ['GET', '/api/teams/x/config'], ['HEAD', '/api/sessions'], ['OPTIONS', '/api/sessions']];
  for (const [method, where] of refused) {
    for (const headers of [{}, bearer('0'.repeat(64)), cookie(daemon, 'nonsense'), { authorization: 'Basic b3N0bGVyOng=' }]) {
      const answer = await daemon.fetch(where, { method, headers });
      assert.equal(answer.status, 401, `${method} ${where}`);
      if (method !== 'HEAD') assert.deepEqual(await answer.json(), { error: 'Unauthorized' });
    }
  }
  assert.deepEqual(await daemon.get('/api/health'), { status: 'ok' });
  assert.notEqual((await daemon.fetch('/')).status, 401);
  assert.equal((await daemon.post({ session_id: 's1', hook_event_name: 'SessionStart', cwd: '/x' })).status, 200);
  const token = await login(daemon);
  assert.ok((await (await daemon.fetch('/api/health', { headers: bearer(token) })).json()).pid);
});

test('the cookie with its key counts first, then the bearer token, then the query; the first that is valid', async t => {
  const { daemon } = await start(t);
  const page = await loginPage(daemon), tokens = [null, await login(daemon), await login(daemon)];
  const each = [halves(daemon, page), bearer(tokens[1]), bearer(tokens[2])];
  const all = { ...each[0], ...each[1] };
  // A logout ends the one that the request was let in with.
  for (const left of [[false, true, true], [false, false, true], [false, false, false]]) {
    assert.equal((await ask(daemon, `/api/auth/logout?token=${tokens[2]}`, '', all)).status, 200);
    for (const [i, headers] of each.entries()) assert.equal(await letsIn(daemon, headers), left[i], `login ${i}`);
  }
});

test('what is no password is told', async t => {
  const { daemon } = await start(t);
  for (const body of [{}, { password: '' }, { password: 7 }, { password: null }, { password: ['x'] }]) {
    const answer = await ask(daemon, '/api/auth/login', body);
    assert.equal(answer.status, 400);
    assert.deepEqual(await answer.json(), { error: 'Password is required' });
  }
  for (const body of ['', 'x', '[]', '{"password":"x"', '{"password":"\\ud800"}'])
    assert.equal((await ask(daemon, '/api/auth/login', body)).status, 400, body);
  for (const password of ['x', `${PASSWORD} `, PASSWORD.toUpperCase(), 'x'.repeat(4000)]) {
    const answer = await ask(daemon, '/api/auth/login', { password });
    assert.equal(answer.status, 401);
    assert.deepEqual(await answer.json(), { error: 'Wrong password' });
    assert.equal(answer.headers.get('set-cookie'), null);
  }
  assert.equal((await ask(daemon, '/api/auth/login', { password: 'x'.repeat(100_000) })).status, 413);
});

test('who tries too often has to wait, even with the right password', async t => {
  const { home, daemon } = await start(t);
  const answers = [];
  for (let i = 0; i < 8; i++) answers.push(await ask(daemon, '/api/auth/login', { password: `wrong ${i}` }));
  assert.deepEqual(answers.map(answer => answer.status), [401, 401, 401, 401, 401, 401, 429, 429]);
  const right = await ask(daemon, '/api/auth/login', { password: PASSWORD });
  assert.equal(right.status, 429);
  const { error, retryAfter } = await right.json();
  assert.match(error, /^Too many wrong passwords: wait [12] seconds?$/);
  assert.equal(right.headers.get('retry-after'), String(retryAfter));
  assert.equal(right.headers.get('set-cookie'), null);
  await daemon.stop();
  assert.ok(await login(await startDaemon(t, { home })));
});

test('ten thousand wrong passwords get nobody in, cost no memory and hold nobody up', async t => {
  // What AddressSanitizer keeps of freed memory is not ours.
  const ASAN_OPTIONS = [process.env.ASAN_OPTIONS, 'quarantine_size_mb=1'].filter(Boolean).join(':');
  const daemon = await startDaemon(t, { home: homeWithPassword(t), env: { ASAN_OPTIONS } });
  const token = await login(daemon);
  const statuses = new Map();
  const before = daemon.rss;
  for (let round = 0; round < 100; round++) {
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => ask(daemon, '/api/auth/login', { password: `${round} ${i}` })));
    for (const answer of answers) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      await answer.arrayBuffer();
    }
    assert.ok(await letsIn(daemon, bearer(token)));
  }
  assert.deepEqual([...statuses.keys()].sort(), [401, 429]);
  // Six at first; then one more after 2 s, after 4 s, …: that would be 20 minutes for as many again.
  assert.ok(statuses.get(401) <= 16, `${statuses.get(401)} were compared`);
  assert.ok(daemon.rss - before < 64 << 20, `${daemon.rss - before} bytes more`);
  assert.equal(fs.readFileSync(tokensFile(daemon.home), 'utf8').split('\n').length, 3);
});

test('a burst of logins from one place is compared one by one, and no more than are allowed', async t => {
  const { daemon } = await start(t);
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(daemon, '/api/auth/login', { password: 'wrong' })));
  const count = code => answers.filter(answer => answer.status === code).length;
  assert.deepEqual([count(401), count(429)], [6, 34]);
});

test('who is logged in stays so over a restart and a crash; the file lets nobody in', async t => {
  const { home, daemon } = await start(t);
  const token = await login(daemon), other = await login(daemon);
  await ask(daemon, '/api/auth/logout', '', bearer(other));
  await daemon.crash();
  const text = fs.readFileSync(tokensFile(home), 'utf8');
  assert.equal(fs.statSync(tokensFile(home)).mode & 0o777, 0o600);
  assert.ok(!text.includes(token) && text.includes(sha256(token)));
  const again = await startDaemon(t, { home });
  assert.ok(await letsIn(again, bearer(token)));
  assert.ok(!await letsIn(again, bearer(other)));
  assert.ok(!await letsIn(again, bearer(sha256(token))));
  await again.stop();
  assert.ok(await letsIn(await startDaemon(t, { home }), bearer(token)));
});

test('after a day a token ends, and its sockets with it', async t => {
  const home = homeWithPassword(t);
  const [old, young, soon, future] = ['a', 'b', 'c', 'd'].map(letter => letter.repeat(64));
  writeTokens(home, [[old, Date.now() - LIFE_MS], [young, Date.now() - LIFE_MS + 3_600_000], [future, Date.now() + LIFE_MS]]);
  const daemon = await startDaemon(t, { home });
  assert.ok(!await letsIn(daemon, bearer(old)));
  assert.ok(await letsIn(daemon, bearer(young)));
  assert.ok(!await letsIn(daemon, bearer(future)));
  await daemon.stop();
  assert.doesNotMatch(fs.readFileSync(tokensFile(home), 'utf8'), new RegExp(sha256(old)));

  writeTokens(home, [[soon, Date.now() - LIFE_MS + 5000], [young, Date.now() - LIFE_MS + 3_600_000]]);
  const again = await startDaemon(t, { home });
  const ends = openSocket(t, again, '/ws', { headers: bearer(soon) }), stays = openSocket(t, again, '/ws', { headers: bearer(young) });
  await Promise.all([ends.first, stays.first]);
  assert.deepEqual(await ends.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(again, bearer(soon)));
  assert.equal(stays.socket.readyState, 1);
});

test('sockets without a token are opened and closed with 4001', async t => {
  const { daemon } = await start(t);
  const token = await login(daemon);
  const tty = await terminalSocket(daemon, token);
  for (const [where, protocol] of [['/ws', SUBPROTOCOL], [tty, 'ostler.tty.v1']]) {
    for (const protocols of [[], [protocol], ['other', protocol]])
      for (const headers of [{}, bearer('f'.repeat(64)), cookie(daemon, token)]) {
        const { socket, closed } = openSocket(t, daemon, where, { headers, protocols });
        const opened = new Promise(resolve => socket.on('open', () => resolve(socket.protocol)));
        assert.equal(await opened, protocols.length ? protocol : '');
        assert.deepEqual(await closed, UNAUTHORIZED);
      }
    for (const [query, headers] of [['', bearer(token)], [`?token=${token}`, {}]])
      assert.ok(await openSocket(t, daemon, where + query, { headers, protocols: [protocol] }).first);
  }
  const nowhere = await request(daemon, 'GET /ws/nowhere', { Connection: 'Upgrade', Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' });
  assert.equal(nowhere.status, 404);
});

test('a logout ends the sockets of its token, everywhere all of them', async t => {
  const { home, daemon } = await start(t);
  const [a, b, c] = [await login(daemon), await login(daemon), await login(daemon)];
  const name = `ostler_login_${daemon.port}`;
  const tty = await terminalSocket(daemon, a);
  const mine = [openSocket(t, daemon, '/ws', { headers: bearer(a) }), openSocket(t, daemon, tty, { headers: bearer(a), protocols: ['ostler.tty.v1'] })];
  const others = [openSocket(t, daemon, '/ws', { headers: bearer(b) }), openSocket(t, daemon, tty, { headers: bearer(c), protocols: ['ostler.tty.v1'] })];
  await Promise.all([...mine, ...others].map(one => one.first));

  const out = await ask(daemon, '/api/auth/logout', '', bearer(a));
  assert.deepEqual(await out.json(), { success: true });
  assert.equal(out.headers.get('set-cookie'), `${name}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`);
  for (const one of mine) assert.deepEqual(await one.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon, bearer(a)));
  assert.deepEqual(others.map(one => one.socket.readyState), [1, 1]);

  for (const headers of [{}, bearer(a)]) // nobody else throws them out
    assert.equal((await ask(daemon, '/api/auth/logout', { everywhere: true }, headers)).status, 401);
  assert.equal((await ask(daemon, '/api/auth/logout', { everywhere: 'yes' }, bearer(b))).status, 400);
  assert.equal((await ask(daemon, '/api/auth/logout', '[]', bearer(b))).status, 400);
  assert.ok(await letsIn(daemon, bearer(b)));
  assert.equal((await ask(daemon, '/api/auth/logout', { everywhere: true }, bearer(b))).status, 200);
  for (const one of others) assert.deepEqual(await one.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon, bearer(c)));
  await daemon.crash();
  const again = await startDaemon(t, { home });
  for (const token of [a, b, c]) assert.ok(!await letsIn(again, bearer(token)));
});

test('another password ends everything, at once or when it was changed behind our back', async t => {
  const home = makeHome(t);
  const daemon = await startDaemon(t, { home });
  const reload = () => ask(daemon, '/api/auth/reload', '').then(answer => answer.json());
  const open = await Board.connect(t, daemon);
  configure(home, hashOf('first'));
  assert.deepEqual(await reload(), { passwordRequired: true, authenticated: false });
  assert.deepEqual(await open.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon));

  const first = await login(daemon, 'first');
  const socket = openSocket(t, daemon, '/ws', { headers: bearer(first) });
  await socket.first;
  assert.deepEqual(await reload(), { passwordRequired: true, authenticated: false });
  assert.ok(await letsIn(daemon, bearer(first)), 'the same password changes nothing');
  configure(home, hashOf('second'));
  await reload();
  assert.deepEqual(await socket.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon, bearer(first)));
  assert.equal((await ask(daemon, '/api/auth/login', { password: 'first' })).status, 401);
  const second = await login(daemon, 'second');

  await daemon.stop();
  configure(home, hashOf('second')); // the same word, but set anew
  const again = await startDaemon(t, { home });
  assert.ok(!await letsIn(again, bearer(second)));
  const third = await login(again, 'second');
  configure(home, undefined);
  const last = openSocket(t, again, '/ws', { headers: bearer(third) });
  await last.first;
  assert.deepEqual(await (await ask(again, '/api/auth/reload', '')).json(), { passwordRequired: false, authenticated: true });
  assert.deepEqual(await last.closed, UNAUTHORIZED);
  assert.ok(await letsIn(again));
  assert.ok(!fs.existsSync(tokensFile(home)));
});

test('a password that changes while one is compared is not the one that was meant', async t => {
  const { home, daemon } = await start(t);
  const pending = Promise.all(Array.from({ length: 5 }, () => ask(daemon, '/api/auth/login', { password: PASSWORD })));
  configure(home, hashOf('another'));
  await ask(daemon, '/api/auth/reload', '');
  for (const answer of await pending) {
    const { token } = await answer.json();
    if (token) assert.ok(!await letsIn(daemon, bearer(token)));
  }
});

test('a configuration that cannot be understood does not open the door', async t => {
  const home = homeWithPassword(t);
  const good = fs.readFileSync(configFile(home), 'utf8');
  for (const text of ['{"passwordHash": 7}', '{"passwordHash": "no hash"}', '{"passwordHash": "x:y"', '[]']) {
    fs.writeFileSync(configFile(home), text);
    await assert.rejects(new Daemon(home).start(), /config\.json/, text);
  }
  fs.writeFileSync(configFile(home), good);
  const daemon = await startDaemon(t, { home });
  const token = await login(daemon);
  fs.writeFileSync(configFile(home), '{');
  const answer = await ask(daemon, '/api/auth/reload', '');
  assert.equal(answer.status, 500);
  assert.match((await answer.json()).error, /config\.json/);
  assert.ok(!await letsIn(daemon));
  assert.ok(await letsIn(daemon, bearer(token)), 'what was so before still is');
});

test('a file of tokens that is damaged lets nobody in, and nothing worse', async t => {
  const home = homeWithPassword(t);
  const token = 'e'.repeat(64);
  for (const spoil of [text => text.slice(0, -3), text => `${text}nonsense\n`, text => text.replace('2 ', '3 '), () => '\0'.repeat(500), () => 'x'.repeat(1 << 20)]) {
    writeTokens(home, [[token, Date.now()]]);
    fs.writeFileSync(tokensFile(home), spoil(fs.readFileSync(tokensFile(home), 'utf8')));
    const daemon = await startDaemon(t, { home });
    await daemon.says(/everybody has to log in again/);
    assert.ok(!await letsIn(daemon, bearer(token)));
    assert.ok(await letsIn(daemon, bearer(await login(daemon))));
    await daemon.stop();
  }
});

test('when who is logged in cannot be kept, a logout is not undone by a restart', async t => {
  const { home, daemon } = await start(t);
  const [a, b] = [await login(daemon), await login(daemon)];
  fs.mkdirSync(`${tokensFile(home)}.new`);
  await ask(daemon, '/api/auth/logout', '', bearer(a));
  await daemon.says(/who is logged in cannot be kept in .*tokens: /);
  assert.ok(!await letsIn(daemon, bearer(a)));
  assert.ok(await letsIn(daemon, bearer(b)));
  await daemon.crash();
  fs.rmdirSync(`${tokensFile(home)}.new`);
  const again = await startDaemon(t, { home });
  for (const token of [a, b]) assert.ok(!await letsIn(again, bearer(token)));
});

test('a stop does not wait for passwords that are being compared', async t => {
  const { daemon } = await start(t);
  const pending = Promise.allSettled(Array.from({ length: 6 }, () => ask(daemon, '/api/auth/login', { password: 'wrong' })));
  await daemon.stop();
  await pending;
});

// It becomes the other user only once it runs: Node itself may lie in a home that others cannot enter.
const STRANGER = `const http = require('http'), [url, token] = process.argv.slice(1);
  process.setgroups([]); process.setgid(65534); process.setuid(65534);
  const ask = (method, where, headers = {}, body) => new Promise(done => http.request(url + where, { method, headers },
    r => { r.resume(); done(r.statusCode); }).on('upgrade', () => done(101)).end(body));
  const hook = JSON.stringify({ session_id: 's', hook_event_name: 'SessionStart', cwd: '/x' });
  (async () => console.log([await ask('GET', '/api/auth/status'), await ask('GET', '/api/sessions'),
    await ask('POST', '/api/auth/reload'), await ask('POST', '/api/hooks', {}, hook),
    await ask('POST', '/api/hooks', { 'x-ostler-hook-token': 'f'.repeat(64) }, hook),
    await ask('POST', '/api/hooks', { 'x-ostler-hook-token': token }, hook),
    await ask('GET', '/api/sessions', { 'x-ostler-hook-token': token })].join(' ')))();`;

test('another user of this machine needs the password, and the token for hooks', async t => {
  if (process.getuid() !== 0) return t.skip('taking on another user takes root');
  const { home, daemon } = await start(t);
  const file = path.join(home, 'config/hook.token');
  const visit = token => execFileSync(process.execPath, ['-e', STRANGER, daemon.url, token], { encoding: 'utf8', cwd: '/' }).trim();
  assert.ok(!fs.existsSync(file));
  assert.equal(visit(''), '200 401 401 401 401 401 401');
  const token = fs.readFileSync(file, 'utf8');
  assert.match(token, /^[0-9a-f]{64}\n$/);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(visit(token.trim()), '200 401 401 401 401 200 401');
  const mine = '0123456789abcdef'.repeat(4);
  fs.writeFileSync(file, mine);
  assert.equal(visit(token.trim()), '200 401 401 401 401 401 401');
  assert.equal(visit(mine), '200 401 401 401 401 200 401');
});

test('a hook from elsewhere needs the token; from this user, by whichever address, it does not', async t => {
  const address = Object.values(os.networkInterfaces()).flat().find(one => !one.internal && one.family === 'IPv4')?.address;
  if (!address) return t.skip('this machine has no other address');
  const home = homeWithPassword(t);
  const daemon = await startDaemon(t, { home, args: ['--host', address] });
  daemon.url = `http://${address}:${daemon.port}`;
  const hook = { session_id: 's', hook_event_name: 'SessionStart', cwd: '/x' };
  assert.equal((await daemon.post(hook)).status, 200);
  const elsewhere = { 'X-Forwarded-For': '192.0.2.7' }; // whom somebody speaks for who is not us
  const refused = await daemon.post(hook, elsewhere);
  assert.equal(refused.status, 401);
  assert.match((await refused.json()).error, /X-Ostler-Hook-Token/);
  const token = fs.readFileSync(path.join(home, 'config/hook.token'), 'utf8').trim();
  assert.equal((await daemon.post(hook, { ...elsewhere, 'X-Ostler-Hook-Token': token })).status, 200);
  assert.ok(await letsIn(daemon, bearer(await login(daemon))));
  // Without a password nobody far away is served, though the address stays open until the next start.
  assert.equal((await ostler(home, ['password', 'remove'])).code, 0);
  for (const where of ['/', '/api/auth/status', '/api/sessions']) {
    assert.equal((await daemon.fetch(where)).status, 200, where);
    const far = await daemon.fetch(where, { headers: elsewhere });
    assert.equal(far.status, 403, where);
    assert.match((await far.json()).error, /serves its own machine only/);
  }
});

test('over TLS the cookie is for TLS only', async t => {
  const daemon = await startDaemon(t, { home: homeWithPassword(t), args: ['--tls'] });
  const answer = await new Promise((resolve, reject) => https.request({
    host: '127.0.0.1', port: daemon.port, path: '/api/auth/login', method: 'POST', rejectUnauthorized: false,
    headers: { 'content-type': 'application/json' } }, resolve).on('error', reject).end(JSON.stringify({ password: PASSWORD, split: true })));
  answer.resume();
  assert.equal(answer.statusCode, 200);
  assert.match(answer.headers['set-cookie'][0], new RegExp(`^__Host-ostler_login_${daemon.port}=[0-9a-f]{64}; HttpOnly; SameSite=Strict; Path=/; Max-Age=86400; Secure$`));
});

test('the command line of the account needs no password', async t => {
  const { home } = await start(t);
  const status = await ostler(home, ['status', '--json']);
  assert.equal(status.code, 0, status.stderr);
  assert.ok(JSON.parse(status.stdout).pid, status.stdout);
  assert.equal((await ostler(home, ['ls', '--json'])).code, 0);
});
