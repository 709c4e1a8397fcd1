// What a keeper costs: memory, the rate at which a reader gets what is printed, and a key's way there and back. Beside a bare
// reader of the same terminal, dtach and tmux; all in one run, taking turns.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { BUILD, ROOT } from '../e2e/lib/daemon.mjs';
import { KEEPER } from '../e2e/lib/keeper.mjs';
import { pss } from './hosted.mjs';
import { format, report } from './report.mjs';

const MANY = 20;

export function compileKeeperBench() {
  const program = path.join(BUILD, 'bench/keeper_bench');
  fs.mkdirSync(path.dirname(program), { recursive: true });
  execFileSync('gcc', ['-O2', '-std=gnu17', '-D_GNU_SOURCE', '-I', path.join(ROOT, 'src'), '-o', program, path.join(ROOT, 'test/bench/keeper_bench.c'),
    ...['term/frame', 'platform/pty_linux', 'platform/unixsock_linux', 'base/span'].map(name => path.join(ROOT, `src/${name}.c`))], { stdio: 'inherit' });
  return program;
}

/** Runs a measurement in a directory of its own. */
export function measure(program, home, what, way, ...args) {
  const dir = fs.mkdtempSync(path.join(home, `${way}-`));
  return execFileSync(program, [what, way, dir, KEEPER, ...args].map(String), { encoding: 'utf8' });
}

/** Keepers with a program that does nothing: the pid of each. */
function startMany(home, count) {
  return Array.from({ length: count }, (_, i) => {
    const socket = path.join(home, `idle-${count}-${i}.sock`);
    const said = execFileSync(KEEPER, ['--socket', socket, '--epoch', '1', '--cols', '80', '--rows', '24', '--', 'sleep', '1000'], { encoding: 'utf8' });
    const [, pid, child] = /^ok (\d+) (\d+) /.exec(said).map(Number);
    return { pid, child };
  });
}

function stopMany(keepers) {
  for (const { pid, child } of keepers) {
    process.kill(pid, 'SIGKILL');
    process.kill(child, 'SIGKILL');
  }
}

function benchMemory(home) {
  for (const count of [1, MANY]) {
    const keepers = startMany(home, count);
    try {
      const kib = keepers.reduce((sum, { pid }) => sum + pss(pid), 0) / count;
      report(count === 1 ? 'a keeper alone, idle' : `one of ${count} keepers, idle`, kib, 'KiB PSS', ['≤', 64]);
    } finally {
      stopMany(keepers);
    }
  }
}

/** The best of several rounds for each of them. */
function bestRates(program, home, mode, quick) {
  const best = { bare: 0, keeper: 0, dtach: 0, tmux: 0 };
  for (let round = 0; round < (quick ? 3 : 7); round++)
    for (const way of Object.keys(best)) {
      const rate = Number(/([\d.]+) MB\/s/.exec(measure(program, home, 'flood', way, quick || way === 'tmux' ? 30 : 100, mode))[1]);
      best[way] = Math.max(best[way], rate);
    }
  return best;
}

function benchFlood(program, home, quick) {
  for (const [mode, words] of [['cooked', 'lines'], ['raw', 'raw bytes']]) {
    const { bare, keeper, dtach, tmux } = bestRates(program, home, mode, quick);
    report(`${words}: a bare reader of the terminal`, bare, 'MB/s');
    report(`${words}: a reader behind a keeper`, keeper, 'MB/s', undefined, `dtach ${format(dtach)}, tmux ${format(tmux)} (which shows a part)`);
    report(`${words}: keeper ÷ bare`, keeper / bare, '×', ['≥', 0.8]);
    report(`${words}: keeper ÷ dtach`, keeper / dtach, '×', ['≥', 0.9]);
  }
}

function benchKeys(program, home, quick) {
  const ways = ['bare', 'keeper', 'dtach', 'tmux'], best = {};
  for (let round = 0; round < (quick ? 2 : 5); round++)
    for (const way of ways) {
      const [, p50, p99] = /p50 ([\d.]+) us.*p99 ([\d.]+) us/.exec(measure(program, home, 'echo', way, quick ? 500 : 2000)).map(Number);
      const known = best[way] ??= { p50: Infinity, p99: Infinity };
      best[way] = { p50: Math.min(known.p50, p50), p99: Math.min(known.p99, p99) };
    }
  for (const way of ways)
    report(`a key and its echo, ${way}, p50`, best[way].p50, 'µs', undefined, `p99 ${format(best[way].p99)}`);
  report('a key and its echo, keeper ÷ dtach, p50', best.keeper.p50 / best.dtach.p50, '×', ['≤', 1.25]);
}

export function benchKeeper(home, quick) {
  const program = compileKeeperBench();
  benchMemory(home);
  benchFlood(program, home, quick);
  benchKeys(program, home, quick);
}
