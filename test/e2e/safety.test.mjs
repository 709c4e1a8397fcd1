// Who gets in, how, and what is done to those who should not. Through the real programs and raw sockets.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import WebSocket from 'ws';
import { makePair, openssl } from './lib/certificates.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { raw, rawToTheEnd, request } from './lib/raw.mjs';
import { Person } from './lib/tmux.mjs';

const socketOf = daemon => path.join(daemon.home, 'run', 'ostler.sock');
const serve = (home, ...args) => ostler(home, ['serve', '--port', '0', '--no-open', ...args]);

/** Writes the configuration of a home. */
function configure(home, config) {
  fs.mkdirSync(path.join(home, 'config'), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, 'config', 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
}

async function withConfig(t, config, options = {}) {
  const home = makeHome(t);
  configure(home, config);
  return startDaemon(t, { home, ...options });
}

/** A daemon whose password somebody set. */
const withPassword = (t, { config = {}, ...options } = {}) =>
  withConfig(t, { passwordHash: `${'0'.repeat(32)}:${'0'.repeat(128)}`, ...config }, options);

/** An answer with its headers, by any agent. */
async function get(url, options = {}) {
  const client = url.startsWith('https') ? https : http;
  const [answer] = await once(client.get(url, { agent: false, ...options }), 'response');
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode, headers: answer.headers, body };
}

// The owner's socket

test('the command line comes through a socket of its own', async t => {
  const daemon = await startDaemon(t, { args: ['--tls'] }); // whose port the command line could not use
  const file = socketOf(daemon);
  assert.equal(daemon.info.socket, file);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
  const status = await ostler(daemon.home, ['status']);
  assert.equal(status.code, 0, status.stderr);
  assert.match(status.stdout, /https:\/\/localhost/);
  assert.ok(status.stdout.includes(daemon.info.fingerprint), status.stdout);
  const answer = await raw(file, 'GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.equal(answer.status, 200);
  // And terminals: a WebSocket on the same socket.
  const person = await Person.sitDown(t, daemon.home);
  assert.equal((await person.runs(`ostler run -- sh -c 'echo through the door; exit 3'`)).status, 3);
});

test('a browser that was led to the socket is held to Host and Origin there, too', async t => {
  const daemon = await startDaemon(t);
  const ask = headers => raw(socketOf(daemon), `POST /api/hook-stats/reset HTTP/1.1\r\n${headers}Content-Length: 0\r\n\r\n`);
  assert.equal((await ask('Host: localhost:9999\r\n')).status, 200);
  assert.equal((await ask('Host: localhost:9999\r\nOrigin: http://localhost:9999\r\n')).status, 200);
  assert.equal((await ask('Host: localhost:9999\r\nOrigin: http://localhost:8888\r\n')).status, 403);
  assert.equal((await ask('Host: evil.example\r\n')).status, 421);
});

test('a home whose path is longer than a socket may be', async t => {
  const home = path.join(makeHome(t), 'x'.repeat(120));
  fs.mkdirSync(home, { mode: 0o700 });
  const daemon = await startDaemon(t, { home, args: ['--tls'] });
  assert.equal((await ostler(home, ['status'])).code, 0);
  assert.ok(socketOf(daemon).length > 120);
});

test('what a killed daemon left is replaced; a living one keeps its socket', async t => {
  const daemon = await startDaemon(t, { args: ['--tls'] });
  await daemon.crash();
  assert.ok(fs.existsSync(socketOf(daemon)));
  assert.match((await ostler(daemon.home, ['status'])).stderr, /no daemon is running/);
  await daemon.start();
  assert.equal((await ostler(daemon.home, ['status'])).code, 0);
  assert.equal((await serve(daemon.home)).code, 1);
  assert.equal((await ostler(daemon.home, ['status'])).code, 0);
  await daemon.stop();
  assert.equal(fs.existsSync(socketOf(daemon)), false);
});

test('without the socket the command line uses the port, or says why it cannot', async t => {
  const plain = await startDaemon(t), tls = await startDaemon(t, { args: ['--tls'] });
  for (const daemon of [plain, tls]) fs.rmSync(socketOf(daemon));
  assert.equal((await ostler(plain.home, ['status'])).code, 0);
  const { code, stderr } = await ostler(tls.home, ['status']);
  assert.equal(code, 1);
  assert.match(stderr, /speaks TLS/);
  assert.ok(stderr.includes(socketOf(tls)), stderr);
});

test('another user of this machine cannot open the socket', async t => {
  if (process.getuid() !== 0) return t.skip('taking on another user takes root');
  const daemon = await startDaemon(t);
  const script = `const [path, user] = process.argv.slice(1), net = require('net');
    process.setgroups([]); process.setgid(+user); process.setuid(+user);
    net.connect(path).on('connect', () => console.log('in')).on('error', e => console.log(e.code));`;
  const ask = user => execFileSync(process.execPath, ['-e', script, socketOf(daemon), user], { encoding: 'utf8', cwd: '/', timeout: 20_000, killSignal: 'SIGKILL' }).trim();
  assert.equal(ask('65534'), 'EACCES');
  // Were the modes wrong, the kernel still says who it is.
  for (const dir of [daemon.home, path.join(daemon.home, 'run')]) fs.chmodSync(dir, 0o755);
  fs.chmodSync(socketOf(daemon), 0o666);
  const talk = `const [path, user] = process.argv.slice(1), http = require('http');
    process.setgroups([]); process.setgid(+user); process.setuid(+user);
    http.get({ socketPath: path, path: '/api/sessions', headers: { host: 'localhost' } }, r => { console.log(r.statusCode); process.exit(); });`;
  assert.equal(execFileSync(process.execPath, ['-e', talk, socketOf(daemon), '65534'], { encoding: 'utf8', cwd: '/' }).trim(), '403');
});

// Addresses and names

test('other addresses need a password, and the refusal says how', async t => {
  const home = makeHome(t);
  for (const host of ['0.0.0.0', '::', '192.0.2.1']) {
    const { code, stderr } = await serve(home, '--host', host);
    assert.equal(code, 1);
    assert.ok(stderr.includes(host), stderr);
    assert.match(stderr, /ostler password set/);
  }
  assert.match((await serve(home, '--host', 'barn')).stderr, /not an IP address/);
  configure(home, { passwordHash: null });
  assert.match((await serve(home, '--host', '0.0.0.0')).stderr, /ostler password set/);
  configure(home, { passwordHash: 7 });
  assert.match((await serve(home, '--host', '0.0.0.0')).stderr, /passwordHash takes what ostler password set writes/);
  configure(home, '{ "passwordHash": ');
  const broken = await serve(home);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /config\.json: line 1, column 19: /);
});

test('on every address: this machine by its address and name, and nothing else', async t => {
  const lan = Object.values(os.networkInterfaces()).flat().find(i => !i.internal && i.family === 'IPv4')?.address;
  if (!lan) return t.skip('this machine has no address but its own');
  for (const host of ['0.0.0.0', '::']) {
    const daemon = await withPassword(t, { args: ['--host', host] });
    await daemon.says(new RegExp(`other machines reach it at http://[\\d.]+:${daemon.port}`));
    assert.equal(daemon.info.url, `http://localhost:${daemon.port}`);
    const ask = name => get(`http://${lan}:${daemon.port}/api/health`, { headers: { host: name } });
    for (const name of [lan, 'localhost', os.hostname()]) assert.equal((await ask(`${name}:${daemon.port}`)).status, 200, name);
    for (const name of ['evil.example', '192.0.2.1', `${os.hostname()}.evil.example`])
      assert.equal((await ask(`${name}:${daemon.port}`)).status, 421, name);
    assert.equal((await ask(`${lan}:1`)).status, 421);
    await daemon.stop();
  }
});

test('one address: nowhere else', async t => {
  const lan = Object.values(os.networkInterfaces()).flat().find(i => !i.internal && i.family === 'IPv4')?.address;
  if (!lan) return t.skip('this machine has no address but its own');
  const daemon = await withPassword(t, { args: ['--host', lan] });
  assert.equal(daemon.info.url, `http://${lan}:${daemon.port}`);
  assert.equal((await get(`http://${lan}:${daemon.port}/api/health`)).status, 200);
  await assert.rejects(get(`http://127.0.0.1:${daemon.port}/api/health`), { code: 'ECONNREFUSED' });
  assert.equal((await ostler(daemon.home, ['status'])).code, 0);
});

test('configured names, and proxies that are believed', async t => {
  const daemon = await withPassword(t, { config: { serverNames: ['ostler.example'], trustedProxies: ['127.0.0.1'] } });
  const post = headers => request(daemon, 'POST /api/auth/logout', { 'Content-Length': 0, ...headers });
  assert.equal((await post({ Host: 'ostler.example' })).status, 200);
  assert.equal((await post({ Host: 'ostler.example', Origin: 'https://ostler.example' })).status, 200);
  assert.equal((await post({ Host: 'ostler.example', Origin: 'https://evil.example' })).status, 403);
  assert.equal((await post({ 'X-Forwarded-Host': 'ostler.example', 'X-Forwarded-Proto': 'https', Origin: 'https://ostler.example' })).status, 200);
  assert.equal((await post({ 'X-Forwarded-Host': 'ostler.example', 'X-Forwarded-Proto': 'https', Origin: 'http://ostler.example' })).status, 403);
  assert.equal((await post({ 'X-Forwarded-Host': 'evil.example' })).status, 421);
  assert.equal((await post({ Host: 'evil.example', 'X-Forwarded-Host': 'ostler.example' })).status, 421);

  const careful = await withPassword(t);
  const forwarded = { 'X-Forwarded-Host': 'localhost', 'X-Forwarded-Proto': 'https', Origin: 'https://localhost' };
  assert.equal((await request(careful, 'POST /api/auth/logout', { 'Content-Length': 0, ...forwarded })).status, 403);
  assert.equal((await request(careful, 'GET /api/health', { ...forwarded, Host: 'evil.example' })).status, 421);

  for (const [wrong, what] of [[{ trustedProxies: ['proxy'] }, /"proxy" in trustedProxies/], [{ trustedProxies: ['10.0.0.0/33'] }, /no range/],
    [{ trustedProxies: '127.0.0.1' }, /takes a list of/], [{ serverNames: [1] }, /serverNames takes a list of/]]) {
    const home = makeHome(t);
    configure(home, wrong);
    const { code, stderr } = await serve(home);
    assert.equal(code, 1);
    assert.match(stderr, what);
  }
});

test('whom a proxy speaks for is not this user, be the proxy this user\'s own', async t => {
  for (const config of [{}, { trustedProxies: ['127.0.0.1'] }]) {
    const daemon = await withConfig(t, config);
    assert.equal((await request(daemon, 'GET /api/sessions')).status, 200);
    for (const headers of [{ 'X-Forwarded-For': '127.0.0.1' }, { 'X-Forwarded-For': 'unknown' }, { 'X-Forwarded-For': '' }, { Forwarded: 'for=127.0.0.1' },
      { 'X-Real-IP': '127.0.0.1' }, { 'X-Forwarded-Proto': 'http' }, { 'X-Forwarded-Host': `127.0.0.1:${daemon.port}` }, { Via: '1.1 tunnel' }]) {
      const answer = await request(daemon, 'GET /api/sessions', headers);
      assert.equal(answer.status, 403, JSON.stringify(headers));
      assert.match(answer.body, /ostler password set/);
      assert.equal((await request(daemon, 'POST /api/terminals', { ...headers, 'Content-Length': 2 }, '{}')).status, 403);
    }
    await daemon.stop();
  }
});

// TLS

test('a pair of its own: made once, for this machine, shown by its fingerprint', async t => {
  const daemon = await startDaemon(t, { args: ['--tls'] });
  const file = path.join(daemon.home, 'tls.pem');
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  await daemon.says(new RegExp(daemon.info.fingerprint));
  assert.equal(openssl('x509', '-in', file, '-noout', '-fingerprint', '-sha256').trim().split('=')[1], daemon.info.fingerprint);
  const ca = fs.readFileSync(file);
  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    const answer = await get(`https://${name}:${daemon.port}/api/health`, { ca });
    assert.equal(answer.status, 200, name);
    assert.equal(answer.headers['strict-transport-security'], undefined);
  }
  const socket = new WebSocket(`wss://localhost:${daemon.port}/ws`, { ca, origin: `https://localhost:${daemon.port}` });
  cleanup(t, () => socket.terminate());
  assert.match(String((await once(socket, 'message'))[0]), /snapshot|welcome/);
  const foreign = new WebSocket(`wss://localhost:${daemon.port}/ws`, { ca, origin: `http://localhost:${daemon.port}` });
  assert.match(String((await once(foreign, 'error'))[0]), /403/);
  const hint = await raw(daemon.port, `GET / HTTP/1.1\r\nHost: localhost:${daemon.port}\r\n\r\n`);
  assert.equal(hint.status, 400);
  assert.match(hint.body, /https:\/\//);
  const { fingerprint } = daemon.info;
  await daemon.stop();
  await daemon.start();
  assert.equal(daemon.info.fingerprint, fingerprint);
});

test('certificates from files, and the sentence for those that do not work', async t => {
  const dir = makeHome(t);
  const good = makePair(dir, 'good', '-days', '30'), other = makePair(dir, 'other', '-days', '30');
  const config = { serverNames: ['ostler.example'] };
  const daemon = await withPassword(t, { config, args: ['--tls-cert', good.cert, '--tls-key', good.key] });
  const ca = fs.readFileSync(good.cert);
  const ask = host => get(`https://localhost:${daemon.port}/api/health`, { ca, headers: { host } });
  assert.equal((await ask('ostler.example')).headers['strict-transport-security'], 'max-age=31536000');
  assert.equal((await ask(`localhost:${daemon.port}`)).headers['strict-transport-security'], undefined);

  const expired = path.join(dir, 'expired.crt');
  const request = path.join(dir, 'request.csr');
  openssl('req', '-new', '-key', good.key, '-subj', '/CN=old', '-out', request);
  openssl('x509', '-req', '-in', request, '-signkey', good.key, '-days', '-1', '-out', expired);
  const empty = path.join(dir, 'empty');
  fs.writeFileSync(empty, '');
  for (const [cert, key, what] of [[expired, good.key, /has expired/], [good.cert, other.key, /does not belong to/],
    [good.cert, path.join(dir, 'none'), /cannot read the key .*none/], [empty, good.key, /no certificate that can be used/],
    [good.cert, empty, /no private key that can be used/], [dir, good.key, /is not a file/]]) {
    const home = makeHome(t);
    const { code, stderr } = await serve(home, '--tls-cert', cert, '--tls-key', key);
    assert.equal(code, 1, stderr);
    assert.match(stderr, what);
    assert.equal(fs.existsSync(path.join(home, 'run', 'daemon.json')), false);
  }
  assert.equal((await serve(makeHome(t), '--tls-cert', good.cert)).code, 2);
});

// What every answer says

test('headers that protect are on every answer, and none that opens', async t => {
  const daemon = await startDaemon(t);
  const answers = {
    page: await request(daemon, 'GET /'),
    api: await request(daemon, 'GET /api/sessions'),
    unknown: await request(daemon, 'GET /api/nothing'),
    wrong: await request(daemon, 'DELETE /api/health'),
    preflight: await request(daemon, 'OPTIONS /api/hooks', { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST' }),
    foreign: await request(daemon, 'POST /api/hooks', { Origin: 'http://evil.example', 'Content-Length': 0 }),
    rebound: await request(daemon, 'GET /', { Host: 'evil.example' }),
    malformed: await raw(daemon.port, 'nonsense\r\n\r\n'),
    upgrade: await request(daemon, 'GET /ws', { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 8 }),
  };
  for (const [name, answer] of Object.entries(answers)) {
    assert.equal(answer.header('x-content-type-options'), 'nosniff', name);
    assert.equal(answer.header('x-frame-options'), 'DENY', name);
    assert.equal(answer.header('referrer-policy'), 'no-referrer', name);
    assert.equal(answer.header('cross-origin-opener-policy'), 'same-origin', name);
    assert.equal(answer.header('cross-origin-resource-policy'), 'same-origin', name);
    assert.match(answer.header('permissions-policy'), /camera=\(\)/, name);
    assert.match(answer.header('content-security-policy'), /frame-ancestors 'none'/, name);
    assert.match(answer.header('content-security-policy'), name === 'page' ? /script-src 'self'/ : /default-src 'none'/, name);
    assert.match(answer.header('cache-control'), name === 'page' ? /no-cache/ : /no-store/, name);
    assert.doesNotMatch(answer.text, /^access-control-/im, name);
    assert.doesNotMatch(answer.text, /strict-transport-security/i, name);
    assert.doesNotMatch(answer.header('content-security-policy'), /\*|unsafe/, name);
  }
  assert.ok(answers.page.header('content-security-policy').includes(`connect-src 'self' ws://127.0.0.1:${daemon.port};`));
});

// Requests that are no good

test('smuggling: refused, closed, and what follows is never looked at', async t => {
  const daemon = await startDaemon(t);
  const host = `Host: 127.0.0.1:${daemon.port}\r\n`, hidden = `GET /api/health HTTP/1.1\r\n${host}\r\n`;
  const post = headers => `POST /api/hooks HTTP/1.1\r\n${host}${headers}`;
  const cases = {
    'CL and TE': post(`Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    'TE and CL': post(`Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`),
    'two CLs': post(`Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`),
    'two equal CLs': post(`Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`),
    'a list of CLs': post(`Content-Length: 5, 5\r\n\r\nhello`),
    'a signed CL': post(`Content-Length: +5\r\n\r\nhello`),
    'a hexadecimal CL': post(`Content-Length: 0x5\r\n\r\nhello`),
    'a blank before the colon': post(`Content-Length : 5\r\n\r\nhello`),
    'TE: identity': post(`Transfer-Encoding: identity\r\n\r\n`),
    'tE: IDENTITY, CHUNKED': post(`tRANSFER-eNCODING: IDENTITY, CHUNKED\r\n\r\n0\r\n\r\n`),
    'TE: xchunked': post(`Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`),
    'TE twice': post(`Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    'TE folded': post(`Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n`),
    'TE with a vertical tab': post(`Transfer-Encoding: \vchunked\r\n\r\n0\r\n\r\n`),
    'a folded header': `GET /api/health HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`,
    'lone line feeds': `GET /api/health HTTP/1.1\nHost: 127.0.0.1:${daemon.port}\n\n`,
    'a lone line feed at the end': `GET /api/health HTTP/1.1\r\n${host}\n`,
    'a lone carriage return': `GET /api/health HTTP/1.1\r\nX: a\rHost: 127.0.0.1:${daemon.port}\r\n\r\n`,
    'a chunk extension': post(`Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\n\r\n`),
    'a chunk ended by a line feed': post(`Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\n`),
    'a NUL': `GET /api/health HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`,
    'two Hosts': `GET /api/health HTTP/1.1\r\n${host}${host}\r\n`,
    'another host in the target': `GET http://evil.example/api/health HTTP/1.1\r\n${host}\r\n`,
    'our host in the target': `GET http://127.0.0.1:${daemon.port}/api/health HTTP/1.1\r\nHost: evil.example\r\n\r\n`,
    'a tunnel': `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`,
  };
  for (const [name, bytes] of Object.entries(cases)) {
    const answer = await rawToTheEnd(daemon.port, Buffer.from(bytes + hidden, 'latin1'));
    assert.equal(answer.status, 400, name);
    assert.equal(answer.text.match(/HTTP\/1\.1 \d/g).length, 1, `${name}: one answer`);
    assert.equal(answer.header('connection'), 'close', name);
  }
  assert.equal((await request(daemon, 'POST /api/hook-stats/reset', { 'Transfer-Encoding': 'CHUNKED' }, '0\r\n\r\n')).status, 200);
});

test('100 MB of header, ten thousand headers, an endless line', async t => {
  const daemon = await startDaemon(t);
  const before = daemon.rss;
  const flood = head => new Promise(resolve => {
    const socket = net.connect(daemon.port, '127.0.0.1');
    const block = Buffer.alloc(1 << 20, 'x');
    let text = '', sent = 0;
    const more = () => {
      while (sent < 100) {
        sent++;
        if (!socket.write(block)) return;
      }
    };
    socket.on('error', () => {}).on('drain', more).on('data', chunk => { text += chunk; }).on('close', () => resolve(text));
    socket.write(head);
    more();
  });
  // Who still sends when it is refused may be told so by a reset, which overtakes the words.
  const answered = async head => {
    for (let tries = 0; tries < 20; tries++) {
      const text = await flood(head);
      if (text) return text;
    }
    return '';
  };
  assert.match(await answered(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\nX-Long: `), /^HTTP\/1\.1 431 /);
  assert.match(await answered('GET /'), /^HTTP\/1\.1 414 /);
  const many = Array.from({ length: 10_000 }, (_, i) => `X-${i}: ${i}\r\n`).join('');
  assert.equal((await raw(daemon.port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\n${many}\r\n`)).status, 431);
  const few = Array.from({ length: 129 }, (_, i) => `a${i}:\r\n`).join('');
  assert.equal((await raw(daemon.port, `GET / HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\n${few}\r\n`)).status, 431);
  assert.ok(daemon.rss - before < 20 << 20, `${(daemon.rss - before) >> 20} MiB more`);
});

test('more connections than there are places: told so and closed, and the owner still gets in', async t => {
  const daemon = await startDaemon(t);
  const sockets = [];
  cleanup(t, () => { for (const socket of sockets) socket.destroy(); });
  for (let i = 0; i < 1024; i++) {
    const socket = net.connect(daemon.port, '127.0.0.1').on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
  }
  const late = await rawToTheEnd(daemon.port, '');
  assert.equal(late.status, 503);
  assert.match(late.body, /too many connections/);
  assert.equal((await ostler(daemon.home, ['status'])).code, 0);
  sockets.pop().destroy();
  for (;;) {
    const answer = await request(daemon, 'GET /api/health', { Connection: 'close' });
    if (answer.status === 200) break;
    assert.equal(answer.status, 503); // the daemon has not heard of the end yet
  }
});

test('OPTIONS, TRACE, CONNECT and methods that nobody knows: answered, never carried out, never echoed', async t => {
  const daemon = await withConfig(t, {});
  const evil = { Origin: 'http://evil.example', 'Access-Control-Request-Method': 'POST', 'X-Secret': 'never-echoed' };
  for (const [line, statuses] of [['OPTIONS /api/terminals', [405]], ['OPTIONS /api/sessions', [405]], ['OPTIONS /', [405]], ['OPTIONS *', [400, 405]],
    ['TRACE /', [403, 405]], ['TRACE /api/terminals', [403, 405]], ['CONNECT localhost:22', [400]], ['PROPFIND /', [403, 405]], ['PURGE /api/sessions', [403, 405]], ['BREW /', [400]]]) {
    const answer = await request(daemon, line, evil);
    assert.ok(statuses.includes(answer.status), `${line}: ${answer.status}`);
    assert.doesNotMatch(answer.text, /never-echoed|access-control-/i, line);
  }
  assert.deepEqual(await daemon.get('/api/terminals'), { terminals: [] });
});

test('an Origin that is there and says nothing is nobody\'s', async t => {
  const daemon = await withConfig(t, {});
  const own = `http://127.0.0.1:${daemon.port}`;
  for (const headers of [{ Origin: '' }, { Origin: ' ' }, { 'Sec-Fetch-Site': '' }, { 'Sec-Fetch-Site': 'same-origin\r\nSec-Fetch-Site: cross-site' },
    { Origin: `${own}\r\nOrigin: http://evil.example` }])
    for (const [line, more] of [['POST /api/auth/logout', { 'Content-Length': 0 }], ['GET /ws', { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' }]])
      assert.equal((await request(daemon, line, { ...headers, ...more })).status, /\nOrigin/.test(headers.Origin) ? 400 : 403, `${line} ${JSON.stringify(headers)}`);
  assert.equal((await request(daemon, 'POST /api/auth/logout', { 'Content-Length': 0, Origin: own })).status, 200);
});
