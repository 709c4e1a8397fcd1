// Stopping: cleanly, promptly, with clients connected.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { once } from 'node:events';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { startDaemon } from './lib/daemon.mjs';
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
  assert.deepEqual(Object.keys(daemon.info).sort(), ['pid', 'port', 'url', 'version']);
  assert.equal(daemon.info.url, `http://127.0.0.1:${daemon.port}`.replace('127.0.0.1', new URL(daemon.info.url).hostname));
  assert.equal(fs.statSync(info).mode & 0o077, 0);
  for (const dir of ['', 'spool']) assert.equal(fs.statSync(path.join(daemon.home, dir)).mode & 0o077, 0, `${dir || 'home'} is 0700`);
});
