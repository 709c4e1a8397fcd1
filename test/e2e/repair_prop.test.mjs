// Thousands of transcripts, most of them broken, some beyond belief: what `ostler repair` says of each and makes of it, against
// lib/transcripts.mjs. A seed that failed comes again with OSTLER_SEED=…
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeHome } from './lib/daemon.mjs';
import { drawnSeed, Random } from './lib/random.mjs';
import { makeSessions, repairAll } from './lib/repair.mjs';
import { BAD_VALUES, giantFile, ODD_VALUES, zooFile } from './lib/transcript_zoo.mjs';
import { apply, repair, scan } from './lib/transcripts.mjs';

const BATCH = 250;
const OLD = new Date('2026-01-02T03:04:05Z');
const MODES = [0o600, 0o644, 0o640];

/** Writes a batch: the first half below plain/, the other below active/. */
function writeBatch(dir, contents, seed) {
  for (const name of ['plain', 'active']) fs.mkdirSync(path.join(dir, name));
  return contents.map((bytes, i) => {
    const active = i >= contents.length / 2;
    const file = path.join(dir, active ? 'active' : 'plain', `f${String(i).padStart(4, '0')}.jsonl`);
    fs.writeFileSync(file, bytes);
    fs.chmodSync(file, MODES[i % MODES.length]);
    fs.utimesSync(file, OLD, OLD);
    return { file, bytes, active, seed, i, before: fs.statSync(file, { bigint: true }) };
  });
}

/** Of all that differ the one with the fewest bytes, with what is needed to see it again. */
function complain(what, wrong) {
  if (!wrong.length) return;
  const [{ item, got, want }] = wrong.sort((a, b) => a.item.bytes.length - b.item.bytes.length);
  const shown = item.bytes.length < 4000 ? JSON.stringify(item.bytes.toString('latin1')) : `${item.bytes.length} bytes`;
  assert.deepEqual(got, want, `${what}: ${wrong.length} files differ, OSTLER_SEED=${item.seed}, file ${item.i}, as Latin-1: ${shown}`);
}

function compare(what, items, gotOf, wantOf) {
  complain(what, items.map(item => ({ item, got: gotOf(item), want: wantOf(item) })).filter(({ got, want }) => JSON.stringify(got) !== JSON.stringify(want)));
}

const byPath = results => new Map(results.map(({ filePath, ...rest }) => [filePath, rest]));
const names = item => ({ sessionId: path.basename(item.file, '.jsonl') });
const sorted = object => Object.fromEntries(Object.entries(object ?? {}).sort());

async function checkScan(home, dir, items) {
  const { code, results } = await repairAll(home, 'scan', [dir]);
  assert.equal(code, 0, 'what can be mended is no failure of a scan');
  assert.equal(results.length, items.length);
  const said = byPath(results);
  compare('scan', items, item => sorted(said.get(item.file)), item => sorted({ ...names(item), ...scan(item.bytes) }));
  compare('untouched by a scan', items, item => fs.readFileSync(item.file).equals(item.bytes), () => true);
}

async function fixAll(home, dir) {
  const [plain, active] = await Promise.all([
    repairAll(home, 'fix', [path.join(dir, 'plain')]), repairAll(home, 'fix', ['--active', path.join(dir, 'active')]),
  ]);
  assert.deepEqual([plain.code, active.code], [0, 0], plain.stderr + active.stderr);
  return byPath([...plain.results, ...active.results]);
}

/** What is true of a file that was mended, beside what it holds. */
function keptOf(item) {
  const { mode, ino, size, mtimeNs } = fs.statSync(item.file, { bigint: true });
  const { inPlace } = item.repair;
  return {
    mode: mode === item.before.mode,
    inode: inPlace ? ino === item.before.ino : true,
    size: inPlace ? size === item.before.size : true,
    laterMs: Math.round(Number(mtimeNs - item.before.mtimeNs) / 1e6),
  };
}

function backupOf(item, backupPath) {
  if (item.repair.status !== 'repaired') return { backupPath };
  const { mode } = fs.statSync(backupPath, { bigint: true });
  return {
    name: backupPath.startsWith(`${item.file}.backup-`) && /\.backup-\d{13}$/.test(backupPath),
    mode: mode === item.before.mode, same: fs.readFileSync(backupPath).equals(item.bytes),
  };
}

async function checkFix(home, dir, items) {
  for (const item of items) {
    item.repair = repair(item.bytes, { active: item.active });
    item.after = apply(item.bytes, item.repair.edits);
    const { status, orphanCount, cycleCount, gluedCount } = scan(item.after);
    assert.deepEqual([status, orphanCount, cycleCount, gluedCount], ['healthy', 0, 0, 0], 'the reference itself mends all');
  }
  const said = await fixAll(home, dir);
  const { edits: _, inPlace: __, ...blank } = repair(Buffer.alloc(0));
  const fields = result => sorted(Object.fromEntries(['sessionId', ...Object.keys(blank)].map(key => [key, result?.[key]])));
  compare('fix', items, item => fields(said.get(item.file)), item => fields({ ...names(item), ...item.repair }));
  compare('bytes', items, item => fs.readFileSync(item.file, 'latin1'), item => item.after.toString('latin1'));
  compare('what is kept', items, keptOf,
    item => ({ mode: true, inode: true, size: true, laterMs: item.repair.status === 'repaired' ? 1 : 0 }));
  compare('backup', items, item => backupOf(item, said.get(item.file).backupPath),
    item => (item.repair.status === 'repaired' ? { name: true, mode: true, same: true } : { backupPath: null }));
}

const listing = dir => fs.readdirSync(dir, { recursive: true }).sort();

async function checkFixAgain(home, dir, items) {
  const repaired = items.filter(item => item.repair.status === 'repaired').length;
  assert.equal(listing(dir).length, 2 + items.length + repaired, 'two directories, the files, their backups, and nothing else');
  const before = new Map(items.map(item => [item, fs.statSync(item.file, { bigint: true })])), there = listing(dir);
  const said = await fixAll(home, dir);
  compare('fix again', items, item => { const { status, backupPath } = said.get(item.file); return { status, backupPath }; },
    () => ({ status: 'already_healthy', backupPath: null }));
  compare('untouched by the second fix', items, item => {
    const { ino, mtimeNs } = fs.statSync(item.file, { bigint: true }), old = before.get(item);
    return ino === old.ino && mtimeNs === old.mtimeNs && fs.readFileSync(item.file).equals(item.after);
  }, () => true);
  assert.deepEqual(listing(dir), there);
}

async function checkBatch(t, contents, seed) {
  const home = makeHome(t), dir = makeSessions(t, { inMemory: true });
  const items = writeBatch(dir, contents, seed);
  await checkScan(home, dir, items);
  await checkFix(home, dir, items);
  await checkFixAgain(home, dir, items);
  fs.rmSync(dir, { recursive: true });
}

async function checkSeed(t, seed, batches) {
  const random = new Random(seed);
  const all = Array.from({ length: batches }, () => Array.from({ length: BATCH }, () => zooFile(random)));
  await Promise.all(all.map(contents => checkBatch(t, contents, seed)));
}

for (const [seed, batches] of [[1, 8], [drawnSeed(2), 4]])
  test(`scan and fix agree with the reference, seed ${seed}`, t => checkSeed(t, seed, batches));

/* Wide instructions look at 64 bytes at once: whatever is wrong must be noticed wherever it is in them, and beside their borders. */
const PLACES = {
  'as a value': (pad, fragment) => `{"p":"${pad}","x":${fragment},"uuid":"u"}`,
  'as the id': (pad, fragment) => `{"p":"${pad}","parentUuid":"v","uuid":${fragment}}`,
  'deep inside': (pad, fragment) => `{"p":"${pad}","uuid":"u","x":[{"y":${fragment}},"z"]}`,
  'behind a key': (pad, fragment) => `{"uuid":"u","p":"${pad}","x"${fragment}:1}`,
  'behind a value': (pad, fragment) => `{"uuid":"u","p":"${pad}","x":1${fragment}}`,
  'behind the object': (pad, fragment) => `{"p":"${pad}","uuid":"u"}${fragment}`,
  'before the object': (pad, fragment) => `${' '.repeat(pad.length)}${fragment}{"uuid":"u"}`,
};
const FRAGMENTS = [...new Set([...BAD_VALUES, ...ODD_VALUES, ...',:{}[]"\\ \t\r\0\x01x1-t', ',,', '::', '""', ' ,', ', ', '}{', ',"uuid":0', ',"uuid":1'])];

for (const [place, line] of Object.entries(PLACES))
  test(`right and wrong at every offset: ${place}`, async t => {
    const home = makeHome(t), dir = makeSessions(t, { inMemory: true });
    const items = FRAGMENTS.map((fragment, i) => {
      const lines = Array.from({ length: 140 }, (_, n) => `${line('p'.repeat(n), fragment)}\n`);
      const item = { file: path.join(dir, `f${i}.jsonl`), bytes: Buffer.from(lines.join(''), 'latin1'), fragment };
      fs.writeFileSync(item.file, item.bytes);
      return item;
    });
    const said = byPath((await repairAll(home, 'scan', [dir])).results), wrong = [];
    for (const { file, bytes, fragment } of items) {
      const got = said.get(file), want = scan(bytes);
      if (got.messageCount !== want.messageCount || got.orphanCount !== want.orphanCount)
        wrong.push(`${JSON.stringify(fragment)}: ${got.messageCount} messages of ${want.messageCount}, ${got.orphanCount} orphans of ${want.orphanCount}`);
    }
    assert.deepEqual(wrong, []);
  });

test('lines of megabytes, and nested deeper than any stack', async t => {
  const seed = drawnSeed(7), random = new Random(seed);
  await checkBatch(t, Array.from({ length: 12 }, () => giantFile(random)), seed);
});
