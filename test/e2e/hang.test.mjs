// A daemon that hangs: nothing waits for it, and what it missed is told.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { RING_BYTES } from './lib/keeper.mjs';
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
