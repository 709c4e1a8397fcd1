// What looking through transcripts costs, and mending them, beside programs that do less: wc -l, jq, cp.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { BUILD, environment, OSTLER, ROOT } from '../e2e/lib/daemon.mjs';
import { Corpus } from '../e2e/lib/transcript_corpus.mjs';
import { format, report } from './report.mjs';

const GB = 1e9, MIB = 1 << 20;
const ROUNDS = 5;
const TREE_FILES = 2000, TREE_PROJECTS = 40;
const ORPHANS = 0.0005; // one in 2,000 messages

/** Milliseconds that a command took. */
function timed(home, command, args, env = {}) {
  const begun = performance.now();
  const { status, error, stderr } = spawnSync(command, args, { env: environment(home, env), stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  const took = performance.now() - begun;
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return took;
}

/** The best of several rounds in which all of them take turns, so that whatever else the machine does meets every one. */
function best(rounds, contenders) {
  const least = contenders.map(() => Infinity);
  for (let i = 0; i < rounds; i++) contenders.forEach((run, j) => { least[j] = Math.min(least[j], run()); });
  return least;
}

const hasAvx2 = () => /\bavx2\b/.test(fs.readFileSync('/proc/cpuinfo', 'utf8'));

/** Compiles the measure for what this machine can do at best: read, and find the brackets. */
function scanFloor() {
  const program = path.join(BUILD, 'bench', 'scan_floor'), source = name => path.join(ROOT, name);
  fs.mkdirSync(path.dirname(program), { recursive: true });
  execFileSync('gcc', ['-O3', '-std=gnu17', '-D_GNU_SOURCE', '-I', source('src'), '-o', program, source('test/bench/scan_floor.c'),
    ...['jblock', 'jblock_x86', 'span'].map(name => source(`src/base/${name}.c`))], { stdio: 'inherit' });
  return program;
}

/** Peak of the memory in use, in bytes. */
function peakMemory(home, args) {
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%M', OSTLER, ...args], { env: environment(home), stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return Number(stderr.trim().split('\n').at(-1)) * 1024;
}

/** The first whole lines of a file, as another file; its length. */
function head(file, size, to) {
  const bytes = Buffer.alloc(size), fd = fs.openSync(file, 'r');
  const length = bytes.subarray(0, fs.readSync(fd, bytes, 0, size, 0)).lastIndexOf(0x0a) + 1;
  fs.closeSync(fd);
  fs.writeFileSync(to, bytes.subarray(0, length));
  return length;
}

function benchScan(home, dir, size, quick) {
  const file = path.join(dir, 'scan.jsonl'), part = path.join(dir, 'part.jsonl');
  const { bytes, messages, lines } = new Corpus(21).write(file, size, { orphans: ORPHANS });
  const partBytes = head(file, Math.floor(size / 10), part);
  const floor = scanFloor();
  const [ours, wc, least] = best(ROUNDS, [() => timed(home, OSTLER, ['repair', 'scan', '--json', file]), () => timed(home, 'wc', ['-l', file]),
    () => timed(home, floor, [file])]);
  const [jq] = best(quick ? 1 : 2, [() => timed(home, 'jq', ['-c', '.uuid', part])]);
  const perSecond = (n, ms) => n / GB / (ms / 1000);
  const rate = perSecond(bytes, ours), wcRate = perSecond(bytes, wc), jqRate = perSecond(partBytes, jq);
  report('transcript scanned, from the page cache', rate, 'GB/s', hasAvx2() && !quick ? ['≥', 4] : undefined,
    `${format(bytes / GB)} GB, ${format(lines)} lines of ${format(bytes / lines)} bytes; best of ${ROUNDS}`);
  report('wc -l of the same', wcRate, 'GB/s');
  report('jq -c .uuid of a tenth of it', jqRate, 'GB/s');
  report('scan ÷ wc -l', rate / wcRate, '×', ['≥', 0.5]);
  report('only finding brackets in it', perSecond(bytes, least), 'GB/s', undefined, 'scan_floor: no key read, nothing checked, nothing kept');
  report('scan ÷ that', least / ours, '×');
  report('scan ÷ jq', rate / jqRate, '×', ['≥', 20]);
  const peak = peakMemory(home, ['repair', 'scan', '--json', file]);
  report('memory of that scan, at its peak', peak / MIB, 'MiB', ['≤', 16 + 100 * messages / MIB],
    `${format(messages)} messages, ${format(peak / messages)} bytes each`);
  fs.rmSync(file);
  fs.rmSync(part);
}

/** So many transcripts of very different lengths, in projects, as after a year of work. */
function writeTree(claude, size) {
  const corpus = new Corpus(22), shares = Array.from({ length: TREE_FILES }, () => Math.exp(2 * corpus.random.next() ** 2 * 3));
  const sum = shares.reduce((a, b) => a + b);
  shares.forEach((share, i) => {
    const project = path.join(claude, 'projects', `-home-dev-project-${i % TREE_PROJECTS}`);
    fs.mkdirSync(project, { recursive: true });
    corpus.write(path.join(project, `${corpus.random.uuid()}.jsonl`), size * share / sum);
  });
}

function benchTree(home, dir, size) {
  const claude = path.join(dir, 'claude');
  writeTree(claude, size);
  let known;
  const all = where => timed(where, OSTLER, ['repair', 'all'], { CLAUDE_CONFIG_DIR: claude });
  const first = () => {
    if (known) fs.rmSync(known, { recursive: true });
    known = fs.mkdtempSync(path.join(home, 'home-'));
    return all(known);
  };
  const [fresh, cached] = best(ROUNDS, [first, () => all(known)]);
  const scale = size / GB, note = `${format(TREE_FILES)} files, ${format(scale)} GB; best of ${ROUNDS}`;
  report('repair all, nothing known', fresh, 'ms', ['≤', 600], note);
  report('repair all, everything known', cached, 'ms', ['≤', 50]);
  fs.rmSync(claude, { recursive: true });
}

function benchFix(home, dir, size) {
  const pristine = path.join(dir, 'pristine'), file = path.join(dir, 'fix.jsonl'), copy = path.join(dir, 'copy');
  const { bytes, orphans } = new Corpus(23).write(pristine, size, { orphans: ORPHANS });
  const restore = () => {
    for (const name of fs.readdirSync(dir)) if (name !== 'pristine') fs.rmSync(path.join(dir, name));
    fs.copyFileSync(pristine, file);
    spawnSync('sync');
  };
  const shell = 'cp "$1" "$2" && sync "$2"';
  const [fix, cp] = best(ROUNDS, [
    () => { restore(); return timed(home, OSTLER, ['repair', 'fix', '--json', file]); },
    () => { restore(); return timed(home, 'sh', ['-c', shell, 'sh', pristine, copy]); },
  ]);
  report(`${format(bytes / 1e6)} MB mended, with its backup`, fix, 'ms', undefined, `${orphans} links; best of ${ROUNDS}`);
  report('cp and sync of the same', cp, 'ms');
  report('mending ÷ copying', fix / cp, '×', ['≤', 1.5]);
}

export function benchRepair(home, quick) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-transcripts-'));
  try {
    benchScan(home, dir, quick ? GB / 10 : GB, quick);
    benchTree(home, dir, quick ? GB / 10 : GB);
    benchFix(home, dir, quick ? 40e6 : 400e6);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}
