// A real nginx before ostler, as docs/operations.md configures it: everything works through it, and nobody is believed but it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { after, before, test } from 'node:test';
import WebSocket from 'ws';
import { cleanup } from './lib/cleanup.mjs';
import { makeHome, ROOT, startDaemon } from './lib/daemon.mjs';
import { bearer, hashOf, keyProtocol, PASSWORD } from './lib/login.mjs';
import { request } from './lib/raw.mjs';
import { Account, noStranger, Stranger } from './lib/stranger.mjs';

const skip = noStranger() || false; // who are the others?
let account;
before(() => { if (!skip) account = new Account(); });
after(() => account?.leave());

const NAME = 'ostler.example';

/** The block that people copy. */
function documented() {
  const text = fs.readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  return /```\n(location \/ \{[^`]*\})\n```/.exec(text)[1];
}

async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** An nginx that passes everything on to `to`; its port. Behind another one it adds to the list of hops. */
async function startNginx(t, to, { behindAnother = false } = {}) {
  const dir = makeHome(t), port = await freePort();
  fs.chmodSync(dir, 0o755);
  const block = documented().replace('127.0.0.1:3333', `127.0.0.1:${to}`)
    .replace('X-Forwarded-For $remote_addr', `X-Forwarded-For ${behindAnother ? '$proxy_add_x_forwarded_for' : '$remote_addr'}`)
    .replace('X-Forwarded-Proto $scheme', `X-Forwarded-Proto ${behindAnother ? '$http_x_forwarded_proto' : '$scheme'}`);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${dir}/${kind};`).join(' ');
  fs.writeFileSync(path.join(dir, 'nginx.conf'), `daemon off; worker_processes 1; pid ${dir}/pid; error_log stderr;
    ${process.getuid() === 0 ? 'user nobody nogroup;' : ''} events {}
    http { access_log off; ${temp} server { listen 127.0.0.1:${port} default_server; server_name ${NAME}; ${block} } }`);
  execFileSync('nginx', ['-t', '-q', '-c', path.join(dir, 'nginx.conf')], { stdio: ['ignore', 'ignore', 'inherit'] });
  const child = spawn('nginx', ['-c', path.join(dir, 'nginx.conf')], { stdio: 'ignore' });
  cleanup(t, async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  });
  for (;;) { // until it listens
    const socket = net.connect(port, '127.0.0.1');
    const came = await Promise.race([once(socket, 'connect').then(() => true), once(child, 'exit').then(([code]) => { throw new Error(`nginx ended with ${code}`); })]).catch(error => {
      if (error.code !== 'ECONNREFUSED') throw error;
    });
    socket.destroy();
    if (came) return port;
  }
}

/** What a client of that nginx gets. */
async function ask(port, where, { method = 'GET', headers = {}, body } = {}) {
  const sent = http.request({ host: '127.0.0.1', port, method, path: where, agent: false, headers: { host: `${NAME}:${port}`, ...headers } });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return { status: answer.statusCode, headers: answer.headers, text };
}

const json = { 'content-type': 'application/json' };
const origin = port => ({ origin: `http://${NAME}:${port}`, 'sec-fetch-site': 'same-origin' });

async function behindProxy(t, { password = true, trusted = ['127.0.0.1'] } = {}) {
  const home = makeHome(t);
  fs.mkdirSync(path.join(home, 'config'), { mode: 0o700 });
  const config = { serverNames: [NAME], trustedProxies: trusted, ...(password && { passwordHash: hashOf(PASSWORD) }) };
  fs.writeFileSync(path.join(home, 'config', 'config.json'), JSON.stringify(config), { mode: 0o600 });
  const daemon = await startDaemon(t, { home });
  return { daemon, proxy: await startNginx(t, daemon.port) };
}

const logIn = (port, headers = {}, password = PASSWORD) =>
  ask(port, '/api/auth/login', { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify({ password }) });

test('the page, a login, the board and a terminal work through nginx', async t => {
  const { daemon, proxy } = await behindProxy(t);
  assert.match((await ask(proxy, '/')).text, /<!doctype html>/i);
  assert.equal((await ask(proxy, '/api/sessions')).status, 401);
  const login = await ask(proxy, '/api/auth/login', { method: 'POST', headers: { ...json, ...origin(proxy) }, body: JSON.stringify({ password: PASSWORD, split: true }) });
  assert.equal(login.status, 200, login.text);
  const [cookie] = login.headers['set-cookie'][0].split(';'), { key } = JSON.parse(login.text);
  assert.match(cookie, new RegExp(`^ostler_login_${proxy}=`));
  assert.equal((await ask(proxy, '/api/sessions', { headers: { cookie } })).status, 401, 'half of it is nothing');
  const both = { cookie, 'x-ostler-key': key };
  assert.equal((await ask(proxy, '/api/sessions', { headers: both })).status, 200);

  const open = (where, protocol) => new WebSocket(`ws://127.0.0.1:${proxy}${where}`, [protocol, keyProtocol(key)], { headers: { host: `${NAME}:${proxy}`, cookie, ...origin(proxy) } });
  const board = open('/ws', 'ostler.board.v1');
  cleanup(t, () => board.terminate());
  assert.match(String((await once(board, 'message'))[0]), /snapshot|welcome/);

  const made = await ask(proxy, '/api/terminals', { method: 'POST', headers: { ...json, ...both, ...origin(proxy) }, body: JSON.stringify({ argv: ['sh', '-c', 'echo through-the-proxy; sleep 1000'], workingDir: '/' }) });
  assert.ok([200, 201].includes(made.status), made.text);
  const { terminalId, sessionId } = JSON.parse(made.text);
  const tty = open(`/ws/session/${sessionId}/worker/${terminalId}`, 'ostler.tty.v1');
  cleanup(t, () => tty.terminate());
  let seen = '';
  for await (const [data] of on(tty, 'message')) {
    seen += String(data);
    if (seen.includes('through-the-proxy')) break;
  }
  const { logins } = JSON.parse((await ask(proxy, '/api/auth/logins', { headers: both })).text);
  assert.deepEqual(logins.map(({ address, user }) => [address, user]), [['127.0.0.1', null]]);
  assert.equal((await daemon.fetch('/api/auth/status')).status, 200);
});

test('what a client says of itself through nginx is not believed', { skip }, async t => {
  const { daemon, proxy } = await behindProxy(t);
  const spoofed = { 'x-forwarded-for': '6.6.6.6', 'x-real-ip': '6.6.6.6', forwarded: 'for=6.6.6.6;proto=https;host=localhost' };
  const token = JSON.parse((await logIn(proxy, spoofed)).text).token;
  const { logins } = JSON.parse((await ask(proxy, '/api/auth/logins', { headers: bearer(token) })).text);
  assert.equal(logins[0].address, '127.0.0.1');
  // Not over TLS, whatever it says: no cookie that is only for that.
  const login = await ask(proxy, '/api/auth/login', { method: 'POST', headers: { ...json, 'x-forwarded-proto': 'https' }, body: JSON.stringify({ password: PASSWORD, split: true }) });
  assert.doesNotMatch(login.headers['set-cookie'][0], /Secure|__Host/);
  // Nor another host than it came to, be that one of ours.
  for (const host of ['evil.example', `${NAME}:9`, 'other.example:1']) {
    const answer = await ask(proxy, '/api/auth/logout', { method: 'POST', headers: { 'x-forwarded-host': host, origin: `http://${host}` } });
    assert.equal(answer.status, 403, host);
  }
  assert.equal((await ask(proxy, '/api/health', { headers: { host: 'evil.example' } })).status, 421);
  for (const host of ['', `${NAME}, evil.example`, `${NAME}@evil.example`, `evil.example#${NAME}`, `${NAME}.`, `.${NAME}`])
    assert.ok([400, 421].includes((await ask(proxy, '/api/health', { headers: { host } })).status), host);
  // Another address for every wrong password is no way around waiting.
  const statuses = [];
  for (let i = 0; i < 8; i++) statuses.push((await logIn(proxy, { 'x-forwarded-for': `6.6.6.${i}` }, 'wrong')).status);
  assert.ok(statuses.includes(429), String(statuses));
});

test('headers of a proxy from whom none is known let nobody in, and change nothing', { skip }, async t => {
  const { daemon } = await behindProxy(t, { trusted: ['192.0.2.1'] });
  const stranger = await Stranger.arrive(t, account);
  const spoofed = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': NAME, 'x-real-ip': '127.0.0.1', forwarded: 'for=127.0.0.1', via: '1.1 x' };
  for (const headers of [{}, spoofed]) {
    const answer = await stranger.does('ask', { host: '127.0.0.1', port: daemon.port, path: '/api/sessions', headers });
    assert.equal(answer.status, 401);
  }
  const body = JSON.stringify({ password: PASSWORD });
  const login = await stranger.does('ask', { host: '127.0.0.1', port: daemon.port, method: 'POST', path: '/api/auth/login', headers: { ...json, ...spoofed }, body });
  const logins = await daemon.fetch('/api/auth/logins', { headers: bearer(JSON.parse(login.text).token) });
  assert.equal((await logins.json()).logins[0].address, '127.0.0.1');
  const page = { ...spoofed, 'content-length': 0, origin: `https://${NAME}` };
  assert.equal((await request(daemon, 'POST /api/auth/logout', { ...page, 'x-forwarded-host': 'evil.example', origin: 'https://evil.example' })).status, 403);
});

test('of several proxies each is believed as far as it is known', async t => {
  const { daemon, proxy: inner } = await behindProxy(t);
  const outer = await startNginx(t, inner), last = await startNginx(t, daemon.port, { behindAnother: true });
  const chain = await startNginx(t, last);
  for (const port of [outer, chain]) {
    const login = await logIn(port, { 'x-forwarded-for': '6.6.6.6', host: NAME });
    assert.equal(login.status, 200, login.text);
    const { logins } = JSON.parse((await ask(port, '/api/auth/logins', { headers: { ...bearer(JSON.parse(login.text).token), host: NAME } })).text);
    assert.equal(logins.at(-1).address, '127.0.0.1');
  }
});

test('without a password nobody comes in by a proxy, and the owner does without', async t => {
  const { daemon, proxy } = await behindProxy(t, { password: false });
  for (const where of ['/', '/api/health', '/api/sessions']) {
    const answer = await ask(proxy, where);
    assert.equal(answer.status, 403, where);
    assert.match(answer.text, /ostler password set|another user/);
  }
  assert.equal((await daemon.fetch('/api/sessions')).status, 200);
});

test('strangers who crowd a trusted proxy\'s address do not keep the owner out', { skip }, async t => {
  const { daemon } = await behindProxy(t);
  const stranger = await Stranger.arrive(t, account, { nofile: 4096 });
  await stranger.does('many', { host: '127.0.0.1', port: daemon.port, count: 1500 });
  assert.equal((await daemon.fetch('/api/auth/status')).status, 200);
  await stranger.does('leave');
});
