// Bad input, bad disks, bad neighbours: the daemon says what is wrong, and the next good event arrives.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { databaseOf, lockDatabase } from './lib/database.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { raw, request } from './lib/raw.mjs';

const MIB = 1 << 20;
const spool = (home, ...name) => path.join(home, 'spool', ...name);

/** The daemon is well if a new agent's first event becomes a card. */
async function stillWorks(t, daemon) {
  const agent = new Agent({ cwd: '/srv/next' });
  const board = await Board.connect(t, daemon);
  await runHook(daemon.home, agent.start());
  return board.session(agent.id);
}

test('garbage in the spool is counted and passed over', async t => {
  const daemon = await startDaemon(t);
  await stillWorks(t, daemon);
  const garbage = Buffer.from([0, 255, 254, 10, 27, 91, 10]);
  const lines = ['hello', '{', '[]', 'null', '{}', '{"ostler":{}}', '{"payload":{}}', '{"ostler":7,"payload":"x"}', '"', '\u0000',
    '{"ostler":{"v":1},"payload":{"session_id":"g","hook_event_name":"NoSuchEvent"}}', '['.repeat(5000)];
  fs.appendFileSync(spool(daemon.home, 'active'), Buffer.concat([garbage, Buffer.from(`\n${lines.join('\n')}\n\n\n`)]));
  await stillWorks(t, daemon);
  const stats = await daemon.get('/api/mq-stats');
  assert.ok(stats.linesErrored + stats.torn >= lines.length - 1, `${stats.linesErrored} refused, ${stats.torn} no whole record`);
  assert.equal((await daemon.get('/api/sessions')).g, undefined);
});

test('half a line spoils only itself', async t => {
  const daemon = await startDaemon(t);
  await stillWorks(t, daemon);
  fs.appendFileSync(spool(daemon.home, 'active'), '\n{"ostler":{"v":1,"via":"hook"},"payload":{"session_id":"half","hook_ev');
  await stillWorks(t, daemon);
  const { linesErrored, torn } = await daemon.get('/api/mq-stats');
  assert.ok(linesErrored + torn >= 1);
  assert.equal((await daemon.get('/api/sessions')).half, undefined);
});

test('a payload just under 8 MiB arrives, a larger one is let go', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const large = new Agent({ cwd: '/srv/large' }), larger = new Agent({ cwd: '/srv/larger' });
  await runHook(daemon.home, large.prompt('x'.repeat(8 * MIB - 2000)));
  const session = await board.session(large.id, s => s.status === 'prompting');
  assert.equal(session.currentPrompt.length, 16_001);
  assert.ok(session.currentPrompt.endsWith('…'), 'the cut is marked');
  await runHook(daemon.home, larger.prompt('y'.repeat(9 * MIB)));
  await stillWorks(t, daemon);
  assert.equal(board.find(larger.id), undefined);
  const { linesErrored, oversized } = await daemon.get('/api/mq-stats');
  assert.deepEqual({ linesErrored, oversized }, { linesErrored: 0, oversized: 1 });
  assert.equal((await daemon.post(larger.prompt('y'.repeat(9 * MIB)))).status, 413);
});

test('stdin that is not JSON, empty, or of wrong types', async t => {
  const daemon = await startDaemon(t);
  for (const input of ['', ' \n', 'not json', '{', '[1,2]', '"text"', 'null', Buffer.from([0, 1, 2, 255]), '{"session_id":7}',
    '{"session_id":"w1","hook_event_name":7}', '{"session_id":"","hook_event_name":"Stop"}',
    '{"session_id":"w2","hook_event_name":"Stop"} trailing', '{"hook_event_name":"Stop"}'])
    await runHook(daemon.home, input);
  await runHook(daemon.home, { session_id: 'odd', hook_event_name: 'PreToolUse', tool_name: 5, tool_input: [1], cwd: 9, prompt: {} });
  await stillWorks(t, daemon);
  const sessions = await daemon.get('/api/sessions');
  for (const id of ['', '7', 'w1']) assert.equal(sessions[id], undefined, `no card for ${JSON.stringify(id)}`);
  assert.equal(sessions.odd?.status, 'working');
  assert.equal(sessions.w2?.status, 'waiting', 'what stands behind the object is left out');
});

test('POST /api/hooks says what is wrong with a payload', async t => {
  const daemon = await startDaemon(t);
  const good = { session_id: 's', hook_event_name: 'Stop' };
  for (const [payload, error] of [
    ['no json', 'payload must be a JSON object'], ['7', 'payload must be a JSON object'], ['', 'payload must be a JSON object'],
    ['[]', 'missing session_id'], [{ hook_event_name: 'Stop' }, 'missing session_id'],
    [{ ...good, session_id: 7 }, 'session_id must be a string'],
    [{ ...good, session_id: 'x'.repeat(257) }, 'session_id too long (max 256 chars)'],
    [{ session_id: 's' }, 'missing hook_event_name'],
    [{ ...good, hook_event_name: 'Sneeze' }, 'unknown event type: Sneeze'],
    [{ ...good, claude_pid: -1 }, 'claude_pid must be a positive integer'],
    [{ ...good, claude_pid: '12x' }, 'claude_pid must be a positive integer'],
    [{ ...good, timestamp: 'noon' }, 'timestamp must be a valid number'],
  ]) {
    const answer = await daemon.post(payload);
    assert.deepEqual([answer.status, await answer.json()], [400, { success: false, error }], JSON.stringify(payload).slice(0, 80));
  }
  assert.deepEqual(await daemon.get('/api/sessions'), {});
});

test('a spool directory that went away is made again', async t => {
  const daemon = await startDaemon(t);
  await stillWorks(t, daemon);
  fs.rmSync(spool(daemon.home), { recursive: true, maxRetries: 10, retryDelay: 20 });
  await stillWorks(t, daemon);
});

test('a spool that cannot be written: the hook stays quiet, HTTP says 503, and it recovers', async t => {
  const daemon = await startDaemon(t);
  await stillWorks(t, daemon);
  daemon.child.kill('SIGSTOP'); // else it makes the directory again before we can put something in its place
  fs.rmSync(spool(daemon.home), { recursive: true });
  fs.writeFileSync(spool(daemon.home), 'in the way');
  daemon.child.kill('SIGCONT');
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  const answer = await daemon.post(agent.start());
  assert.equal(answer.status, 503);
  assert.match((await answer.json()).error, /spool/);
  assert.equal((await daemon.fetch('/api/health')).status, 200);
  fs.rmSync(spool(daemon.home));
  await stillWorks(t, daemon);
});

test('a full disk: the hook stays quiet, HTTP says 503, and it recovers', async t => {
  const home = makeHome(t);
  fs.mkdirSync(spool(home), { mode: 0o700 });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', spool(home)], { stdio: 'pipe' });
  } catch {
    return t.skip('mounting a small file system takes root');
  }
  cleanup(t, () => execFileSync('umount', ['-l', spool(home)]));
  const daemon = await startDaemon(t, { home });
  await stillWorks(t, daemon);
  const filler = spool(home, 'filler');
  assert.throws(() => fs.writeFileSync(filler, Buffer.alloc(2 * MIB)), { code: 'ENOSPC' });
  const agent = new Agent({ cwd: '/srv/full' });
  const large = 'x'.repeat(MIB); // more than was kept for such a day
  await runHook(home, agent.prompt(large));
  const answer = await daemon.post(agent.prompt(large));
  assert.equal(answer.status, 503);
  fs.rmSync(filler);
  await stillWorks(t, daemon);
});

test('a database that someone else has locked: events go on, health says so, nothing is lost', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/srv/locked' });
  const board = await Board.connect(t, daemon);
  await runHook(daemon.home, agent.start());
  await board.session(agent.id);
  const release = await lockDatabase(t, daemon.home);
  await runHook(daemon.home, agent.prompt('While it is locked'));
  await board.session(agent.id, s => s.status === 'prompting', 'an update although nothing can be committed');
  await daemon.says(/locked/);
  const health = await daemon.get('/api/health');
  assert.equal(health.status, 'degraded');
  assert.match(health.problems[0], /locked by another program/);
  await release();
  await daemon.says(/takes writes again/);
  assert.deepEqual((await daemon.get('/api/health')).problems, []);
  await stillWorks(t, daemon);
  await daemon.stop();
  await daemon.start();
  assert.equal((await daemon.get('/api/sessions'))[agent.id].promptCount, 1);
});

test('a file that is not a database is named and left alone', async t => {
  const home = makeHome(t);
  const daemon = await startDaemon(t, { home });
  await stillWorks(t, daemon);
  await daemon.stop();
  const file = databaseOf(home);
  for (const extra of ['-wal', '-shm']) fs.rmSync(file + extra, { force: true });
  const bytes = Buffer.from('This is a diary and not a database. '.repeat(1000));
  fs.writeFileSync(file, bytes);
  const { code, stderr } = await ostler(home, ['serve', '--port', '0', '--no-open']);
  assert.notEqual(code, 0);
  assert.ok(stderr.includes(path.basename(file)), stderr);
  assert.match(stderr, /not a database/);
  assert.ok(fs.readFileSync(file).equals(bytes));
});

test('a busy port: names who has it and suggests another', async t => {
  const other = http.createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
  cleanup(t, () => other.close());
  await once(other, 'listening');
  const port = String(other.address().port);
  const { code, stderr } = await ostler(makeHome(t), ['serve', '--port', port, '--no-open']);
  assert.notEqual(code, 0);
  assert.ok(stderr.includes(port), stderr);
  assert.match(stderr, /--port/);
  assert.match(stderr, new RegExp(`node|${process.pid}`), 'who it is');
});

test('a port that another ostler has: says so', async t => {
  const daemon = await startDaemon(t);
  const { code, stderr } = await ostler(makeHome(t), ['serve', '--port', String(daemon.port), '--no-open']);
  assert.notEqual(code, 0);
  assert.match(stderr, /ostler/);
  assert.match(stderr, /--port/);
  await stillWorks(t, daemon);
});

test('a second daemon for the same home is refused', async t => {
  const daemon = await startDaemon(t);
  const { code, stderr } = await ostler(daemon.home, ['serve', '--port', '0', '--no-open']);
  assert.notEqual(code, 0);
  assert.ok(stderr.includes(String(daemon.child.pid)) || /already/.test(stderr), stderr);
  await stillWorks(t, daemon);
});

test('unknown routes, wrong methods', async t => {
  const daemon = await startDaemon(t);
  for (const where of ['/api/nothing', '/api', '/api/', '/api/sessions/unknown', '/api/sessions/%00', '/api/sessions/%zz']) {
    const answer = await daemon.fetch(where);
    assert.ok([400, 404].includes(answer.status), `${where}: ${answer.status}`);
    assert.equal(typeof (await answer.json()).error, 'string');
  }
  const page = await daemon.fetch('/some/deep/link');
  assert.equal(page.status, 200);
  assert.match(page.headers.get('content-type'), /text\/html/);
  for (const [method, where, allow] of [['DELETE', '/api/health', /GET/], ['POST', '/api/sessions', /GET/], ['GET', '/api/hooks', /POST/]]) {
    const answer = await daemon.fetch(where, { method });
    assert.equal(answer.status, 405, `${method} ${where}`);
    assert.match(answer.headers.get('allow'), allow);
    assert.equal(typeof (await answer.json()).error, 'string');
  }
});

test('too large: URL, headers, body, message', async t => {
  const daemon = await startDaemon(t);
  assert.equal((await request(daemon, `GET /api/health?${'x'.repeat(9000)}`)).status, 414);
  assert.equal((await request(daemon, 'GET /api/health', { 'X-Big': 'y'.repeat(33 << 10) })).status, 431);
  const announced = await request(daemon, 'POST /api/hooks', { 'Content-Length': 11 * MIB, 'Content-Type': 'application/json' });
  assert.equal(announced.status, 413);
  const chunk = `${(64 << 10).toString(16)}\r\n${'z'.repeat(64 << 10)}\r\n`;
  const chunked = await request(daemon, 'POST /api/hooks',
    { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' }, chunk.repeat(170));
  assert.equal(chunked.status, 413);
  const board = await Board.connect(t, daemon, { v1: true });
  board.send(JSON.stringify({ type: 'open', id: 'x'.repeat(MIB + 1) }));
  assert.equal((await board.closed).code, 1009);
  await stillWorks(t, daemon);
});

test('bytes that are not HTTP, and requests shaped to smuggle', async t => {
  const daemon = await startDaemon(t);
  const host = `Host: 127.0.0.1:${daemon.port}\r\n`;
  for (const bytes of ['hello\r\n\r\n', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 'GET / HTTP/9.9\r\n\r\n',
    `POST /api/hooks HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST /api/hooks HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`,
    `GET /api/health HTTP/1.1\r\n${host}Bad Header: x\r\n\r\n`]) {
    const { status } = await raw(daemon.port, bytes);
    assert.ok(status === 0 || (status >= 400 && status < 500) || status === 505, `${JSON.stringify(bytes.slice(0, 40))}: ${status}`);
  }
  await stillWorks(t, daemon);
});

test('bad upgrades', async t => {
  const daemon = await startDaemon(t);
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==' };
  assert.equal((await request(daemon, 'GET /ws', { ...upgrade, 'Sec-WebSocket-Key': undefined })).status, 400);
  assert.equal((await request(daemon, 'GET /ws', { ...upgrade, 'Sec-WebSocket-Key': 'short' })).status, 400);
  const old = await request(daemon, 'GET /ws', { ...upgrade, 'Sec-WebSocket-Version': 8 });
  assert.equal(old.status, 426);
  assert.equal(old.header('sec-websocket-version'), '13');
  assert.ok((await request(daemon, 'GET /api/health', upgrade)).status !== 101);
  assert.ok((await request(daemon, 'GET /ws/nowhere', upgrade)).status >= 400);
  await stillWorks(t, daemon);
});

test('another site, another host', async t => {
  const daemon = await startDaemon(t);
  for (const host of ['evil.example', `evil.example:${daemon.port}`, '127.0.0.1:1', 'localhost.evil.example', ''])
    assert.ok([400, 421].includes((await request(daemon, 'GET /api/health', { Host: host })).status), `Host ${host}`);
  assert.equal((await request(daemon, 'GET /api/health', { Host: 'evil.example' })).status, 421);
  for (const host of ['127.0.0.1', 'localhost', '[::1]'])
    assert.equal((await request(daemon, 'GET /api/health', { Host: `${host}:${daemon.port}` })).status, 200, `Host ${host}`);
  const body = JSON.stringify(new Agent({ id: 'forged' }).start());
  for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${daemon.port + 1}`, `https://127.0.0.1.evil.example:${daemon.port}`]) {
    const post = await request(daemon, 'POST /api/hooks',
      { Origin: origin, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }, body);
    assert.equal(post.status, 403, `POST from ${origin}`);
    await assert.rejects(Board.connect(t, daemon, { headers: { origin } }), /403/, `socket from ${origin}`);
  }
  await Board.connect(t, daemon, { headers: { origin: `http://127.0.0.1:${daemon.port}` } });
  assert.equal((await daemon.get('/api/sessions')).forged, undefined);
});

test('another user of this machine is turned away, page and socket alike', async t => {
  if (process.getuid() !== 0) return t.skip('taking on another user takes root');
  const daemon = await startDaemon(t);
  // It becomes the other user only once it runs: Node itself may lie in a home that others cannot enter.
  const script = `const http = require('http'), [url, user] = process.argv.slice(1);
    if (user) { process.setgroups([]); process.setgid(+user); process.setuid(+user); }
    const get = (where, headers) => new Promise(done => http.get(url + where, { headers },
    r => { r.resume(); done(r.statusCode); }).on('upgrade', () => done(101)));
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'A'.repeat(22) + '==' };
    (async () => console.log(await get('/'), await get('/api/sessions'), await get('/ws', upgrade)))();`;
  const ask = (...user) => execFileSync(process.execPath, ['-e', script, daemon.url, ...user], { encoding: 'utf8', cwd: '/' }).trim();
  assert.equal(ask('65534'), '403 403 403');
  assert.equal(ask(), '200 200 101');
});

test('messages that the board does not understand', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon, { v1: true });
  const bad = ['no json', '[]', '{}', '{"type":7}', '{"type":"dance"}', '{"type":"open"}', '{"type":"open","id":"nobody"}',
    '{"type":"replay"}', '{"type":"replay","sinceSeq":"x"}', '{"type":"replay","sinceSeq":-1}'];
  for (const message of bad) board.send(message);
  board.send({ type: 'replay', sinceSeq: board.seq });
  await board.waitFor(m => m.type === 'replay' || m.type === 'snapshot', { from: 2 });
  const errors = board.messages.filter(m => m.type === 'error');
  assert.ok(errors.length >= 7, `${errors.length} errors`);
  for (const { error } of errors) assert.ok(error.length > 5);
  await stillWorks(t, daemon);
});
