// Files that look like backups and unpack to more than any disk, memory or patience has: refused with words, and nothing is changed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { frame, packedHead, tarHead } from './lib/bomb.mjs';
import { environment, makeHome, OSTLER, ostler } from './lib/daemon.mjs';
import { smallHome } from './lib/small_disk.mjs';

const GIB = 2 ** 30, MEMORY_MAX_KIB = 400 << 10; // of a program with sanitizers

/** A home alone in its directory, and a file beside it. */
function makePlace(t, base = makeHome(t)) {
  const home = path.join(base, 'home');
  fs.mkdirSync(home, { recursive: true, mode: 0o700 });
  return { base, home, file: path.join(makeHome(t), 'bomb') };
}

/** The most that it wrote and took; `input` is what it reads where no file is named. */
async function measured(home, args, input) {
  const child = spawn('sh', ['-c', '"$0" "$@"; status=$?; cat /proc/$$/io >&3; exit $status', OSTLER, ...args],
    { env: environment(home), stdio: [input ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'] });
  let said = '', io = '', peak = 0;
  child.stderr.on('data', chunk => { said += chunk; });
  child.stdout.resume();
  child.stdio[3].on('data', chunk => { io += chunk; });
  if (input) {
    child.stdin.on('error', () => {}); // it may have seen enough
    child.stdin.end(input);
  }
  const look = setInterval(() => {
    try {
      const [pid] = fs.readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
      peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0));
    } catch {
      // it has ended
    }
  }, 10);
  const [code] = await once(child, 'close');
  clearInterval(look);
  return { code, said, peak, written: Number(/^wchar: (\d+)/m.exec(io)[1]) };
}

/** Neither restore nor check take it, and both leave everything as it was. */
async function refused({ base, home, file }, pattern, { written = 1 << 20, pipe = false } = {}) {
  const before = fs.readdirSync(base);
  for (const args of [['restore', pipe ? '-' : file], ...(pipe ? [] : [['backup', '--check', file]])]) {
    const end = await measured(home, args, pipe ? fs.readFileSync(file) : null);
    assert.equal(end.code, 1, end.said);
    assert.match(end.said, pattern);
    assert.match(end.said, /nothing was changed/);
    assert.ok(end.peak < MEMORY_MAX_KIB, `${end.peak} KiB`);
    assert.ok(end.written <= written, `${end.written} bytes were written`);
    assert.deepEqual(fs.readdirSync(base), before);
    assert.deepEqual(fs.readdirSync(home).filter(name => name !== 'lock'), []);
  }
}

test('a few megabytes that unpack to 100 GiB are refused before a byte of it is written', async t => {
  const place = makePlace(t);
  fs.writeFileSync(place.file, Buffer.concat([frame.begin, frame.raw(tarHead('state/archive/bomb', 100 * GIB)), frame.zeros(100 * GIB), frame.end]));
  assert.ok(fs.statSync(place.file).size < 4 << 20);
  await refused(place, /would unpack to far more/);
});

test('the same through a pipe, in many parts and behind the end', { timeout: 120_000 }, async t => {
  const place = makePlace(t), parts = [frame.begin];
  for (let i = 0; i < 200; i++) parts.push(frame.raw(tarHead(`state/archive/${i}`, GIB / 2)), frame.zeros(GIB / 2));
  fs.writeFileSync(place.file, Buffer.concat([...parts, frame.end]));
  await refused(place, /would unpack to far more/, { pipe: true, written: 1.2 * GIB });
  fs.writeFileSync(place.file, Buffer.concat([frame.begin, frame.zeros(100 * GIB), frame.end]));
  await refused(place, /something follows its end/);
});

test('sizes that nobody has: nothing is made for them', async t => {
  const place = makePlace(t);
  for (const size of [2n ** 63n - 1n, 2n ** 62n, BigInt(2 * GIB)]) {
    fs.writeFileSync(place.file, Buffer.concat([frame.begin, frame.raw(tarHead('state/ostler.db', size)), frame.zeros(4096), frame.end]));
    await refused(place, /would unpack to far more/);
  }
  for (const size of [2n ** 63n, 2n ** 64n - 1n]) {
    fs.writeFileSync(place.file, Buffer.concat([frame.begin, frame.raw(tarHead('state/ostler.db', size)), frame.end]));
    await refused(place, /no backup that can be used/);
  }
});

test('a part that the disk has no room for is not begun', async t => {
  const small = smallHome(t, 'size=48m');
  if (!small) return;
  const place = makePlace(t, small.disk), size = 40 << 20;
  fs.writeFileSync(place.file, Buffer.concat([frame.begin, frame.raw(tarHead('state/ostler.db', size)), frame.zeros(size), frame.end]));
  const end = await measured(place.home, ['restore', place.file]);
  assert.equal(end.code, 1);
  assert.match(end.said, /the disk has no room .* 40 MB.*nothing was changed/);
  assert.ok(end.written < 1 << 20);
  assert.deepEqual(fs.readdirSync(small.disk), ['home']);
});

test('more tiny parts than the disk has files for: it keeps some', { timeout: 120_000 }, async t => {
  const small = smallHome(t, 'size=96m,nr_inodes=20k');
  if (!small) return;
  const place = makePlace(t, small.disk), parts = [frame.begin];
  for (let i = 0; i < 100_000; i++) parts.push(packedHead(`state/archive/${i}`, 0));
  fs.writeFileSync(place.file, Buffer.concat([...parts, frame.end]));
  const child = ostler(place.home, ['restore', place.file]);
  let fewest = Infinity, done = false;
  const end = child.finally(() => { done = true; });
  while (!done) {
    fewest = Math.min(fewest, Number(fs.statfsSync(small.disk).ffree));
    await new Promise(resolve => { setTimeout(resolve, 5); });
  }
  const { code, stderr } = await end;
  assert.equal(code, 1);
  assert.match(stderr, /cannot take as many files.*nothing was changed/);
  assert.ok(fewest >= 900, `${fewest} were left to others`);
  assert.deepEqual(fs.readdirSync(small.disk), ['home']);
});
