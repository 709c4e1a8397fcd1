// Terminals that nothing kills: not the daemon's death, not the machine's.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { keepers, ostler, startDaemon } from './lib/daemon.mjs';
import { expected, lastLine, LINE_BYTES, PRINTER } from './lib/printer.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const TERMINALS = 20, KILLS = 20, AWAY_MS = 20_000;
const bare = text => text.replace(/\x1b\[\d+m/g, '');
const alive = pid => fs.existsSync(`/proc/${pid}`);
const screen = async (daemon, id, query = '') => daemon.get(`/api/terminals/${id}/screen${query}`);

test(`${TERMINALS} printing terminals, the daemon killed ${KILLS} times: every byte, and nobody died`, { timeout: 240_000 }, async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const stop = path.join(daemon.home, 'stop');
  const ttys = [];
  for (let i = 0; i < TERMINALS; i++) {
    const made = await makeTerminal(daemon, { argv: ['perl', '-e', PRINTER, stop, '0.1'], workingDir: daemon.home });
    ttys.push(await Tty.connect(t, daemon, made, { exact: true, offset: 0 }));
    ttys[i].id = made.terminalId;
  }
  const { terminals } = await daemon.get('/api/terminals');
  const pids = terminals.map(x => x.pid), before = new Set(keepers(daemon.home));
  assert.equal(before.size, TERMINALS);

  for (let kill = 0; kill < KILLS; kill++) {
    const was = ttys.map(tty => tty.offset);
    await Promise.all(ttys.map((tty, i) => tty.until(() => tty.offset > was[i], `more of ${tty.id}`)));
    await daemon.crash();
    await daemon.start();
    await Promise.all(ttys.map(tty => tty.open()));
  }
  assert.ok(pids.every(alive), 'every program lives');
  assert.deepEqual(new Set(keepers(daemon.home)), before, 'every keeper lives');

  fs.writeFileSync(stop, '');
  await Promise.all(ttys.map(tty => tty.until(() => tty.exit, `the end of ${tty.id}`)));
  for (const tty of ttys) {
    assert.deepEqual(tty.gaps, []);
    assert.equal(tty.exit.exitCode, 0);
    const output = tty.output, body = output.length - LINE_BYTES;
    assert.ok(tty.snapshots === 0);
    assert.equal(output.slice(0, body), expected(0, body), `what ${tty.id} printed`);
    assert.equal(output.slice(body), lastLine(body / LINE_BYTES));
  }
});

test('a daemon away for 20 s under flood: an honest gap, and a right screen after it', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const stop = path.join(daemon.home, 'stop');
  const made = await makeTerminal(daemon, { argv: ['perl', '-e', PRINTER, stop, '0.001'], workingDir: daemon.home });
  const tty = await Tty.connect(t, daemon, made, { exact: true, offset: 0 });
  await tty.until(() => tty.offset > 100_000, 'some output');
  await daemon.crash();
  const [{ length: had }] = [tty.chunks];
  await sleep(AWAY_MS);
  await daemon.start();
  await tty.open();
  await tty.until(() => tty.gaps.length && tty.chunks.length > had + 10, 'the gap and what follows');
  fs.writeFileSync(stop, '');
  await tty.until(() => tty.exit, 'its end');
  assert.equal(tty.gaps.length, 1);
  const [gap] = tty.gaps, output = tty.output;
  const before = gap.from;
  assert.ok(gap.to - gap.from > 0);
  assert.equal(output.slice(0, before), expected(0, gap.from), 'before the gap');
  assert.equal(output.slice(before, -LINE_BYTES), expected(gap.to, gap.to + output.length - before - LINE_BYTES), 'behind it');

  const { lines, rows } = await screen(daemon, made.terminalId);
  const last = tty.offset / LINE_BYTES - 1;
  const shown = lines.filter(line => line !== '');
  assert.equal(shown.at(-1), `last ${String(last).padStart(9, '0')}`);
  for (let i = 2; i < Math.min(rows - 1, shown.length); i++)
    assert.equal(shown.at(-i), `line ${String(last - i + 1).padStart(9, '0')}`);
});

test('terminals that are ended while a new daemon finds them again do end', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t), many = Array.from({ length: 16 });
  const talker = ['perl', '-e', '$| = 1; print "a line of some length that fills the journal\\n" x 40000; print "done\\n"; sleep 1000'];
  const made = await Promise.all(many.map(() => makeTerminal(daemon, { argv: talker, workingDir: daemon.home })));
  for (const terminal of made) (await Tty.connect(t, daemon, terminal)).close();
  for (const { terminalId } of made) while (!(await screen(daemon, terminalId)).lines.includes('done')) await sleep(20);
  const pids = (await daemon.get('/api/terminals')).terminals.map(({ pid }) => pid);
  await daemon.crash();
  await daemon.start();
  const answers = await Promise.all(made.map(({ terminalId }) => daemon.fetch(`/api/terminals/${terminalId}`, { method: 'DELETE' })));
  assert.deepEqual(answers.map(({ status }) => status), made.map(() => 200));
  await daemon.crash(); // what was answered is with the keepers
  for (const until = Date.now() + 20_000; pids.some(alive);) {
    assert.ok(Date.now() < until, `${pids.filter(alive).length} programs live on`);
    await sleep(20);
  }
});

test('after a reboot: scrollback, directory, environment and history are there', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t, { samePort: true, env: { SHELL: '/bin/bash' } });
  const work = path.join(daemon.home, 'work');
  fs.mkdirSync(path.join(work, 'deep er'), { recursive: true });
  const made = await makeTerminal(daemon, {
    command: '', workingDir: work, env: { TEST_LEVEL: 'seven eight' }, cols: 100, rows: 30, sessionTitle: 'the shell' });
  const tty = await Tty.connect(t, daemon, made);
  tty.type("PS1='ready> '; cd 'deep er'\r");
  tty.type('echo "level=$TEST_LEVEL"; seq -f "row %03.0f" 1 200\r');
  await tty.shows('row 200');
  tty.type('echo last-$((40+2))\r');
  await tty.shows('last-42');
  for (;;) {
    const { directory } = await daemon.get(`/api/terminals/${made.terminalId}`);
    if (directory === path.join(work, 'deep er')) break;
    await sleep(50);
  }
  await sleep(1500); // what changed often is saved every second or two
  const { lines: shown, scrollback } = await screen(daemon, made.terminalId, '?scrollback=1000');

  // the power goes
  await daemon.crash();
  for (const pid of keepers(daemon.home)) process.kill(pid, 'SIGKILL');
  await daemon.start();

  const restored = await daemon.get(`/api/terminals/${made.terminalId}`);
  assert.equal(restored.connection, 'restored');
  assert.equal(restored.directory, path.join(work, 'deep er'));
  const after = await screen(daemon, made.terminalId, '?scrollback=1000');
  assert.deepEqual([...after.scrollback, ...after.lines].slice(0, scrollback.length + shown.length), [...scrollback, ...shown]);

  const answer = await daemon.fetch(`/api/sessions/${made.terminalId}/resume`, { method: 'POST' });
  assert.equal(answer.status, 200, await answer.clone().text());
  const again = await daemon.get(`/api/terminals/${made.terminalId}`);
  assert.equal(again.connection, 'live');
  assert.ok(again.epoch > restored.epoch);
  const back = await Tty.connect(t, daemon, made);
  back.type('echo "$PWD|$TEST_LEVEL"; history | tail -5\r');
  await back.shows(`${path.join(work, 'deep er')}|seven eight`);
  await back.shows('echo last-$((40+2))');
  const text = await screen(daemon, made.terminalId, '?scrollback=1000');
  assert.ok([...text.scrollback, ...text.lines].includes('row 123'), 'what was printed before the reboot is still above');
});

test('a secret printed in pieces of three bytes across colours is in no file; offsets still match', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t);
  const secret = 'sk-ant-api03-' + 'Zk9'.repeat(20), password = 'hunter2-Tr0ub4dor';
  const script = `$| = 1; my $s = "export ANTHROPIC_API_KEY=${secret}\\npassword: ${password}\\nthe end\\n"; my $i = 0;
    while ($i < length $s) { print "\\e[3" . ($i % 7) . "m" . substr($s, $i, 3) . "\\e[0m"; $i += 3; select(undef, undef, undef, 0.002); }`;
  const file = path.join(daemon.home, '..', `ostler-script-${process.pid}.pl`);
  fs.writeFileSync(file, script);
  t.after(() => fs.rmSync(file, { force: true }));
  const made = await makeTerminal(daemon, { argv: ['perl', file], workingDir: '/' });
  const tty = await Tty.connect(t, daemon, made, { exact: true, offset: 0 });
  await tty.until(() => tty.exit, 'its end');
  const plain = bare(tty.output);
  assert.ok(plain.includes(secret) && plain.includes(password), 'who looks on sees it');
  await daemon.stop();

  for (const entry of fs.readdirSync(daemon.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = path.join(entry.parentPath, entry.name), text = bare(fs.readFileSync(name, 'latin1'));
    for (const part of [secret, secret.slice(20, 40), password]) assert.ok(!text.includes(part), `${name} holds the secret`);
  }
  const { stdout: kept } = await ostler(daemon.home, ['logs', '--raw', made.terminalId]);
  assert.equal(Buffer.byteLength(kept), tty.offset, 'no byte more or less');
  const masked = bare(kept);
  assert.match(masked, /^export ANTHROPIC_API_KEY=\*+\r\npassword: \*+\r\nthe end\r\n$/);
  for (const part of [secret.slice(20, 26), password.slice(3, 9)]) assert.ok(!masked.includes(part));
  const again = await daemon.start();
  const range = await again.get(`/api/terminals/${made.terminalId}`);
  assert.equal(range.bytes, tty.offset, 'no byte more or less');
});
