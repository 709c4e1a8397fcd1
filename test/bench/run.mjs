// make bench: the numbers that matter, beside their targets. Uses the release build; run it on a quiet machine.
// tools/node test/bench/run.mjs [--quick] [board|repair|vt|terminals|secrets|page] measures one part.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { format, printTable, quantile, report } from './report.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
process.env.OSTLER_BUILD ??= path.join(ROOT, 'build');
const { Daemon, BUILD, environment } = await import('../e2e/lib/daemon.mjs');
const { HOOK } = await import('../e2e/lib/hook.mjs');
const { benchEvents, benchSnapshot, benchStop, benchWire, costPerEvent, grow } = await import('./scale.mjs');
const { benchRepair } = await import('./repair.mjs');
const { benchHosted } = await import('./hosted.mjs');
const { benchKeeper } = await import('./keeper.mjs');
const { benchVt } = await import('./vt.mjs');
const { benchPage } = await import('./page.mjs');
const { benchSecrets } = await import('./secrets.mjs');

const QUICK = process.argv.includes('--quick');
const PAYLOAD_BYTES = 1400;

/** Compiles the measuring programs, which are no part of the release build. */
function tools() {
  const dir = path.join(BUILD, 'bench');
  fs.mkdirSync(dir, { recursive: true });
  const compile = (compiler, name, ...flags) => {
    execFileSync(compiler, ['-O2', '-std=gnu17', '-D_GNU_SOURCE', ...flags, '-I', path.join(ROOT, 'src'), '-I', path.join(ROOT, 'test'), '-o', path.join(dir, name),
      path.join(ROOT, 'test/bench', `${name}.c`)], { stdio: 'inherit' });
    return path.join(dir, name);
  };
  return {
    spawnBench: compile('gcc', 'spawn_bench'),
    latencyBench: compile('gcc', 'latency_bench'),
    ttyBench: compile('gcc', 'tty_bench'),
    noop: compile('musl-gcc', 'noop', '-static'),
  };
}

/** What a measuring program printed, a line for each thing measured, in microseconds: [{min, p50, p95, p99}, …]. */
function quantiles(text) {
  const found = [...text.matchAll(/min ([\d.]+) us {2}p50 ([\d.]+) us {2}p95 ([\d.]+) us {2}p99 ([\d.]+) us/g)];
  if (!found.length) throw new Error(`not understood: ${text}`);
  return found.map(([, ...numbers]) => { const [min, p50, p95, p99] = numbers.map(Number); return { min, p50, p95, p99 }; });
}

/** How long an agent waits for a command, or for two that take turns. */
function spawnCost(spawnBench, runs, home, ...command) {
  return quantiles(execFileSync(spawnBench, [runs, PAYLOAD_BYTES, ...command].map(String), { env: environment(home), encoding: 'utf8' }));
}

function benchHook(programs, home) {
  const runs = QUICK ? 300 : 3000;
  const [noop, hook] = spawnCost(programs.spawnBench, runs, home, programs.noop, '--', HOOK);
  const [bash] = spawnCost(programs.spawnBench, QUICK ? 20 : 100, home, path.join(ROOT, 'test/bench/hook.sh'));
  report('a static program that does nothing, p50', noop.p50 / 1000, 'ms');
  report('ostler-hook, p50', hook.p50 / 1000, 'ms', undefined, `min ${format(hook.min / 1000)}, p99 ${format(hook.p99 / 1000)}`);
  report('the same in bash and jq, p50', bash.p50 / 1000, 'ms');
  report('bash and jq ÷ ostler-hook', bash.p50 / hook.p50, '×', ['≥', 50]);
  report('ostler-hook ÷ nothing', hook.p50 / noop.p50, '×', ['≤', 1.5]);
}

async function benchStart(home) {
  const times = [];
  for (let i = 0; i < 10; i++) {
    const daemon = new Daemon(home);
    const begun = performance.now();
    await daemon.start();
    times.push(performance.now() - begun);
    await daemon.stop();
  }
  times.sort((a, b) => a - b);
  report('start until it listens, median', quantile(times, 0.5), 'ms', ['≤', 50]);
}

/** From the moment the hook's process is asked for until its change is at a board. */
function latency(programs, daemon, runs) {
  const [cost] = quantiles(execFileSync(programs.latencyBench, [daemon.port, HOOK, runs].map(String),
    { env: environment(daemon.home), encoding: 'utf8' }));
  return cost;
}

function benchLatency(programs, daemon) {
  const cost = latency(programs, daemon, QUICK ? 200 : 2000);
  report('hook started until the board has it, p50', cost.p50 / 1000, 'ms', ['≤', 1.5], `min ${format(cost.min / 1000)}`);
  report('hook started until the board has it, p95', cost.p95 / 1000, 'ms', ['≤', 4]);
  report('hook started until the board has it, p99', cost.p99 / 1000, 'ms', ['≤', 8]);
}

function benchHttp(daemon) {
  const seconds = QUICK ? 2 : 5;
  for (const [what, where, target] of [['GET /api/health', '/api/health', 50_000], ['GET / (the page)', '/', 50_000]]) {
    const text = execFileSync('wrk', ['-t1', '-c50', `-d${seconds}s`, daemon.url + where], { encoding: 'utf8' });
    if (/Non-2xx/.test(text)) throw new Error(text);
    report(what, Number(/Requests\/sec:\s+([\d.]+)/.exec(text)[1]), '/s', ['≥', target]);
  }
}

/** The same on two boards that take turns, so that whatever else the machine does meets both; the best medians. */
function compareLatency(programs, one, other) {
  const best = [Infinity, Infinity];
  for (let round = 0; round < 5; round++)
    for (const [i, daemon] of [one, other].entries())
      best[i] = Math.min(best[i], latency(programs, daemon, QUICK ? 100 : 300).p50);
  return best;
}

/** A board that grows to 10,000 sessions: what each step costs, and that an event costs the same on all of them. */
async function benchScale(programs, newHome) {
  const small = await new Daemon(newHome()).start(), daemon = await new Daemon(newHome()).start();
  await grow(daemon, { from: 0, to: 100, target: ['≤', 10] });
  await grow(daemon, { from: 100, to: 1000, target: ['≤', 20] });
  await benchSnapshot(daemon);
  await grow(daemon, { from: 1000, to: 10_000, prompts: QUICK ? 2 : 20 });
  const [few, many] = await costPerEvent([small, daemon], QUICK);
  report('CPU an event, 10 sessions on the board', few, 'µs');
  report('CPU an event, 10,000 sessions on the board', many, 'µs');
  report('CPU an event, 10,000 ÷ 10 sessions', many / few, '×', ['≤', 1.25]);
  const [quiet, crowded] = compareLatency(programs, small, daemon);
  report('hook to board, 10,000 ÷ 10 sessions, p50', crowded / quiet, '×', ['≤', 1.25], `${format(crowded / 1000)} and ${format(quiet / 1000)} ms`);
  await small.stop();
  await daemon.stop();
}

async function benchBoard(home) {
  const programs = tools();
  benchHook(programs, home());
  await benchStart(home());
  const daemon = await new Daemon(home()).start();
  benchLatency(programs, daemon);
  benchHttp(daemon);
  await daemon.stop();
  await benchEvents(await new Daemon(home()).start(), QUICK);
  await benchWire(await new Daemon(home()).start(), QUICK);
  await benchStop(await new Daemon(home()).start(), QUICK);
  await benchScale(programs, home);
}

async function benchTerminals(home) {
  const programs = tools();
  benchKeeper(home(), QUICK);
  await benchHosted(programs.ttyBench, (daemon, runs) => latency(programs, daemon, runs), home, QUICK);
}

/** Without a name, all of them. */
const PARTS = { board: benchBoard, repair: home => benchRepair(home(), QUICK), vt: benchVt,
  terminals: benchTerminals, secrets: () => benchSecrets(QUICK), page: home => benchPage(home, QUICK) };

async function main() {
  const homes = [];
  const home = () => {
    homes.push(fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-bench-')));
    return homes.at(-1);
  };
  const wanted = process.argv.slice(2).filter(arg => arg in PARTS);
  try {
    for (const [name, bench] of Object.entries(PARTS)) if (!wanted.length || wanted.includes(name)) await bench(home);
  } catch (error) {
    console.error(error); // before what is below can fail as well
    throw error;
  } finally {
    for (const dir of homes) fs.rmSync(dir, { recursive: true, force: true });
  }
  process.exitCode = printTable() ? 0 : 1;
}

await main();
