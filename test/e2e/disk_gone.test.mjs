// A disk that goes read-only by itself while everything is under way, as ext4 does after an error: nobody hangs, fails or dies, what is
// told is true, and what was committed is there when the disk is back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { environment, keepers, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { HOOK, runHook } from './lib/hook.mjs';
import { gone } from './lib/keeper.mjs';
import { Agent } from './lib/payloads.mjs';
import { expected, PRINTER } from './lib/printer.mjs';
import { failingHome } from './lib/small_disk.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const EVENTS = 20;
const FLOW_BYTES = 4 << 20; // more than a keeper holds: they came through the daemon

/** Asks until it says this. */
async function healthUntil(daemon, wanted, what) {
  for (let i = 0; i < 600; i++) {
    const now = await daemon.get('/api/health');
    if (wanted(now)) return now;
    await new Promise(resolve => { setTimeout(resolve, 50); });
  }
  assert.fail(`never so: ${what}; ${JSON.stringify(await daemon.get('/api/health'))}`);
}

/** Ticks of the processor that a process has used. */
function ticks(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Hooks that never stop, in the background; end() answers how many there were. */
function endlessHooks(t, home, agent) {
  const script = `n=0; trap 'echo $n; exit 0' TERM; while :; do n=$((n+1)); printf '%s' "$PAYLOAD" | "$HOOK" || exit 1; done`;
  const child = spawn('sh', ['-c', script], { env: environment(home, { HOOK, PAYLOAD: JSON.stringify(agent.prompt('again')) }), stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { said += chunk; });
  cleanup(t, () => child.kill('SIGKILL'));
  return { end: async () => {
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    assert.equal(code, 0, said);
    assert.match(said, /^\d+\n$/, 'no hook says anything');
    return Number(said);
  } };
}

const doctorLine = async (home, check) => {
  const { stdout } = await ostler(home, ['doctor', '--json']);
  return stdout.trim().split('\n').map(line => JSON.parse(line)).find(line => line.check === check);
};

for (const how of ['error', 'abort'])
  test(`the disk goes read-only by ${how === 'error' ? 'an error' : 'an aborted journal'} under a running daemon`, { timeout: 120_000 }, async t => {
    const place = failingHome(t);
    if (!place) return;
    const { home } = place, daemon = await startDaemon(t, { home }), agent = new Agent({ cwd: '/srv/disk' }), other = new Agent({ cwd: '/srv/disk' });
    await runHook(home, agent.start());
    for (let i = 0; i < EVENTS; i++) await runHook(home, agent.prompt(`before ${i}`));
    const board = await Board.connect(t, daemon);
    await board.session(agent.id, s => s.promptCount === EVENTS);
    const titled = await daemon.fetch(`/api/sessions/${agent.id}/title`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"title":"committed"}' });
    assert.equal(titled.status, 200); // answered after its commit, and those before it
    place.sync(); // what the kernel has not written yet is lost with the disk, as in a power cut
    const stop = path.join(makeHome(t), 'stop');
    const flood = await makeTerminal(daemon, { argv: ['perl', '-e', PRINTER, stop, '0.001', '1024'], workingDir: '/' });
    const quiet = await makeTerminal(daemon, { argv: ['cat'], workingDir: '/' });
    const viewer = await Tty.connect(t, daemon, flood, { exact: true, offset: 0 }), reader = await Tty.connect(t, daemon, quiet);
    const hooks = endlessHooks(t, home, other);
    await viewer.until(() => viewer.offset > FLOW_BYTES, 'output');
    place.fail(how);

    for (let i = 0; i < EVENTS; i++) await runHook(home, agent.prompt(`lost ${i}`)); // 0, silent and not hanging
    const from = viewer.offset;
    await viewer.until(() => viewer.offset > from + FLOW_BYTES, 'output after it');
    assert.deepEqual(viewer.gaps, []);
    assert.equal(viewer.output, expected(0, viewer.offset), 'every byte, in order');
    reader.type('still here\n');
    await reader.shows('still here');
    const told = await healthUntil(daemon, h => h.problems.some(p => /cannot be written to: new events are lost/.test(p)), 'the truth');
    assert.equal(told.status, 'degraded');
    const said = await ostler(home, ['status']);
    assert.equal(said.code, 1);
    assert.match(said.stdout, /in trouble[\s\S]*new events are lost \(\d+ so far, where they could be counted\)/);
    for (const check of ['state directory', 'spool', 'events', 'daemon']) assert.equal((await doctorLine(home, check)).state, 'bad', check);
    assert.match((await doctorLine(home, 'events')).what, /those that come now are lost, and cannot be counted/);
    assert.ok(await hooks.end() > 0);

    fs.writeFileSync(stop, '');
    await viewer.until(() => viewer.exit, 'its end');
    const before = ticks(daemon.child.pid), log = daemon.log.length;
    await healthUntil(daemon, h => h.uptimeMs > told.uptimeMs + 4000, 'some seconds later');
    assert.ok(ticks(daemon.child.pid) - before < 150, 'it does not spin');
    assert.ok(daemon.log.length - log < 4096, `nor fill its log: ${daemon.log.slice(log)}`);
    assert.ok(daemon.running);
    daemon.checkLog();
    await daemon.stop();
    const kept = keepers(home);
    for (const pid of kept) process.kill(pid, 'SIGKILL');
    for (const pid of kept) await gone(pid);

    place.mend();
    await daemon.start();
    const session = (await daemon.get('/api/sessions'))[agent.id];
    assert.deepEqual([session.title, session.promptCount], ['committed', EVENTS]);
    await runHook(home, agent.prompt('after'));
    await (await Board.connect(t, daemon)).session(agent.id, s => s.promptCount === EVENTS + 1, 'and it goes on');
    await healthUntil(daemon, h => h.status === 'ok', 'well again');
  });

test('a quiet daemon on a disk that went read-only says so, and where the runtime directory is elsewhere losses are counted', async t => {
  const place = failingHome(t);
  if (!place) return;
  const { home } = place, run = path.join(home, 'run'), elsewhere = makeHome(t);
  fs.mkdirSync(run, { mode: 0o700 });
  place.bind(elsewhere, run);
  const daemon = await startDaemon(t, { home }), agent = new Agent({ cwd: '/srv/disk' });
  await runHook(home, agent.start());
  await (await Board.connect(t, daemon)).session(agent.id);
  assert.equal((await daemon.get('/api/health')).status, 'ok');
  place.fail('error');
  const told = await daemon.get('/api/health');
  assert.equal(told.status, 'degraded', 'before anything was tried');
  for (let i = 0; i < EVENTS; i++) await runHook(home, agent.prompt(`lost ${i}`));
  assert.equal((await daemon.get('/api/health')).lost['read-only'], EVENTS);
  assert.match((await doctorLine(home, 'events')).what, new RegExp(`^${EVENTS} were lost \\(the disk could not be written to: ${EVENTS}\\)`));
  await daemon.stop();
});
