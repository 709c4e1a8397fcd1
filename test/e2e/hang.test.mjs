// A daemon that hangs: nothing waits for it, and what it missed is told.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD, environment, makeHome, ostler, OSTLER, startDaemon } from './lib/daemon.mjs';
import { alive, gone, RING_BYTES } from './lib/keeper.mjs';
import { Manager, noManager } from './lib/manager.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const LINE_BYTES = 16;

/** Prints numbered lines of 16 bytes until a file is there, and keeps in another how many they are. */
const PRINTER = `$| = 1; my ($stop, $progress) = @ARGV; my $n = 0;
open(my $file, '>', $progress) or die;
until (-e $stop) {
  my $text = ''; $text .= sprintf("line %09d\\n", $n++) for 1..64; print $text;
  seek($file, 0, 0); syswrite($file, sprintf("%012d", $n));
}
printf("last %09d\\n", $n);`;

const line = n => `line ${String(n).padStart(9, '0')}\r\n`;

function expected(from, to) {
  let text = '';
  for (let n = Math.floor(from / LINE_BYTES); n * LINE_BYTES < to; n++) text += line(n);
  return text.slice(from % LINE_BYTES, from % LINE_BYTES + to - from);
}

const state = pid => /^State:\s+(\S)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1];

async function until(condition, what) {
  for (const end = Date.now() + 60_000; !condition();) {
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await sleep(20);
  }
}

/** Stops it as it is, and lets it go on whatever happens to the test. */
async function freeze(t, daemon) {
  const { pid } = daemon.child;
  cleanup(t, () => { if (daemon.running) process.kill(pid, 'SIGCONT'); });
  process.kill(pid, 'SIGSTOP');
  await until(() => state(pid) === 'T', 'it to stop');
  return () => process.kill(pid, 'SIGCONT');
}

/** A program that prints as fast as it can; `done` tells how many bytes it has printed. */
async function printing(t, daemon) {
  const stop = path.join(daemon.home, 'stop'), progress = path.join(daemon.home, 'progress');
  const made = await makeTerminal(daemon, { argv: ['perl', '-e', PRINTER, stop, progress], workingDir: daemon.home });
  return { made, printed: () => Number(fs.readFileSync(progress, 'utf8')) * LINE_BYTES, end: () => fs.writeFileSync(stop, '') };
}

/** Every byte that came is the right one, and what did not come is in a gap. */
function check(tty) {
  const output = tty.output;
  let at = 0, sum = 0;
  for (const { from, to } of [...tty.gaps, { from: tty.offset - LINE_BYTES, to: tty.offset }]) {
    const n = from - at;
    assert.ok(n >= 0);
    assert.equal(output.slice(sum, sum + n), expected(at, from), `the bytes from ${at} to ${from}`);
    sum += n;
    at = to;
  }
  assert.equal(output.slice(sum), `last ${String((tty.offset - LINE_BYTES) / LINE_BYTES).padStart(9, '0')}\r\n`);
}

test('a stopped daemon stops no program; then the gap is told, and the screen is right', async t => {
  const daemon = await startDaemon(t);
  const program = await printing(t, daemon);
  const tty = await Tty.connect(t, daemon, program.made, { exact: true, offset: 0 });
  await tty.until(() => tty.offset > 100_000, 'some output');

  const go = await freeze(t, daemon);
  // More than the keeper, the socket and the terminal can hold: it went on without anybody.
  const before = program.printed();
  await until(() => program.printed() > before + 8 * RING_BYTES, 'the program to go on');
  assert.equal(state(daemon.child.pid), 'T');
  go();

  await tty.until(() => tty.gaps.length, 'the gap');
  const told = tty.offset; // acknowledgements come again: what follows is held, however fast it is
  await tty.until(() => tty.offset > told + 4 * RING_BYTES, 'what follows');
  program.end();
  await tty.until(() => tty.exit, 'its end');
  check(tty);
  assert.equal(tty.exit.exitCode, 0);
  const { lines, rows } = await daemon.get(`/api/terminals/${program.made.terminalId}/screen`);
  const shown = lines.filter(text => text !== ''), last = tty.offset / LINE_BYTES - 1;
  assert.equal(shown.at(-1), `last ${String(last).padStart(9, '0')}`);
  for (let i = 2; i < Math.min(rows - 1, shown.length); i++) assert.equal(`${shown.at(-i)}\r\n`, line(last - i + 1));
});

/** Stops the loop's thread and no other, as if it hung; null where that is not allowed. Answers what lets it go on. */
async function hang(t, pid) {
  const child = spawn(path.join(BUILD, 'test/agents/freeze'), [String(pid)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  cleanup(t, () => child.kill('SIGKILL'));
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
  return said === 'frozen\n' ? async () => { child.kill('SIGKILL'); await ended; } : null;
}

test('a loop that hangs is noticed while it does, and told afterwards', async t => {
  const daemon = await startDaemon(t);
  assert.deepEqual((await daemon.get('/api/health')).loop, { stalls: 0, worstMs: 0, lastAt: null });
  const go = await hang(t, daemon.child.pid);
  if (!go) return t.skip('no process may be looked into here');
  await daemon.says(/does not answer: its loop has not turned for 4 s; it was last at: .*; somebody has stopped it/);
  await go();
  await daemon.says(/the loop turns again, after \d+ ms/);
  const { status, loop } = await daemon.get('/api/health');
  assert.deepEqual([status, loop.stalls], ['ok', 1]);
  assert.ok(loop.worstMs >= 4000 && loop.lastAt > 1.6e12, JSON.stringify(loop));
  const { stdout } = await ostler(daemon.home, ['doctor']);
  assert.match(stdout, /did not answer for a while 1 time, for \d+ s at worst/);
});

test('a daemon that was stopped as a whole has not hung', async t => {
  const daemon = await startDaemon(t), go = await freeze(t, daemon);
  await sleep(6000); // longer than a stall
  go();
  const told = async () => (await daemon.get('/api/health')).loop.stalls;
  for (let i = 0; i < 5; i++, await sleep(500)) assert.equal(await told(), 0);
  assert.doesNotMatch(daemon.log, /does not answer/);
});

test('with a manager: a daemon that hangs is started anew, and its terminals live', { skip: await noManager() ?? false }, async t => {
  const home = makeHome(t), manager = await Manager.start(t, { home }), env = environment(home);
  if (manager.prefix.length === 0) return t.skip('the manager that runs here has units of its own, which are not for tests');
  const call = async (...args) => {
    const child = manager.spawn(args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', chunk => { said += chunk; });
    const [code] = await once(child, 'close');
    return { code, said };
  };
  const dropIn = path.join(home, '.config/systemd/user/ostler.service.d');
  fs.mkdirSync(dropIn, { recursive: true });
  fs.writeFileSync(path.join(dropIn, 'test.conf'), '[Service]\nEnvironment=PORT=0\nWatchdogSec=3\n');
  cleanup(t, () => call(OSTLER, 'service', 'uninstall'));
  assert.equal((await call(OSTLER, 'service', 'install')).code, 0);
  const show = async name => (await call('systemctl', '--user', 'show', '-p', name, '--value', 'ostler')).said.trim();
  assert.equal(await show('ActiveState'), 'active', 'it has said that it is ready');
  const file = path.join(home, 'run/daemon.json'), info = () => { try { return JSON.parse(fs.readFileSync(file, 'utf8')); } catch { return {}; } };
  await until(() => info().pid, 'the daemon');
  const { pid, port } = info(), url = `http://127.0.0.1:${port}/api/terminals`;
  const out = path.join(home, 'environment');
  const made = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ argv: ['sh', '-c', `env >${out}.part; mv ${out}.part ${out}; exec sleep 1000`], workingDir: '/' }) });
  const { terminalId } = await made.json(), { pid: program } = await (await fetch(`${url}/${terminalId}`)).json();
  cleanup(t, () => { if (alive(program)) process.kill(program, 'SIGKILL'); });
  await until(() => fs.existsSync(out), 'the program');
  assert.doesNotMatch(fs.readFileSync(out, 'utf8'), /^(NOTIFY_SOCKET|WATCHDOG_)/m, 'programs do not speak to the manager in its name');

  // It goes on as long as its loop turns, in place too.
  assert.equal((await call(OSTLER, 'restart')).code, 0);
  await until(() => info().port, 'the daemon that came after');
  assert.equal(await show('MainPID'), String(pid));
  await sleep(4000); // longer than the manager waits
  assert.deepEqual([await show('ActiveState'), await show('NRestarts'), info().pid], ['active', '0', pid]);

  if (!await hang(t, pid)) return t.skip('no process may be looked into here');
  await gone(pid);
  await until(() => info().pid && info().pid !== pid, 'the next one');
  assert.equal(await show('NRestarts'), '1');
  assert.ok(alive(program), 'its terminal lives');
  const { connection, pid: still } = await (await fetch(`http://127.0.0.1:${info().port}/api/terminals/${terminalId}`)).json();
  assert.deepEqual([connection, still], ['live', program]);
});
