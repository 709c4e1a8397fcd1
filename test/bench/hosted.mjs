// Terminals through the daemon: how fast output and keys get to a viewer, what many of them cost, what a flood does to others.
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { keepers, Daemon } from '../e2e/lib/daemon.mjs';
import { compileKeeperBench, measure } from './keeper.mjs';
import { format, quantile, report } from './report.mjs';

const run = promisify(execFile);
const LINE = 'the quick brown fox jumps over the lazy dog and goes on to write some more text'; // 79 bytes and a newline

async function make(daemon, body) {
  const answer = await daemon.fetch('/api/terminals', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ workingDir: '/', ...body }) });
  if (!answer.ok) throw new Error(await answer.text());
  const made = await answer.json();
  return { ...made, path: `/ws/session/${made.terminalId}/worker/${made.terminalId}`,
    terminal: await daemon.get(`/api/terminals/${made.terminalId}`) };
}

const remove = (daemon, { terminalId }) => daemon.fetch(`/api/sessions/${terminalId}`, { method: 'DELETE' });

function rate(text) {
  const [, bytes, seconds] = /bytes (\d+) {2}seconds ([\d.]+)/.exec(text);
  return Number(bytes) / Number(seconds) / 1e6;
}

/** What comes out at a viewer that wants every byte, in MB/s. */
async function throughViewer({ ttyBench, keeperBench }, daemon, mebibytes) {
  const made = await make(daemon, { argv: [keeperBench, 'print', String(mebibytes), 'cooked'] });
  const { stdout } = await run(ttyBench, [daemon.port, `${made.path}?exact=1&epoch=${made.terminal.epoch}&offset=0`, 'drain'].map(String));
  await remove(daemon, made);
  return rate(stdout);
}

async function benchThroughput(programs, daemon, home, quick) {
  const mebibytes = quick ? 40 : 150;
  let bare = 0, ours = 0;
  for (let i = 0; i < (quick ? 2 : 5); i++) {
    bare = Math.max(bare, Number(/([\d.]+) MB\/s/.exec(measure(programs.keeperBench, home, 'flood', 'bare', mebibytes, 'cooked'))[1]));
    ours = Math.max(ours, await throughViewer(programs, daemon, mebibytes));
  }
  report('keeper → daemon → WebSocket viewer, every byte', ours, 'MB/s', undefined, `a bare reader of the same terminal ${format(bare)}`);
  report('that viewer ÷ the bare reader', ours / bare, '×', ['≥', 0.8]);
}

async function benchEcho({ ttyBench }, daemon, quick) {
  const made = await make(daemon, { argv: ['cat'] });
  const { stdout } = await run(ttyBench, [daemon.port, made.path, 'echo', quick ? 200 : 2000].map(String));
  const [, p50, p99] = /p50 (\d+) us.*p99 (\d+) us/.exec(stdout).map(Number);
  report('a key until its echo is at the viewer, p50', p50 / 1000, 'ms');
  report('a key until its echo is at the viewer, p99', p99 / 1000, 'ms', ['≤', 2]);
  await remove(daemon, made);
}

async function benchAttach({ ttyBench }, daemon, quick) {
  const made = await make(daemon, { argv: ['sh', '-c', `yes "${LINE}" | head -n 12000; exec cat`] });
  for (;;) {
    const { bytes } = await daemon.get(`/api/terminals/${made.terminalId}`);
    if (bytes >= 12000 * (LINE.length + 2)) break;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  const { stdout } = await run(ttyBench, [daemon.port, made.path, 'attach', quick ? 10 : 100].map(String));
  const [, bytes, p50, p99] = /bytes (\d+) .*p50 (\d+) us.*p99 (\d+) us/.exec(stdout).map(Number);
  report('coming back to 10,000 lines of scrollback, p50', p50 / 1000, 'ms', ['≤', 20], `${format(bytes / 1e6)} MB, p99 ${format(p99 / 1000)}`);
  await remove(daemon, made);
}

/** Private and shared memory of a process, in KiB, as the kernel shares it out. */
export function pss(pid) {
  return Number(/^Pss:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]);
}

async function benchIdle(daemon, count) {
  const before = daemon.rss, made = [];
  for (let i = 0; i < count; i++) made.push(await make(daemon, { argv: ['sh', '-c', 'printf "$ "; exec sleep 1000'] }));
  await new Promise(resolve => setTimeout(resolve, 1500));
  report(`the daemon with ${count} idle terminals`, daemon.rss / 2 ** 20, 'MiB', ['≤', 60], `${format(before / 2 ** 20)} before`);
  const sizes = keepers(daemon.home).map(pss).sort((a, b) => a - b);
  report('a keeper, median', quantile(sizes, 0.5), 'KiB', ['≤', 64], `PSS; largest ${sizes.at(-1)}`);
  for (const one of made) await remove(daemon, one);
}

/** How long a hook takes to get to a board while terminals flood. */
async function benchFlood(latency, daemon, quick) {
  const quiet = latency(quick ? 100 : 500), made = [];
  for (let i = 0; i < 20; i++) made.push(await make(daemon, { argv: ['sh', '-c', `yes "${LINE}"`] }));
  const flooded = latency(quick ? 100 : 500);
  report('a hook until the board has it, p99', quiet.p99 / 1000, 'ms', undefined, `p50 ${format(quiet.p50 / 1000)}`);
  report('the same beside 20 flooding terminals, p99', flooded.p99 / 1000, 'ms', ['≤', 20], `p50 ${format(flooded.p50 / 1000)}`);
  for (const one of made) await remove(daemon, one);
}

/** `latency(daemon, runs)`: from a hook's start to a board, in µs. */
export async function benchHosted(ttyBench, latency, newHome, quick) {
  const programs = { ttyBench, keeperBench: compileKeeperBench() };
  const daemon = await new Daemon(newHome(), { args: ['--max-terminals', '1000'] }).start();
  try {
    await benchThroughput(programs, daemon, newHome(), quick);
    await benchEcho(programs, daemon, quick);
    await benchAttach(programs, daemon, quick);
    await benchFlood(runs => latency(daemon, runs), daemon, quick);
    await benchIdle(daemon, 500);
  } finally {
    await daemon.stop();
    for (const pid of keepers(daemon.home)) process.kill(pid, 'SIGKILL');
  }
}
