// Whatever became of the files beside it: a terminal that lives is in the list, can be typed into, and what is lost is said.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { keepers, startDaemon } from './lib/daemon.mjs';
import { makeTerminal } from './lib/tty.mjs';

const gone = file => fs.rmSync(file, { recursive: true, force: true });
const DAMAGES = {
  missing: gone,
  empty: file => { gone(file); fs.writeFileSync(file, ''); },
  half: file => { if (fs.statSync(file).isFile()) fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2)); else gone(file); },
  random: file => { gone(file); fs.writeFileSync(file, crypto.randomBytes(5000)); },
  directory: file => { gone(file); fs.mkdirSync(file); },
  fifo: file => { gone(file); execFileSync('mkfifo', [file]); },
  device: file => { gone(file); fs.symlinkSync('/dev/zero', file); },
  link: file => { gone(file); fs.symlinkSync(path.join(path.dirname(path.dirname(path.dirname(file))), 'elsewhere'), file); },
  foreign: file => { gone(file); fs.writeFileSync(file, '{"v":1,"id":"term-1-aaaaaa","kind":"shell","epoch":5}\n'); },
  unreadable: file => fs.chmodSync(file, 0),
};
const FILES = {
  'meta.json': dir => path.join(dir, 'meta.json'),
  'the file of its environment': dir => path.join(dir, 'environment'),
  'its journal': dir => path.join(dir, 'journal'),
  'a segment of its journal': dir => path.join(dir, 'journal', fs.readdirSync(path.join(dir, 'journal')).find(name => /\.seg/.test(name))),
  'what is being written beside it': dir => path.join(dir, 'meta.json.new'),
};

async function until(look, what) {
  for (const end = Date.now() + 60_000; ;) {
    const seen = await look();
    if (seen) return seen;
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await sleep(30);
  }
}

const lines = async (daemon, id) => (await daemon.get(`/api/terminals/${id}/screen`)).lines.filter(Boolean);
const type = async (daemon, id, data) => (await daemon.fetch(`/api/terminals/${id}/write`,
  { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ data }) })).status;

/** A terminal that says what it is told. */
async function talking(daemon, workingDir) {
  const { terminalId: id } = await makeTerminal(daemon, { argv: ['sh', '-c', 'stty -echo; echo begun; exec cat'], workingDir, env: { MARK: 'x' }, sessionTitle: 'the one' });
  await until(async () => (await lines(daemon, id)).includes('begun'), 'its first words');
  return id;
}

/** The same process lives, and answers. */
async function checkLives(daemon, id, pid, what) {
  const now = await until(async () => {
    const { terminals } = await daemon.get('/api/terminals'), t = terminals.find(one => one.terminalId === id);
    assert.ok(t, `${what}: it is in the list`);
    return t.connection === 'live' && t;
  }, `${what}: it lives`);
  assert.equal(now.pid, pid, what);
  assert.equal(await type(daemon, id, 'are you there\n'), 200, what);
  await until(async () => (await lines(daemon, id)).includes('are you there'), `${what}: it answers`);
  return now;
}

for (const [name, find] of Object.entries(FILES))
  test(`${name} damaged in every way, while its terminal lives`, { timeout: 180_000 }, async t => {
    const daemon = await startDaemon(t, { samePort: true });
    fs.writeFileSync(path.join(daemon.home, 'elsewhere'), 'nobody writes here\n');
    const terminals = path.join(daemon.home, 'terminals');
    const kinds = Object.keys(DAMAGES).filter(kind => kind !== 'unreadable' || process.getuid() !== 0);
    const made = [];
    for (const kind of kinds) {
      const id = await talking(daemon, daemon.home), { pid } = await daemon.get(`/api/terminals/${id}`);
      made.push({ kind, id, pid, dir: path.join(terminals, id) });
    }
    await sleep(700); // what changed is saved twice a second
    await daemon.crash();
    for (const one of made) {
      const file = find(one.dir);
      if (!fs.existsSync(file)) fs.writeFileSync(file, 'x');
      DAMAGES[one.kind](file);
    }
    await daemon.start();
    for (const { kind, id, pid } of made) {
      const now = await checkLives(daemon, id, pid, kind);
      assert.ok((await lines(daemon, id)).includes('begun'), `${kind}: what it printed is there, in its keeper`);
      if (name === 'meta.json') assert.match(now.lost ?? '', /what was noted of it is lost .*title/, kind);
      if (name === 'meta.json') assert.deepEqual([now.command, now.cols, now.rows], ['sh', 120, 40], kind);
      if (name === 'its journal') assert.match(now.lost ?? '', /what it had printed cannot be read|its journal is not there any more/, kind);
    }
    // It is kept: once more, and nothing else has become of it.
    await sleep(1500);
    await daemon.crash();
    await daemon.start();
    for (const { kind, id, pid } of made) {
      const now = await checkLives(daemon, id, pid, `${kind}, once more`);
      if (name === 'meta.json') assert.match(now.lost ?? '', /^what was noted of it is lost [^;]*$/, kind);
    }
    assert.equal(keepers(daemon.home).length, made.length);
    assert.equal(fs.readFileSync(path.join(daemon.home, 'elsewhere'), 'utf8'), 'nobody writes here\n', 'links are not followed');
  });

test('a state directory out of a backup: its terminals are as their keepers say', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const id = await talking(daemon, daemon.home), dir = path.join(daemon.home, 'terminals', id), before = await daemon.get(`/api/terminals/${id}`);
  const meta = JSON.parse(fs.readFileSync(path.join(dir, 'meta.json'), 'utf8'));
  await daemon.crash();
  fs.writeFileSync(path.join(dir, 'meta.json'), JSON.stringify({ ...meta, epoch: meta.epoch - 5000, ended: true, rested: false, code: 0 }));
  fs.rmSync(path.join(dir, 'journal'), { recursive: true });
  await daemon.start();
  const now = await checkLives(daemon, id, before.pid, 'restored');
  assert.match(now.lost, /of an earlier time/);
  assert.equal(now.epoch, before.epoch);
});

test('a directory that is gone: its terminal is in the list, and why nobody can reach it is said', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const id = await talking(daemon, daemon.home), { pid } = await daemon.get(`/api/terminals/${id}`);
  await daemon.crash();
  const [keeper] = keepers(daemon.home);
  fs.rmSync(path.join(daemon.home, 'terminals', id), { recursive: true });
  await daemon.start();
  const { terminals } = await daemon.get('/api/terminals'), now = terminals.find(one => one.terminalId === id);
  assert.match(now?.lost ?? '', new RegExp(`its program still runs, but its keeper \\(pid ${keeper}\\) cannot be reached`));
  assert.ok(fs.existsSync(`/proc/${pid}`));
});

test('what is deleted stays deleted, though the daemon dies in the middle of it', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const id = await talking(daemon, daemon.home), dir = path.join(daemon.home, 'terminals', id);
  await daemon.crash();
  fs.renameSync(path.join(dir, 'meta.json'), path.join(dir, 'forgotten')); // as far as it had come
  await daemon.start();
  assert.deepEqual((await daemon.get('/api/terminals')).terminals, []);
  await until(() => !fs.existsSync(dir) && keepers(daemon.home).length === 0, 'its end');
});
