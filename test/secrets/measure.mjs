// What the redaction finds in the corpus, and what it masks in ordinary output. mask_stream does what the journal does.
//
//     tools/node test/secrets/measure.mjs PROGRAM [--each N] [--misses] [FILE…]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { corpus } from './corpus.mjs';

/** The same bytes, masked: each stream goes through a redaction of its own. */
export function mask(program, streams) {
  const input = [];
  for (const s of streams) input.push(Buffer.from(`${s.cols} ${s.rows} ${s.bytes.length}\n`), s.bytes);
  const out = execFileSync(program, { input: Buffer.concat(input), maxBuffer: 1 << 30 });
  let at = 0;
  return streams.map(s => out.subarray(at, at += s.bytes.length));
}

/** Bytes of a secret that can still be read. */
const readable = (raw, got, [from, to]) => {
  let n = 0;
  for (let i = from; i < to; i++) n += raw[i] === got[i] && raw[i] !== 0x2a;
  return n;
};

/** Every character of it must be masked, but for those that are no secret. */
export function found(program, cases) {
  const masked = mask(program, cases);
  return cases.map((c, i) => ({ ...c, got: masked[i], found: c.secrets.reduce((n, s) => n + readable(c.bytes, masked[i], s), 0) <= c.open }));
}

/** Runs of masked bytes that are far enough from each other. */
export function alarms(raw, got) {
  const runs = [];
  for (let i = 0; i < raw.length; i++) {
    if (raw[i] === got[i]) continue;
    if (!runs.length || i > runs.at(-1)[1] + 16) runs.push([i, i + 1]);
    else runs.at(-1)[1] = i + 1;
  }
  return runs;
}

export const rate = results => results.filter(c => c.found).length / results.length;

/** {name: [found, total]} by a property. */
export function tally(results, by) {
  const rows = new Map();
  for (const c of results) {
    const row = rows.get(c[by]) ?? rows.set(c[by], [0, 0]).get(c[by]);
    row[0] += c.found;
    row[1]++;
  }
  return rows;
}

/** Kind × shape: a shape that every kind was found in is one line; of the others, which kinds were missed, and how often. */
export function crossTable(results) {
  const lines = ['| shape | found | of | kinds missed |', '|---|---|---|---|'];
  for (const [shape, [n, of]] of tally(results, 'shape')) {
    const kinds = tally(results.filter(c => c.shape === shape), 'kind');
    const missed = [...kinds].filter(([, [k, all]]) => k < all).map(([kind, [k, all]]) => all > 1 ? `${kind} ${all - k}/${all}` : kind);
    lines.push(`| ${shape} | ${n} | ${of} | ${missed.length === kinds.size && missed.length > 1 ? 'all' : missed.join(', ')} |`);
  }
  return lines.join('\n');
}

function show(results, misses) {
  for (const by of ['shape', 'kind']) {
    console.log(`\n| ${by} | found | of |\n|---|---|---|`);
    for (const [name, [n, of]] of tally(results, by)) console.log(`| ${name} | ${n} | ${of} |`);
  }
  if (!misses) return;
  for (const c of results.filter(c => !c.found)) {
    const from = Math.max(0, c.secrets[0][0] - 40), to = Math.min(c.bytes.length, c.secrets.at(-1)[1] + 20);
    console.log(`\n${c.kind}, ${c.shape}:\n  ${JSON.stringify(c.bytes.toString('utf8', from, to))}\n  ${JSON.stringify(c.got.toString('utf8', from, to))}`);
  }
}

if (process.argv[1] === import.meta.filename) {
  const args = process.argv.slice(2), program = args.shift();
  const each = args.includes('--each') ? Number(args[args.indexOf('--each') + 1]) : 1;
  for (const half of ['tuned', 'fresh', 'held out']) {
    const results = found(program, corpus(half, each));
    console.log(`\n## ${half}: ${results.filter(c => c.found).length} of ${results.length}, ${(100 * rate(results)).toFixed(2)} %`);
    if (half !== 'held out' || args.includes('--table')) show(results, half !== 'held out' && args.includes('--misses'));
  }
  for (const file of args.filter(arg => arg.startsWith('/'))) {
    const bytes = fs.readFileSync(file);
    const [got] = mask(program, [{ cols: 120, rows: 40, bytes }]);
    const runs = alarms(bytes, got);
    console.log(`${file}: ${runs.length} in ${(bytes.length / 1e6).toFixed(1)} MB, ${(runs.length / bytes.length * 1e6).toFixed(2)} per MB`);
    if (args.includes('--alarms')) for (const [from, to] of runs.slice(0, 400)) console.log(`  ${JSON.stringify(bytes.toString('latin1', Math.max(0, from - 50), to + 20))}`);
  }
}
