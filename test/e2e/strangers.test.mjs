// Other users of this machine, as real accounts: nothing is created, nothing is read, nobody is locked out.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { once } from 'node:events';
import { cleanup } from './lib/cleanup.mjs';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BUILD, environment, keepers, makeHome, OSTLER, ostler, startDaemon } from './lib/daemon.mjs';
import { Account, noStranger, Stranger } from './lib/stranger.mjs';

const skip = noStranger() || false;
let account;
before(() => { if (!skip) account = new Account(); });
after(() => account?.leave());

/** Turned away, told that there is no place, or nothing at all. */
function allRefused(statuses, what) {
  for (const status of Object.keys(statuses)) assert.ok(['none', '403', '503'].includes(status), `${what}: ${JSON.stringify(statuses)}`);
}

/** No terminal, no session, no process: whatever was tried. */
async function nothingHappened(daemon) {
  assert.deepEqual(keepers(daemon.home), []);
  assert.deepEqual(await daemon.get('/api/terminals'), { terminals: [] });
  assert.deepEqual(await daemon.get('/api/sessions'), {});
}

const hosts = ['127.0.0.1', '::1'];

test('thousands of requests whose sender is gone when they are looked at', { skip }, async t => {
  const daemon = await startDaemon(t);
  const stranger = await Stranger.arrive(t, account);
  for (const host of hosts)
    for (const shape of ['post', 'chunked', 'pipelined', 'hook', 'forwarded', 'socket'])
      for (const ending of ['reset', 'resetSoon', 'end', 'destroy']) {
        const count = ending.startsWith('reset') ? 400 : 60;
        const statuses = await stranger.does('storm', { host, port: daemon.port, count, shape, ending });
        allRefused(statuses, `${host} ${shape} ${ending}`);
      }
  await nothingHappened(daemon);
});

test('the same while the daemon has no descriptor left, or only a few', { skip }, async t => {
  const limit = 36, daemon = await startDaemon(t, { nofile: limit });
  const stranger = await Stranger.arrive(t, account);
  const sockets = [];
  cleanup(t, () => { for (const socket of sockets) socket.destroy(); });
  const descriptors = () => fs.readdirSync(`/proc/${daemon.child.pid}/fd`).filter(fd => Number(fd) < limit).length;
  const door = path.join(daemon.home, 'run', 'ostler.sock');
  const occupy = async () => { // the owner's own take the others, by both ways, one after the other
    const socket = (sockets.length % 2 ? net.connect(door) : net.connect(daemon.port, '127.0.0.1')).on('error', () => {});
    sockets.push(socket);
    socket.write(`GET /api/health HTTP/1.1\r\nHost: localhost:${daemon.port}\r\n\r\n`);
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  };
  for (const free of [4, 3, 2, 1, 0]) {
    while (descriptors() < limit - free) await occupy();
    if (free === 0) await occupy(); // gets the one that is kept for that
    for (const host of hosts)
      for (const [shape, ending] of [['post', 'reset'], ['post', 'resetSoon'], ['hook', 'reset'], ['socket', 'reset']])
        allRefused(await stranger.does('storm', { host, port: daemon.port, count: 100, shape, ending }), `${free} ${host} ${shape} ${ending}`);
  }
  assert.equal(descriptors(), limit);
  for (const socket of sockets.splice(0)) socket.destroy();
  await nothingHappened(daemon);
});

test('a person who is not the owner is told so', { skip }, async t => {
  const daemon = await startDaemon(t);
  const stranger = await Stranger.arrive(t, account);
  for (const host of hosts)
    for (const where of ['/', '/api/health', '/api/sessions', '/api/auth/status']) {
      const answer = await stranger.does('ask', { host, port: daemon.port, path: where });
      assert.equal(answer.status, 403);
      assert.match(answer.text, /belongs to another user/);
      assert.equal(answer.headers['x-frame-options'], 'DENY');
    }
});

test('what strangers send is not kept: 150 bodies of 10 MB cost nothing, and the owner is served meanwhile', { skip }, async t => {
  const daemon = await startDaemon(t);
  const stranger = await Stranger.arrive(t, account);
  const before = daemon.rss;
  await stranger.does('burden', { host: '127.0.0.1', port: daemon.port, count: 150, bytes: 10_000_000 });
  assert.ok(daemon.rss - before < 20 << 20, `${(daemon.rss - before) >> 20} MiB more`);
  assert.equal((await daemon.fetch('/api/health')).status, 200);
  await stranger.does('leave');
});

test('with a password: a body is read only of who is logged in, or as small as a login', { skip }, async t => {
  const home = makeHome(t);
  assert.equal((await ostler(home, ['password', 'set'], { input: 'correct horse\n' })).code, 0);
  const daemon = await startDaemon(t, { home });
  const stranger = await Stranger.arrive(t, account);
  const before = daemon.rss;
  for (const where of ['/api/hooks', '/api/terminals', '/api/auth/login', '/nothing'])
    await stranger.does('burden', { host: '127.0.0.1', port: daemon.port, count: 30, bytes: 10_000_000, path: where });
  assert.ok(daemon.rss - before < 20 << 20, `${(daemon.rss - before) >> 20} MiB more`);
  await stranger.does('leave');
  for (const [where, status] of [['/api/hooks', 401], ['/api/terminals', 401], ['/api/auth/login', 413], ['/nothing', 405]]) {
    // Only the head comes: the answer does not wait for the body.
    const { port } = daemon, head = `POST ${where} HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Length: 9000000\r\n\r\n`;
    const text = await stranger.does('say', { host: '127.0.0.1', port, text: head });
    assert.match(text, new RegExp(`^HTTP/1.1 ${status} `), where);
    assert.match(text, /^connection: close/im);
  }
});

test('a stranger\'s wrong passwords make nobody wait but strangers', { skip }, async t => {
  const home = makeHome(t);
  assert.equal((await ostler(home, ['password', 'set'], { input: 'correct horse\n' })).code, 0);
  const daemon = await startDaemon(t, { home });
  const stranger = await Stranger.arrive(t, account);
  const attempt = { host: '127.0.0.1', port: daemon.port, method: 'POST', path: '/api/auth/login', headers: { 'content-type': 'application/json' }, body: '{"password":"wrong"}' };
  let answer;
  for (let i = 0; i < 20; i++) answer = await stranger.does('ask', attempt);
  assert.equal(answer.status, 429);
  const login = await daemon.fetch('/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"correct horse"}' });
  assert.equal(login.status, 200);
});

test('strangers who crowd the door do not keep the owner out', { skip }, async t => {
  const daemon = await startDaemon(t);
  const stranger = await Stranger.arrive(t, account);
  await stranger.does('crowd', { host: '127.0.0.1', port: daemon.port, count: 1200 });
  assert.equal((await daemon.fetch('/api/health')).status, 200);
  assert.equal((await ostler(daemon.home, ['status'])).code, 0);
  assert.ok(fs.readdirSync(`/proc/${daemon.child.pid}/fd`).length < 128);
  await stranger.does('leave');
});

test('what is for the daemon is not told to who has taken its port', { skip }, async t => {
  const home = makeHome(t);
  const stranger = await Stranger.arrive(t, account);
  const port = await stranger.does('lurk', { port: 0 });
  fs.mkdirSync(path.join(home, 'run'), { mode: 0o700 });
  const left = { pid: 1, port, url: `http://localhost:${port}`, version: '1', socket: path.join(home, 'run', 'ostler.sock') };
  fs.writeFileSync(path.join(home, 'run', 'daemon.json'), JSON.stringify(left), { mode: 0o600 }); // of one that was killed
  for (const words of [['run', '--detach', 'sleep', '1000'], ['ls'], ['status'], ['logins']]) {
    const { code, stderr } = await ostler(home, words, { env: { SECRET_KEY: 'not-for-strangers' } });
    assert.equal(code, 1, words.join(' '));
    assert.match(stderr, /no daemon is running/);
  }
  assert.equal(await stranger.does('lurk', {}), '');
});

test('in a user namespace where all others look like the daemon\'s own user nobody is', { skip }, async t => {
  const daemon = await startDaemon(t, { under: ['unshare', '--user'] });
  const stranger = await Stranger.arrive(t, account);
  for (const host of hosts)
    for (const where of ['/api/health', '/api/sessions'])
      assert.equal((await stranger.does('ask', { host, port: daemon.port, path: where })).status, 403);
  const command = { method: 'POST', path: '/api/terminals', headers: { 'content-type': 'application/json' }, body: '{"argv":["sleep","1000"],"workingDir":"/"}' };
  assert.equal((await stranger.does('ask', { host: '127.0.0.1', port: daemon.port, ...command })).status, 403);
  assert.equal((await daemon.fetch('/api/sessions')).status, 403); // it cannot be told from those
  assert.deepEqual(keepers(daemon.home), []);
  await daemon.says(/does not tell which user a connection is of/);
  const doctor = await promisify(execFile)('unshare', ['--user', OSTLER, 'doctor', '--json'], { env: environment(daemon.home) }).catch(error => error);
  const users = doctor.stdout.trim().split('\n').map(line => JSON.parse(line)).find(line => line.check === 'other users');
  assert.match(users.detail ?? JSON.stringify(users), /all look like you/);
});

test('on a port that speaks TLS strangers cost no handshake, and with a password they need it', { skip }, async t => {
  const home = makeHome(t);
  const daemon = await startDaemon(t, { home, args: ['--tls'] });
  const stranger = await Stranger.arrive(t, account);
  const hello = Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0x01]).toString('latin1');
  for (const host of hosts)
    for (const text of [hello, 'GET / HTTP/1.1\r\n\r\n'])
      assert.equal(await stranger.does('say', { host, port: daemon.port, text }), '');
  for (const where of ['/', '/api/sessions'])
    await assert.rejects(stranger.does('ask', { tls: true, host: '127.0.0.1', port: daemon.port, path: where }), /ECONNRESET|socket disconnected|hang up/);
  assert.equal((await ostler(home, ['password', 'set'], { input: 'correct horse\n' })).code, 0);
  const ask = (where, more) => stranger.does('ask', { tls: true, host: '127.0.0.1', port: daemon.port, path: where, ...more });
  assert.equal((await ask('/')).status, 200);
  for (const where of ['/api/sessions', '/api/terminals']) assert.equal((await ask(where)).status, 401);
  const forwarded = { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' };
  assert.equal((await ask('/api/sessions', { headers: forwarded })).status, 401);
  assert.equal((await ask('/api/hooks', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status, 401);
});

test('where the kernel does not tell who somebody is, nobody is served without a password', async t => {
  const blind = path.join(BUILD, 'test', 'no_diag');
  const daemon = await startDaemon(t, { under: [blind] });
  await daemon.says(/does not tell which user a connection is of/);
  for (const [method, where] of [['GET', '/'], ['GET', '/api/health'], ['POST', '/api/terminals'], ['POST', '/api/hooks']]) {
    const answer = await daemon.fetch(where, { method });
    assert.equal(answer.status, 403, where);
    assert.match((await answer.json()).error, /ostler password set/);
  }
  // The owner's socket goes by other means.
  const status = await ostler(daemon.home, ['status', '--json']);
  assert.match(status.stdout + status.stderr, /ostler password set/);
  const doctor = await promisify(execFile)(blind, [OSTLER, 'doctor', '--json'], { env: environment(daemon.home) }).catch(error => error);
  const users = doctor.stdout.trim().split('\n').map(line => JSON.parse(line)).find(line => line.check === 'other users');
  assert.equal(users.state, 'bad');
  assert.match(users.todo, /ostler password set/);
  assert.equal((await ostler(daemon.home, ['password', 'set'], { input: 'correct horse\n' })).code, 0);
  const login = await daemon.fetch('/api/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"password":"correct horse"}' });
  assert.equal(login.status, 200);
  const health = await daemon.fetch('/api/health', { headers: { authorization: `Bearer ${(await login.json()).token}` } });
  const { knowsUsers, problems } = await health.json();
  assert.deepEqual([knowsUsers, problems], [false, []]);
});

test('who waits where a daemon was is told nothing by the command line', { skip }, async t => {
  const home = makeHome(t), stranger = await Stranger.arrive(t, account), port = await stranger.does('pose');
  fs.mkdirSync(path.join(home, 'run'), { mode: 0o700 });
  const info = { pid: 1, port, url: `http://localhost:${port}`, version: '0.1.0' };
  for (const socket of [undefined, path.join(home, 'run', 'gone.sock')]) {
    fs.writeFileSync(path.join(home, 'run', 'daemon.json'), JSON.stringify({ ...info, socket }), { mode: 0o600 });
    for (const words of [['run', '-d', '--', 'true'], ['ls'], ['status'], ['open', '--print']]) {
      const answer = await ostler(home, words, { env: { SOME_API_KEY: 'sk-this-is-mine' } });
      assert.notEqual(answer.code, 0, words.join(' '));
      assert.match(answer.stderr + answer.stdout, /belongs to another user|not running|no daemon/, words.join(' '));
    }
  }
  assert.equal(await stranger.does('hear'), '');
});
