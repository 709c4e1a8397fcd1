// make bench: the numbers that matter, beside their targets. Uses the release build; run it on a quiet machine.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
process.env.OSTLER_BUILD ??= path.join(ROOT, 'build');
const { Daemon, BUILD, environment } = await import('../e2e/lib/daemon.mjs');
const { Board } = await import('../e2e/lib/board.mjs');
const { HOOK } = await import('../e2e/lib/hook.mjs');
const { Agent, turn } = await import('../e2e/lib/payloads.mjs');

const QUICK = process.argv.includes('--quick');
const PAYLOAD_BYTES = 1400;
const rows = [];

/** One line of the table. `target` is [comparison, number]: what the value must keep to. */
function report(what, value, unit, target, note = '') {
  const [comparison, limit] = target ?? [];
  const good = !target || (comparison === '≤' ? value <= limit : value >= limit);
  rows.push({ what, value: `${format(value)} ${unit}`, target: target ? `${comparison} ${format(limit)} ${unit}` : '', good, note });
  console.log(`  ${what}: ${format(value)} ${unit} ${note}`);
}

function format(n) {
  return n >= 1000 ? Math.round(n).toLocaleString('en-US') : n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2);
}

function quantile(sorted, q) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}

/** Compiles the measuring programs, which are no part of the release build. */
function tools() {
  const dir = path.join(BUILD, 'bench');
  fs.mkdirSync(dir, { recursive: true });
  const compile = (compiler, name, ...flags) => {
    execFileSync(compiler, ['-O2', '-std=gnu17', '-D_GNU_SOURCE', ...flags, '-I', path.join(ROOT, 'src'), '-o', path.join(dir, name),
      path.join(ROOT, 'test/bench', `${name}.c`)], { stdio: 'inherit' });
    return path.join(dir, name);
  };
  return {
    spawnBench: compile('gcc', 'spawn_bench'),
    latencyBench: compile('gcc', 'latency_bench'),
    noop: compile('musl-gcc', 'noop', '-static'),
  };
}

/** What a measuring program printed, a line for each thing measured, in microseconds: [{min, p50, p99}, …]. */
function quantiles(text) {
  const found = [...text.matchAll(/min ([\d.]+) us {2}p50 ([\d.]+) us {2}p99 ([\d.]+) us/g)];
  if (!found.length) throw new Error(`not understood: ${text}`);
  return found.map(([, ...numbers]) => { const [min, p50, p99] = numbers.map(Number); return { min, p50, p99 }; });
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
function benchLatency(programs, daemon) {
  const [cost] = quantiles(execFileSync(programs.latencyBench, [daemon.port, HOOK, QUICK ? 200 : 2000].map(String),
    { env: environment(daemon.home), encoding: 'utf8' }));
  report('hook started until the board has it, p50', cost.p50 / 1000, 'ms', ['≤', 1.5], `min ${format(cost.min / 1000)}`);
  report('hook started until the board has it, p99', cost.p99 / 1000, 'ms', ['≤', 8]);
}

/** A backlog of records in the spool, as hooks leave it, and how fast a daemon works it off. */
async function benchEvents(home) {
  const agents = Array.from({ length: 20 }, (_, i) => new Agent({ cwd: `/srv/q${i}` }));
  const count = QUICK ? 20_000 : 100_000, lines = [];
  for (let i = 0; i < count; i++) {
    const payload = agents[i % agents.length].pre('Bash', { command: `make -C module${i} ${'x'.repeat(800)}` });
    const ostler = { v: 1, via: 'hook', cli: 'claude', hook_sent_at: Date.now(), claude_pid: 4711 };
    lines.push(`\n${JSON.stringify({ ostler, payload })}\n`);
  }
  fs.mkdirSync(path.join(home, 'spool'), { recursive: true, mode: 0o700 });
  fs.writeFileSync(path.join(home, 'spool/active'), lines.join(''), { flag: 'a', mode: 0o600 });
  const daemon = new Daemon(home);
  const begun = performance.now();
  await daemon.start();
  for (;;) {
    const stats = await (await fetch(`${daemon.url}/api/mq-stats`)).json();
    if (stats.linesProcessed === count && stats.committed === stats.currentOffset) break;
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  report('events through the spool', count / ((performance.now() - begun) / 1000), '/s', ['≥', 50_000], 'applied and committed, with the start of the daemon');
  await daemon.stop();
}

function benchHttp(daemon) {
  const seconds = QUICK ? 2 : 5;
  for (const [what, where, target] of [['GET /api/health', '/api/health', 50_000], ['GET / (the page)', '/', 50_000]]) {
    const text = execFileSync('wrk', ['-t1', '-c50', `-d${seconds}s`, daemon.url + where], { encoding: 'utf8' });
    if (/Non-2xx/.test(text)) throw new Error(text);
    report(what, Number(/Requests\/sec:\s+([\d.]+)/.exec(text)[1]), '/s', ['≥', target]);
  }
}

async function benchMemory(home) {
  const daemon = new Daemon(home);
  await daemon.start();
  const agents = Array.from({ length: 100 }, (_, i) => new Agent({ cwd: `/srv/m${i}` }));
  for (let round = 0; round < 5; round++)
    for (const agent of agents)
      for (const payload of turn(agent, `Question ${round}: ${'why? '.repeat(50)}`)) await daemon.post(payload);
  const board = await Board.connect(null, daemon, { v1: true });
  for (const agent of agents) await board.session(agent.id, s => s.promptCount === 5 && s.status === 'waiting');
  report('memory with 100 sessions', daemon.rss / 2 ** 20, 'MiB', ['≤', 10]);
  await board.close();
  await daemon.stop();
}

async function main() {
  const homes = [];
  const home = () => {
    homes.push(fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-bench-')));
    return homes.at(-1);
  };
  try {
    const programs = tools();
    benchHook(programs, home());
    await benchStart(home());
    const daemon = await new Daemon(home()).start();
    benchLatency(programs, daemon);
    benchHttp(daemon);
    await daemon.stop();
    await benchEvents(home());
    await benchMemory(home());
  } finally {
    for (const dir of homes) fs.rmSync(dir, { recursive: true, force: true });
  }
  const width = Math.max(...rows.map(row => row.what.length));
  console.log();
  for (const { what, value, target, good, note } of rows)
    console.log(`${what.padEnd(width)}  ${value.padStart(14)}  ${target.padStart(14)}  ${target ? (good ? 'ok  ' : 'MISS') : '    '}  ${note}`);
  process.exitCode = rows.every(row => row.good) ? 0 : 1;
}

await main();
