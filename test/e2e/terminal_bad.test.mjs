// What people, programs and disks do to terminals. A clear word, bounded memory, nothing lost, nothing executed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { Daemon, keepers, startDaemon } from './lib/daemon.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const MEGABYTES = 24, RESIZES = 10_000;

/** Freed memory that the sanitizer keeps for itself is not the daemon's. */
const LEAN = { env: { ASAN_OPTIONS: [process.env.ASAN_OPTIONS, 'quarantine_size_mb=4'].filter(Boolean).join(':') } };

const facts = (daemon, { terminalId }) => daemon.get(`/api/terminals/${terminalId}`);
const screen = (daemon, { terminalId }) => daemon.get(`/api/terminals/${terminalId}/screen`);

async function until(condition, what, ms = 30_000) {
  const end = Date.now() + ms;
  while (!await condition()) {
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await sleep(20);
  }
}

test('a program that prints without end costs no memory and delays nobody', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t, LEAN);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', `yes "a line of text that goes on for a while" | head -c ${MEGABYTES}M; sleep 1000`], workingDir: '/' });
  const slow = await Tty.connect(t, daemon, made, { acks: false }); // never acknowledges anything
  await until(async () => (await facts(daemon, made)).bytes > 4 << 20, 'the first megabytes');
  const early = daemon.rss, asked = Date.now();
  assert.equal((await daemon.get('/api/health')).status, 'ok');
  assert.ok(Date.now() - asked < 5000);
  await until(async () => (await facts(daemon, made)).bytes >= MEGABYTES << 20, 'the last', 100_000);
  assert.ok(daemon.rss - early < 48 << 20, `the daemon grew by ${(daemon.rss - early) >> 20} MiB`);
  assert.ok(slow.offset <= 2 << 20, 'who acknowledges nothing is sent a window, not everything');
});

test(`${RESIZES} resizes end where the last one said`, { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'echo started; trap "" WINCH; while read line; do stty size; done'], workingDir: '/' });
  const tty = await Tty.connect(t, daemon, made);
  await until(async () => (await screen(daemon, made)).lines[0] === 'started', 'the program');
  for (let i = 0; i < RESIZES; i++) tty.send({ type: 'resize', cols: 20 + i % 180, rows: 5 + i % 60 });
  tty.send({ type: 'resize', cols: 91, rows: 33 });
  await until(async () => { const { cols, rows } = await facts(daemon, made); return cols === 91 && rows === 33; }, 'the last size');
  tty.type('\r');
  await tty.shows('33 91');
  assert.ok((await daemon.get('/api/health')).status, 'ok');
});

test('hostile sequences and junk leave a terminal that works', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t, LEAN);
  const script = `print "\\e]0;" . ("x" x 3_000_000) . "\\a"; print "\\eP" . ("q#1" x 500_000) . "\\e\\\\"; print "\\e[" . ("9" x 100_000) . "C";
    print "\\e[" . (";" x 100_000) . "m"; print "\\e_" . ("A" x 1_000_000); print "\\x9c\\ec"; print map { chr(int(rand(256))) } 1..500_000;
    print "\\ec\\e[?1049l\\e[!p\\e(B\\e[0m\\e[2J\\e[Hstill here\\n"; sleep 1000;`;
  const file = path.join(daemon.home, 'hostile.pl');
  fs.writeFileSync(file, script);
  const before = daemon.rss;
  const made = await makeTerminal(daemon, { argv: ['perl', file], workingDir: '/' });
  await until(async () => (await screen(daemon, made)).lines.some(line => line.includes('still here')), 'the end of it');
  assert.ok(daemon.rss - before < 64 << 20);
  assert.ok((await facts(daemon, made)).screenTitle.length <= 1024);
});

test('a keeper that is killed takes its program with it; what was printed is there, and it can be had back', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'echo before; exec sleep 1000'], workingDir: '/' });
  const tty = await Tty.connect(t, daemon, made);
  const { pid } = await facts(daemon, made);
  await until(async () => (await screen(daemon, made)).lines[0] === 'before', 'its output');
  for (const keeper of keepers(daemon.home)) process.kill(keeper, 'SIGKILL');
  await tty.until(() => tty.exit, 'its end');
  await until(() => !fs.existsSync(`/proc/${pid}`), 'the program to go');
  const { connection } = await facts(daemon, made);
  assert.equal(connection, 'ended');
  assert.equal((await screen(daemon, made)).lines[0], 'before');
  const answer = await daemon.fetch(`/api/sessions/${made.terminalId}/resume`, { method: 'POST' });
  assert.equal(answer.status, 200, await answer.clone().text());
  await until(async () => { const { lines } = await screen(daemon, made); return (await facts(daemon, made)).connection === 'live' && lines.includes('before'); }, 'its second life');
});

test('a keeper that speaks another language is left alone, and said to be so', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/' });
  const [keeper] = keepers(daemon.home);
  const { pid } = await facts(daemon, made);
  await daemon.crash();
  // As a keeper of a far future would: it refuses, and lives on.
  const dir = path.join(daemon.home, 'terminals', made.terminalId), socket = path.join(dir, 'keeper.sock');
  fs.renameSync(socket, path.join(dir, 'aside.sock'));
  const net = await import('node:net');
  const server = net.createServer(peer => {
    const sentence = Buffer.from('I speak version 7 only.'), head = Buffer.alloc(8);
    head.writeUInt32LE(sentence.length, 0);
    head.writeUInt16LE(69, 4);
    peer.on('error', () => {});
    peer.end(Buffer.concat([head, sentence]));
  }).listen(socket);
  cleanup(t, () => server.close());
  await daemon.start();
  await until(async () => (await facts(daemon, made)).trouble, 'a sentence');
  assert.match((await facts(daemon, made)).trouble, /version 7 only/);
  const answer = await daemon.fetch(`/api/sessions/${made.terminalId}/resume`, { method: 'POST' });
  assert.equal(answer.status, 409, await answer.clone().text());
  process.kill(keeper, 0); // nobody killed anybody
  process.kill(pid, 0);
});

test('a full disk: a sentence, the program goes on, and what comes later is kept again', { timeout: 60_000 }, async t => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-e2e-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', home], { stdio: 'pipe' });
  } catch {
    fs.rmdirSync(home);
    t.skip('a small file system cannot be mounted here');
    return;
  }
  cleanup(t, () => { execFileSync('umount', ['-l', home]); fs.rmdirSync(home); });
  cleanup(t, () => keepers(home).forEach(pid => process.kill(pid, 'SIGKILL')));
  const daemon = new Daemon(home);
  cleanup(t, () => daemon.stop());
  await daemon.start();
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'read go; seq 1 400000; read go; echo afterwards; sleep 1000'], workingDir: '/' });
  const tty = await Tty.connect(t, daemon, made);
  const filler = path.join(home, 'filler'), fd = fs.openSync(filler, 'w');
  assert.throws(() => { for (;;) fs.writeSync(fd, Buffer.alloc(1 << 16)); }, /ENOSPC/);
  fs.closeSync(fd);
  tty.type('\r');
  await until(async () => (await facts(daemon, made)).trouble, 'trouble');
  assert.match((await facts(daemon, made)).trouble, /space|written/i);
  await until(async () => (await screen(daemon, made)).lines.includes('400000'), 'the program to go on all the same');
  fs.rmSync(filler);
  tty.type('\r');
  await until(async () => (await screen(daemon, made)).lines.includes('afterwards'), 'more output');
  await until(async () => !(await facts(daemon, made)).trouble, 'the end of trouble');
  await sleep(2500); // the disk is asked again every second
  await daemon.crash();
  keepers(home).forEach(pid => process.kill(pid, 'SIGKILL'));
  await daemon.start();
  assert.deepEqual((await screen(daemon, made)).lines.filter(Boolean).slice(-1), ['afterwards'], 'what came after the trouble is on disk');
});

test('journals and what is kept beside them, damaged at any place: the daemon starts and says what there is', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'seq 1 500; sleep 1000'], workingDir: '/' });
  await until(async () => (await screen(daemon, made)).lines.includes('500'), 'its output');
  await sleep(1200);
  await daemon.crash();
  keepers(daemon.home).forEach(pid => process.kill(pid, 'SIGKILL'));
  const dir = path.join(daemon.home, 'terminals', made.terminalId), journal = path.join(dir, 'journal');
  const files = [path.join(dir, 'meta.json'), ...fs.readdirSync(journal).map(name => path.join(journal, name))];
  const good = new Map(files.map(file => [file, fs.readFileSync(file)]));
  for (const file of files) {
    const bytes = good.get(file);
    for (const [cut, flip] of [[0, false], [1, false], [Math.floor(bytes.length / 2), false], [bytes.length - 1, false], [Math.floor(bytes.length / 3), true]]) {
      const damaged = flip ? Buffer.from(bytes) : bytes.subarray(0, cut);
      if (flip) damaged[cut] ^= 0xff;
      fs.writeFileSync(file, damaged);
      await daemon.start();
      const { terminals } = await daemon.get('/api/terminals');
      for (const one of terminals) {
        assert.equal(one.connection, 'restored');
        assert.equal((await daemon.fetch(`/api/terminals/${one.terminalId}/screen`)).status, 200);
      }
      if (file !== files[0]) assert.equal(terminals.length, 1);
      await daemon.stop();
      fs.rmSync(dir, { recursive: true });
      fs.mkdirSync(journal, { recursive: true, mode: 0o700 });
      for (const [name, content] of good) fs.writeFileSync(name, content);
    }
  }
  await daemon.start();
  assert.ok((await screen(daemon, made)).lines.includes('500'));
});

test('a keeper goes when what became of its program could be saved, however late', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t), made = await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: daemon.home });
  const meta = path.join(daemon.home, 'terminals', made.terminalId, 'meta.json'), [keeper] = keepers(daemon.home);
  await until(() => fs.existsSync(meta), 'what is known of it');
  fs.renameSync(meta, `${meta}.away`);
  fs.mkdirSync(meta); // nothing can take its place
  await daemon.fetch(`/api/terminals/${made.terminalId}`, { method: 'DELETE' });
  await daemon.says(new RegExp(`${made.terminalId} cannot be saved`));
  assert.deepEqual(keepers(daemon.home), [keeper], 'it keeps what nobody else has');
  fs.rmdirSync(meta);
  await until(() => keepers(daemon.home).length === 0, 'its end');
  assert.equal(JSON.parse(fs.readFileSync(meta, 'utf8')).id, made.terminalId);
});
