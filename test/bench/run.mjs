// make bench: the numbers that matter, beside their targets. Uses the release build; run it on a quiet machine.
import { execFileSync, spawn } from 'node:child_process';
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
  return { spawnBench: compile('gcc', 'spawn_bench'), noop: compile('musl-gcc', 'noop', '-static') };
}

/** Microseconds that an agent waits for a command: {min, p50, p99}. */
function spawnCost(spawnBench, runs, home, ...command) {
  const text = execFileSync(spawnBench, [runs, PAYLOAD_BYTES, ...command].map(String), { env: environment(home), encoding: 'utf8' });
  const cost = {};
  for (const name of ['min', 'p50', 'p99']) {
    const found = new RegExp(`${name}\\D*?([\\d.]+) *(us|ms|µs)?`).exec(text);
    if (!found) throw new Error(`spawn_bench said: ${text}`);
    cost[name] = Number(found[1]) * (found[2] === 'ms' ? 1000 : 1);
  }
  return cost;
}

function benchHook(programs, home) {
  const runs = QUICK ? 300 : 3000;
  const noop = spawnCost(programs.spawnBench, runs, home, programs.noop);
  const hook = spawnCost(programs.spawnBench, runs, home, HOOK);
  const bash = spawnCost(programs.spawnBench, QUICK ? 20 : 100, home, path.join(ROOT, 'test/bench/hook.sh'));
  report('a static program that does nothing, p50', noop.p50 / 1000, 'ms');
  report('ostler-hook, p50', hook.p50 / 1000, 'ms', ['≤', 0.5], `min ${format(hook.min / 1000)}, p99 ${format(hook.p99 / 1000)}`);
  report('the same in bash and jq, p50', bash.p50 / 1000, 'ms');
  report('bash and jq ÷ ostler-hook', bash.p50 / hook.p50, '×', ['≥', 50]);
  report('ostler-hook ÷ nothing', hook.p50 / noop.p50, '×', ['≤', 2]);
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
  report('start until it listens, median', quantile(times, 0.5), 'ms', ['≤', 100]);
}

/** From the moment the hook's process is asked for until its change is at a board. */
async function benchLatency(daemon) {
  const board = await Board.connect(null, daemon, { v1: true });
  const times = [], count = QUICK ? 100 : 500;
  for (let i = 0; i < count; i++) {
    const agent = new Agent({ cwd: `/srv/p${i % 100}` });
    const payload = JSON.stringify(agent.start());
    const begun = performance.now();
    const child = spawn(HOOK, [], { env: environment(daemon.home), stdio: ['pipe', 'ignore', 'ignore'] });
    child.stdin.end(payload);
    const gone = new Promise(resolve => child.on('exit', resolve));
    await board.session(agent.id);
    times.push(board.times.at(-1) - begun);
    await gone;
  }
  await board.close();
  times.sort((a, b) => a - b);
  report('hook started until the board has it, p50', quantile(times, 0.5), 'ms', ['≤', 5], 'from the spawn() in Node');
  report('hook started until the board has it, p99', quantile(times, 0.99), 'ms', ['≤', 20]);
}

/** A backlog of records in the spool, as hooks leave it, and how fast a daemon works it off. */
async function benchEvents(home) {
  const agents = Array.from({ length: 20 }, (_, i) => new Agent({ cwd: `/srv/q${i}` }));
  const count = QUICK ? 5000 : 20_000, lines = [];
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
  const board = await Board.connect(null, daemon, { v1: true });
  const applied = () => [...board.sessions.values()].reduce((sum, s) => sum + (s.toolCalls ?? 0), 0);
  await board.until(() => applied() === count, 'all events');
  report('events through the spool', count / ((performance.now() - begun) / 1000), '/s', ['≥', 10_000], 'with the start of the daemon');
  await board.close();
  await daemon.stop();
}

function benchHttp(daemon) {
  const seconds = QUICK ? 2 : 5;
  for (const [what, where, target] of [['GET /api/health', '/api/health', 30_000], ['GET / (the page)', '/', 20_000]]) {
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
  report('memory with 100 sessions', daemon.rss / 1e6, 'MB', ['≤', 30]);
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
    benchHook(tools(), home());
    await benchStart(home());
    const daemon = await new Daemon(home()).start();
    await benchLatency(daemon);
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
