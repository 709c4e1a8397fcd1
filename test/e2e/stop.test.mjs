// Stopping: cleanly, promptly, with clients connected.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { Daemon, makeHome, startDaemon } from './lib/daemon.mjs';
import { lockDatabase, readDatabase } from './lib/database.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

for (const signal of ['SIGTERM', 'SIGINT'])
  test(`${signal} with clients connected ends with 0 and takes daemon.json along`, async t => {
    const daemon = await startDaemon(t);
    const agent = new Agent();
    const boards = [await Board.connect(t, daemon), await Board.connect(t, daemon, { v1: true })];
    await runHook(daemon.home, agent.start());
    for (const board of boards) await board.session(agent.id);
    const half = net.connect(daemon.port, '127.0.0.1'); // a request that never ends must not hold it up
    half.on('error', () => {});
    await once(half, 'connect');
    half.write('GET /api/health HTTP/1.1\r\nHost: 127.0.');

    const info = path.join(daemon.home, 'run/daemon.json');
    assert.ok(fs.existsSync(info));
    await daemon.stop(signal);
    assert.equal(fs.existsSync(info), false);
    for (const board of boards) assert.equal((await board.closed).code, 1001);
    half.destroy();

    await daemon.start();
    assert.deepEqual(Object.keys(await daemon.get('/api/sessions')), [agent.id]);
  });

test('a database that is locked does not hold the stop up, and costs nothing', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  await board.session(agent.id);
  const release = await lockDatabase(t, daemon.home);
  for (const prompt of ['one', 'two', 'three']) await runHook(daemon.home, agent.prompt(prompt));
  await board.session(agent.id, s => s.promptCount === 3);
  await daemon.says(/locked/);
  await daemon.stop();
  await release();
  await daemon.start();
  const again = await Board.connect(t, daemon);
  await again.session(agent.id, s => s.promptCount === 3);
});

test('a long reader of the database holds up nothing but the spool', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  await board.session(agent.id);
  const release = await readDatabase(t, daemon.home);
  for (let i = 0; i < 6; i++) await runHook(daemon.home, agent.prompt('x'.repeat(1 << 20))); // a segment is full
  await board.session(agent.id, s => s.promptCount === 6);
  for (let i = 0; i < 10; i++) await runHook(daemon.home, agent.prompt(`p${i}`));
  await daemon.says(/checkpoint failed/);
  for (let i = 0; i < 10; i++) await runHook(daemon.home, agent.prompt(`q${i}`));
  await board.session(agent.id, s => s.promptCount === 26);
  await release();
  await daemon.stop();
  await daemon.start();
  const again = await Board.connect(t, daemon);
  await again.session(agent.id, s => s.promptCount === 26);
});

test('daemon.json says where it listens, to its owner only', async t => {
  const daemon = await startDaemon(t);
  const info = path.join(daemon.home, 'run/daemon.json');
  assert.deepEqual(Object.keys(daemon.info).sort(), ['pid', 'port', 'socket', 'url', 'version']);
  assert.equal(daemon.info.url, `http://127.0.0.1:${daemon.port}`.replace('127.0.0.1', new URL(daemon.info.url).hostname));
  assert.equal(fs.statSync(info).mode & 0o077, 0);
  for (const dir of ['', 'spool']) assert.equal(fs.statSync(path.join(daemon.home, dir)).mode & 0o077, 0, `${dir || 'home'} is 0700`);
});

test('a second Ctrl-C ends it at once, and costs nothing', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  await board.session(agent.id);
  const release = await lockDatabase(t, daemon.home); // so that the stop takes a moment
  await runHook(daemon.home, agent.prompt('in the spool, and nowhere else'));
  await board.session(agent.id, s => s.promptCount === 1);
  daemon.child.kill('SIGINT');
  await daemon.says(/stopping \(interrupted\)/);
  const end = await daemon.kill('SIGINT');
  assert.ok(end.signal === 'SIGINT' || end.code === 0, JSON.stringify(end)); // 0: it had ended before it came
  await release();
  await daemon.start();
  const again = await Board.connect(t, daemon);
  await again.session(agent.id, s => s.promptCount === 1);
});

test('SIGTERM at any moment of the start: it ends, and leaves nothing in the way', async t => {
  const home = makeHome(t), lock = path.join(home, 'lock');
  const moments = { 'with the lock': () => fs.existsSync(lock) && fs.statSync(lock).size > 0,
    'with the database': () => fs.existsSync(path.join(home, 'ostler.db-wal')), 'with daemon.json': () => fs.existsSync(path.join(home, 'run/daemon.json')) };
  for (const [name, reached] of Object.entries(moments)) {
    fs.rmSync(lock, { force: true });
    const daemon = new Daemon(home), watcher = fs.watch(home);
    const starting = daemon.start().catch(error => error);
    cleanup(t, () => daemon.kill());
    while (daemon.child?.pid === undefined || (!reached() && daemon.running)) await Promise.race([once(watcher, 'change'), starting]);
    watcher.close();
    const end = await daemon.kill('SIGTERM');
    await starting;
    assert.ok(end.code === 0 || end.signal === 'SIGTERM', `${name}: ${JSON.stringify(end)}\n${daemon.log}`);
    daemon.checkLog();
    assert.equal(fs.existsSync(path.join(home, 'run/daemon.json')), false, name);
  }
  await startDaemon(t, { home });
});

test('clients that read nothing do not hold the stop up', async t => {
  const daemon = await startDaemon(t), agent = new Agent(), board = await Board.connect(t, daemon);
  await runHook(daemon.home, agent.start());
  await board.session(agent.id);
  const key = { 'sec-websocket-version': '13', 'sec-websocket-key': 'MTIzNDU2Nzg5MDEyMzQ1Ng==' };
  const head = ['GET /ws HTTP/1.1', `Host: 127.0.0.1:${daemon.port}`, 'Connection: Upgrade', 'Upgrade: websocket',
    ...Object.entries(key).map(pair => pair.join(': '))];
  const deaf = net.connect(daemon.port, '127.0.0.1');
  deaf.on('error', () => {});
  await once(deaf, 'connect');
  deaf.write(`${head.join('\r\n')}\r\n\r\n`);
  await once(deaf, 'readable'); // the upgrade is answered; nothing is read from now on
  for (let i = 0; i < 12; i++) await runHook(daemon.home, agent.prompt('x'.repeat(1 << 20)));
  await board.session(agent.id, s => s.promptCount === 12);
  await daemon.stop();
  deaf.destroy();
});

test('a full disk does not hold the stop up, and what was in the spool is there afterwards', async t => {
  const home = makeHome(t), disk = path.join(home, 'disk'), agent = new Agent();
  fs.mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', disk], { stdio: 'pipe' });
  } catch {
    return t.skip('mounting a small file system takes root');
  }
  cleanup(t, () => execFileSync('umount', ['-l', disk]));
  const daemon = await startDaemon(t, { home: disk });
  const board = await Board.connect(t, daemon);
  await runHook(disk, agent.start());
  await board.session(agent.id);
  for (let i = 0; i < 20; i++) await runHook(disk, agent.prompt('x'.repeat(50_000)));
  await board.session(agent.id, s => s.promptCount === 20);
  const filler = path.join(disk, 'filler');
  assert.throws(() => fs.writeFileSync(filler, Buffer.alloc(8 << 20)), { code: 'ENOSPC' });
  await daemon.post(agent.prompt('one too many'));
  await daemon.stop();
  fs.rmSync(filler);
  await daemon.start();
  const again = await Board.connect(t, daemon);
  await again.session(agent.id, s => s.promptCount >= 20);
});
