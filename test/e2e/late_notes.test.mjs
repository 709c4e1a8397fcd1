// What the daemon itself has seen is not forgotten because the spool could not be opened just then.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { makeTerminal } from './lib/tty.mjs';

/** Takes from a daemon every descriptor that it does not use at the moment; the answer gives them back. */
function withoutDescriptors({ pid }) {
  const limit = n => execFileSync('prlimit', ['--pid', pid, `--nofile=${n}:`]);
  const [, was] = /Max open files\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/limits`, 'utf8'));
  // The numbers in use may have holes: the limit is on the number, so that the lowest free one is the end.
  const used = new Set(fs.readdirSync(`/proc/${pid}/fd`).map(Number));
  let lowest = 0;
  while (used.has(lowest)) lowest++;
  limit(lowest);
  return () => limit(was);
}

test('a program that ends while no descriptor is left: its card says so as soon as there is one', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t), board = await Board.connect(t, daemon);
  const made = await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/' });
  const { pid } = await daemon.get(`/api/terminals/${made.terminalId}`);
  await board.session(made.terminalId, s => s.terminalId === made.terminalId);
  const giveBack = withoutDescriptors(daemon.child);
  process.kill(pid, 'SIGKILL');
  await daemon.says(/spool cannot be written \(Too many open files\)|cannot note what became of/);
  giveBack();
  const card = await board.session(made.terminalId, s => s.status === 'ended');
  assert.equal(card.terminalId, null);
  assert.match(daemon.log, /can be written again, and what waited is noted/);
});
