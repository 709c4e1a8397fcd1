// Repairs while everything else happens: an agent that goes on writing, a kill at any moment, a disk that is full, a file that
// is replaced, cut or written anew under our hands. Nothing but parents may ever differ, and no line may be lost.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanup } from './lib/cleanup.mjs';
import { environment, makeHome, OSTLER } from './lib/daemon.mjs';
import { Random } from './lib/random.mjs';
import { besides, jsonl, makeSession, makeSessions, repairAll, repairOne } from './lib/repair.mjs';
import { Corpus } from './lib/transcript_corpus.mjs';
import { writerLine } from './lib/transcript_writer.mjs';
import { apply, repair, scan, withoutParents } from './lib/transcripts.mjs';

const MEDDLINGS = 25;
const BROKEN = 6000;
const BURSTS = 20; // of a writer, during one repair
const BACKUP = /\.backup-\d{13}$/;
const CRASH = /Sanitizer|runtime error:|Assertion/;

/** A transcript like any other, with some orphans. */
function someBroken(t, size) {
  const file = path.join(makeSessions(t), 'corpus');
  new Corpus(11).write(file, size, { orphans: 0.05 });
  return fs.readFileSync(file);
}

/** One in which nearly every message is an orphan, so that most of the time goes into patches; `short`: they do not fit. */
function allBroken({ short = false } = {}) {
  const random = new Random(11), parent = () => (short && random.chance(0.1) ? 'x' : random.uuid());
  return jsonl(...Array.from({ length: BROKEN }, (_, n) => ({
    parentUuid: n ? parent() : null, type: 'user', message: { role: 'user', content: 'Mend it. '.repeat(random.below(30)) }, uuid: random.uuid(),
  })));
}

/** Starts `ostler repair fix`, to be met in the middle of it. */
function startFix(home, file) {
  const child = spawn(OSTLER, ['repair', 'fix', '--json', file], { env: environment(home), stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '', err = '';
  child.stdout.on('data', chunk => { out += chunk; });
  child.stderr.on('data', chunk => { err += chunk; });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  return { child, ended };
}

/** How long an undisturbed repair takes here. */
async function fixTime(home, file, bytes) {
  let longest = 0;
  for (let i = 0; i < 3; i++) {
    reset(file, bytes);
    const begun = performance.now();
    await startFix(home, file).ended;
    longest = Math.max(longest, performance.now() - begun);
  }
  return longest;
}

/** The directory holds this file and nothing else. */
function reset(file, bytes) {
  for (const name of fs.readdirSync(path.dirname(file))) fs.rmSync(path.join(path.dirname(file), name));
  fs.writeFileSync(file, bytes, { mode: 0o600 });
}

/** Waits for a moment of a repair: every other time any one, else one soon after the file, or its successor, began to change. */
async function someMoment(random, { nth, took, file }) {
  if (nth % 2) return delay(random.next() * took * 1.1);
  const watcher = fs.watch(path.dirname(file)), ours = name => name === path.basename(file) || name.endsWith('.ostler-mend');
  await Promise.race([
    new Promise(resolve => { watcher.on('change', (_, name) => ours(name) && resolve()); }), delay(took * 2),
  ]);
  watcher.close();
  return random.chance(0.7) ? undefined : delay(random.next() * took * 0.1);
}

/** No file of ours is beside it but backups. */
function assertNothingLeft(file) {
  assert.deepEqual(besides(file).filter(name => !BACKUP.test(name)), []);
}

/** Each edit was done, or not, or was cut short on its way; everything else is as it was. */
function assertOnlyEdits(now, bytes, edits) {
  const there = edits.filter(({ from }) => from < now.length);
  let done = 0;
  for (const { from, to, value } of there) {
    assert.ok(now.subarray(done, from).equals(bytes.subarray(done, from)), `bytes ${done} to ${from} changed`);
    const old = bytes.subarray(from, to), full = Buffer.concat([value, Buffer.alloc(to - from - value.length, ' ')]), got = now.subarray(from, to);
    let n = 0;
    while (n < got.length && got[n] === full[n]) n++;
    assert.ok(got.subarray(n).equals(old.subarray(n, got.length)), `${got} is neither ${old} nor ${full}`);
    if (got.length === to - from) JSON.parse(got);
    done = Math.min(to, now.length);
  }
  assert.ok(now.subarray(done).equals(bytes.subarray(done, now.length)), `bytes from ${done} on changed`);
}

/* A live writer */

async function writeDuringRepairs(t, { repairs, descriptor, parents }) {
  const bytes = someBroken(t, 2e6), { home, file } = makeSession(t, bytes), pause = await fixTime(home, file, bytes) / BURSTS;
  reset(file, bytes);
  const writer = spawn(process.execPath, [path.join(import.meta.dirname, 'lib/transcript_writer.mjs'), file, descriptor, parents, String(pause)],
    { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanup(t, () => writer.kill('SIGKILL'));
  let written = '';
  writer.stdout.on('data', chunk => { written += chunk; });
  let mended = 0, refused = 0;
  for (let i = 0; i < repairs; i++) {
    const { results: [{ status, orphansFixed }] } = await repairAll(home, 'fix', [file]);
    if (status === 'failed') refused++;
    mended += orphansFixed;
    for (const name of besides(file)) if (BACKUP.test(name)) fs.rmSync(path.join(path.dirname(file), name));
  }
  writer.stdin.end();
  await once(writer, 'close');
  return { home, file, bytes, count: Number(written), mended, refused, parents };
}

async function assertAllThere({ home, file, bytes, count, mended, refused, parents }) {
  const wanted = Buffer.concat([bytes, ...Array.from({ length: count }, (_, n) => Buffer.from(writerLine(n, parents)))]);
  const now = withoutParents(fs.readFileSync(file)), want = withoutParents(wanted);
  assert.equal(now.length, want.length, `${want.length - now.length} lines are lost`);
  const wrong = now.findIndex((line, i) => line !== want[i]);
  assert.equal(wrong, -1, `line ${wrong} is ${now[wrong]}, not ${want[wrong]}`);
  assert.equal(refused, 0, 'a writer is no reason not to mend');
  assert.ok(mended > repair(bytes).orphansFixed, 'orphans that came while it ran were mended too');
  await repairOne(home, 'fix', file);
  assert.equal(scan(fs.readFileSync(file)).status, 'healthy');
  assertNothingLeft(file);
}

test('an agent that writes during 100 repairs in place loses no line', { timeout: 120_000 },
  async t => assertAllThere(await writeDuringRepairs(t, { repairs: 100, descriptor: 'reopen', parents: 'long' })));

test('nor does one that never closes the file', { timeout: 120_000 },
  async t => assertAllThere(await writeDuringRepairs(t, { repairs: 30, descriptor: 'keep', parents: 'long' })));

test('an agent that writes during 100 repairs that replace the file loses no line', { timeout: 120_000 },
  async t => assertAllThere(await writeDuringRepairs(t, { repairs: 100, descriptor: 'reopen', parents: 'short' })));

/* Killed */

async function killRepairs(t, { kills, short }) {
  const bytes = allBroken({ short }), { home, file } = makeSession(t, bytes, { inMemory: true }), { edits, inPlace, orphansFixed } = repair(bytes);
  assert.equal(inPlace, !short);
  const mended = apply(bytes, edits), took = await fixTime(home, file, bytes), random = new Random(12), met = { untouched: 0, begun: 0, done: 0 };
  for (let nth = 0; nth < kills; nth++) {
    reset(file, bytes);
    const { child, ended } = startFix(home, file);
    await someMoment(random, { nth, took, file });
    child.kill('SIGKILL');
    const { err } = await ended;
    assert.doesNotMatch(err, CRASH);

    const now = fs.readFileSync(file);
    if (inPlace) assertOnlyEdits(now, bytes, edits);
    else assert.ok(now.equals(bytes) || now.equals(mended), 'the old file or the new one');
    met[now.equals(bytes) ? 'untouched' : now.equals(mended) ? 'done' : 'begun']++;
    assert.ok(scan(now).orphanCount <= orphansFixed);
    for (const name of besides(file).filter(n => BACKUP.test(n)))
      assert.ok(fs.readFileSync(path.join(path.dirname(file), name)).equals(bytes), `${name} is the file as it was`);

    assert.match((await repairOne(home, 'fix', file)).status, /^(repaired|already_healthy)$/);
    assert.ok(fs.readFileSync(file).equals(mended));
    assertNothingLeft(file);
  }
  t.diagnostic(`killed before the first change ${met.untouched} times, between the first and the last ${met.begun}, after it ${met.done}`);
  assert.ok(met.untouched && met.done && (met.begun || short), 'the kills came at different moments');
}

test('120 repairs in place, killed at any moment', { timeout: 120_000 }, t => killRepairs(t, { kills: 120, short: false }));
test('80 repairs that replace the file, killed at any moment', { timeout: 120_000 }, t => killRepairs(t, { kills: 80, short: true }));

/* A full disk */

/** Runs a shell script with a tmpfs of its own on `dir`, seen by nobody else; null where that is not allowed. */
function onSmallDisk(dir, size, script, env) {
  for (const unshare of [['-m'], ['-rm']]) {
    const can = spawnSync('unshare', [...unshare, 'mount', '-t', 'tmpfs', '-o', `size=${size}`, 'none', dir]);
    if (can.status !== 0) continue;
    const { status, stdout, stderr } = spawnSync('unshare', [...unshare, 'sh', '-euc', `mount -t tmpfs -o size=${size} none '${dir}'\n${script}`],
      { env, encoding: 'utf8', maxBuffer: 1 << 26 });
    assert.equal(status, 0, stderr);
    return stdout;
  }
  return null;
}

for (const short of [false, true])
  test(`a full disk: a sentence, the file as it was, no half backup (${short ? 'to be replaced' : 'in place'})`, async t => {
    const bytes = allBroken({ short }), home = makeHome(t), disk = makeSessions(t), source = path.join(home, 'source.jsonl');
    fs.writeFileSync(source, bytes);
    const room = `${Math.ceil(bytes.length * (short ? 2.5 : 1.5) / 1024)}k`; // for the backup, but not for the new file; not even for the backup
    const said = onSmallDisk(disk, room, `cp '${source}' '${disk}/a.jsonl'; cd '${disk}'
      '${OSTLER}' repair fix --json '${disk}/a.jsonl' && exit 9; [ $? = 1 ] || exit 8
      cmp '${source}' a.jsonl; for f in a.jsonl.backup-*; do [ ! -e "$f" ] || cmp '${source}' "$f"; done; ls -A | sed 's/^/left: /'`, environment(home));
    if (said === null) return t.skip('no file system may be mounted here');
    const [result, ...left] = said.trim().split('\n');
    const { status, error, backupPath, orphansFixed } = JSON.parse(result);
    assert.deepEqual([status, orphansFixed], ['failed', 0]);
    assert.match(error, /space|full/i);
    assert.deepEqual(left.filter(name => name !== 'left: a.jsonl' && !/^left: a\.jsonl\.backup-\d{13}$/.test(name)), []);
    if (!short) assert.deepEqual([backupPath, left], [null, ['left: a.jsonl']]);
  });

/* Changed under our hands */

async function meddle(t, { short, change, check }) {
  const bytes = allBroken({ short }), { home, file } = makeSession(t, bytes, { inMemory: true }), took = await fixTime(home, file, bytes), random = new Random(13);
  for (let nth = 0; nth < MEDDLINGS; nth++) {
    reset(file, bytes);
    const { ended } = startFix(home, file);
    await someMoment(random, { nth, took, file });
    const before = change(file, bytes);
    const { code, signal, err } = await ended;
    assert.doesNotMatch(err, CRASH);
    assert.equal(signal, null);
    assert.ok(code === 0 || code === 1, `exit status ${code}: ${err}`);
    check(fs.readFileSync(file), bytes, before);
    assertNothingLeft(file);
  }
}

const other = jsonl(...Array.from({ length: 9000 }, (_, n) => ({ type: 'user', uuid: `other ${n}`, parentUuid: n ? `other ${n - 1}` : null, note: 'x'.repeat(n % 700) })));

function replace(file) {
  fs.writeFileSync(`${file}.new`, other);
  fs.renameSync(`${file}.new`, file);
}

function writeAnew(file) {
  fs.writeFileSync(file, other);
}

for (const short of [false, true]) {
  const how = short ? 'replaces the file' : 'works in place';
  test(`a transcript that is replaced while a repair ${how} is left alone`, { timeout: 120_000 },
    t => meddle(t, { short, change: replace, check: now => assert.ok(now.equals(other), 'the new file is not ours to touch') }));

  test(`a transcript that is written anew while a repair ${how} is left alone`, { timeout: 120_000 },
    t => meddle(t, { short, change: writeAnew, check: now => assert.ok(now.equals(other), 'what was written last stays') }));
}

test('a transcript that is cut while it is mended stays as short as it is', { timeout: 120_000 }, async t => {
  const { edits } = repair(allBroken());
  const cut = (file, bytes) => {
    const at = bytes.lastIndexOf(0x0a, bytes.length / 2) + 1;
    fs.truncateSync(file, at);
    return at;
  };
  await meddle(t, {
    short: false, change: cut,
    check: (now, bytes, at) => {
      assert.equal(now.length, at, 'nothing was written behind its end');
      assertOnlyEdits(now, bytes, edits);
    },
  });
});
