// Disks that are full, read-only or out of files: what was promised to be kept is kept, what is lost is counted, and both are told.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Board } from './lib/board.mjs';
import { BUILD, environment, ostler, startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { fill, imageHome, remount, smallHome } from './lib/small_disk.mjs';

const HOOKS = Number(process.env.OSTLER_DISK_HOOKS || 5000);

/** Runs the real hook `count` times, a few at once, each in its own process: one shell does it, for a Node process each takes longer. */
async function manyHooks(home, session, count, { bytes = 200 } = {}) {
  const script = `i=0; pad=$(printf '%*s' ${bytes} x); while [ $i -lt ${count} ]; do i=$((i+1));
    printf '{"session_id":"%s","hook_event_name":"UserPromptSubmit","cwd":"/srv/disk","prompt":"n %d %s"}' ${session} $i "$pad" | "$HOOK" || exit 1; done`;
  const child = spawn('sh', ['-c', script], { env: environment(home, { HOOK: path.join(BUILD, 'ostler-hook') }), stdio: 'inherit' });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
}

const health = daemon => daemon.get('/api/health');

/** Asks until it is so: there is no message for it. */
async function healthUntil(daemon, wanted, what) {
  for (let i = 0; i < 600; i++) {
    const now = await health(daemon);
    if (wanted(now)) return now;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  assert.fail(`never so: ${what}; ${JSON.stringify(await health(daemon))}`);
}

test('a full disk: thousands of events are kept, all arrive once and in order when there is space', async t => {
  const place = smallHome(t, 'size=96m');
  if (!place) return;
  const daemon = await startDaemon(t, { home: place.home });
  const agent = new Agent({ cwd: '/srv/disk' });
  await runHook(place.home, agent.start());
  await healthUntil(daemon, h => h.status === 'ok', 'well');
  const board = await Board.connect(t, daemon);
  await board.session(agent.id);
  const free = fill(place.disk);
  await manyHooks(place.home, agent.id, HOOKS);
  const full = await health(daemon);
  assert.deepEqual(full.lost, { events: 0, lastAt: null });
  await board.session(agent.id, s => s.promptCount === HOOKS, 'the board goes on while nothing can be saved');
  free();
  await healthUntil(daemon, h => h.status === 'ok', 'well again by itself');
  await daemon.crash();
  await daemon.start();
  const again = await Board.connect(t, daemon);
  await again.session(agent.id, s => s.promptCount >= HOOKS, 'all of them after a crash');
  const session = (await daemon.get('/api/sessions'))[agent.id];
  assert.equal(session.promptCount, HOOKS);
  const numbers = session.promptHistory.map(p => Number(p.text.split(' ')[1]));
  assert.deepEqual(numbers, Array.from({ length: 50 }, (_, i) => HOOKS - 49 + i), 'once, in order');
});

test('a full disk: what even the reserve cannot take is counted to the last one, and told everywhere', async t => {
  const place = smallHome(t, 'size=24m');
  if (!place) return;
  const daemon = await startDaemon(t, { home: place.home });
  const agent = new Agent({ cwd: '/srv/disk' });
  await runHook(place.home, agent.start());
  await healthUntil(daemon, h => h.status === 'ok', 'well');
  const free = fill(place.disk);
  const count = 120; // of 64 KiB each: more than a quarter of the disk
  await manyHooks(place.home, agent.id, count, { bytes: 65536 });
  const { lost, problems, status } = await healthUntil(daemon, h => h.lost.events > 0, 'lost');
  assert.equal(status, 'degraded');
  assert.equal(lost.events, lost.full);
  assert.ok(lost.events < count, 'the reserve took some');
  const said = await ostler(place.home, ['status']);
  assert.equal(said.code, 1);
  assert.match(said.stdout, /in trouble/);
  if (problems.some(p => /used up/.test(p))) assert.match(said.stdout, new RegExp(`new ones are lost \\(${lost.events} so far\\)`));
  assert.match(said.stdout, new RegExp(`${lost.events} events? (was|were) lost`));
  const doctor = await ostler(place.home, ['doctor', '--json']);
  const line = doctor.stdout.trim().split('\n').map(l => JSON.parse(l)).find(l => l.check === 'events');
  assert.equal(line.state, 'warn');
  assert.match(line.what, new RegExp(`^${lost.events} were lost \\(the disk was full: ${lost.events}\\)`));
  free();
  await healthUntil(daemon, h => h.status === 'ok', 'well again by itself');
  const session = (await daemon.get('/api/sessions'))[agent.id];
  assert.equal(session.promptCount + lost.events, count, 'kept and lost are all of them');
  assert.equal((await ostler(place.home, ['status'])).code, 0);
});

for (const kind of ['ext4', 'xfs', 'btrfs'])
  test(`a full ${kind}: the reserve holds`, async t => {
    const place = imageHome(t, kind);
    if (!place) return;
    const daemon = await startDaemon(t, { home: place.home });
    const agent = new Agent({ cwd: '/srv/disk' });
    await runHook(place.home, agent.start());
    await healthUntil(daemon, h => h.status === 'ok', 'well');
    const reserved = file => fs.statSync(path.join(place.home, 'spool', file)).blocks * 512;
    for (let i = 0; i < 100 && !(reserved('active') > 4 << 20); i++) await new Promise(resolve => setTimeout(resolve, 100));
    assert.ok(reserved('active') > 4 << 20, 'there is one');
    const free = fill(place.disk), board = await Board.connect(t, daemon);
    await manyHooks(place.home, agent.id, 1000);
    await board.session(agent.id, s => s.promptCount === 1000, 'all of them');
    assert.equal((await health(daemon)).lost.events, 0);
    free();
    await healthUntil(daemon, h => h.status === 'ok', 'well again');
  });

test('a daemon starts on a full disk, serves what it has and catches up', async t => {
  const place = smallHome(t, 'size=48m');
  if (!place) return;
  const daemon = await startDaemon(t, { home: place.home });
  const agent = new Agent({ cwd: '/srv/disk' });
  await runHook(place.home, agent.start());
  await healthUntil(daemon, h => h.status === 'ok', 'well');
  await daemon.stop();
  const free = fill(place.disk);
  daemon.log = '';
  const later = daemon.start(); // ends when daemon.json is there, which takes space
  await daemon.says(/watches on/);
  await runHook(place.home, agent.prompt('On a full disk'));
  let said = await ostler(place.home, ['status']);
  for (let i = 0; i < 50 && said.code === 0; i++) said = await ostler(place.home, ['status']); // the first commit is tried
  assert.equal(said.code, 1);
  assert.match(said.stdout, /is full/);
  const list = await ostler(place.home, ['ls', '--json']);
  assert.equal(list.code, 0, list.stderr);
  assert.match(list.stdout, /On a full disk/);
  free();
  await later;
  await healthUntil(daemon, h => h.status === 'ok', 'well again by itself');
  await daemon.stop();
  await daemon.start();
  assert.equal((await daemon.get('/api/sessions'))[agent.id].promptCount, 1);
});

for (const crash of [false, true])
  test(`a daemon starts on a read-only disk after ${crash ? 'a crash' : 'a stop'}, and goes on when it is writable`, async t => {
    const place = smallHome(t, 'size=48m');
    if (!place) return;
    const daemon = await startDaemon(t, { home: place.home });
    const agent = new Agent({ cwd: '/srv/disk' });
    await runHook(place.home, agent.start());
    await runHook(place.home, agent.prompt('Before'));
    const board = await Board.connect(t, daemon);
    await board.session(agent.id, s => s.promptCount === 1, 'taken in');
    if (crash) await daemon.crash();
    else await daemon.stop();
    remount(place.disk, 'ro');
    daemon.log = '';
    const later = daemon.start();
    await daemon.says(/watches on/);
    const port = /watches on http:\/\/localhost:(\d+)/g, urls = [...daemon.log.matchAll(port)];
    const url = `http://127.0.0.1:${urls.at(-1)[1]}`;
    const sessions = await (await fetch(`${url}/api/sessions`)).json();
    assert.equal(sessions[agent.id].promptCount, 1);
    const answer = await fetch(`${url}/api/sessions/${agent.id}/title`,
      { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"title":"x"}' });
    assert.equal(answer.status, 503);
    assert.match((await answer.json()).error, /[Rr]ead-only|written/);
    remount(place.disk, 'rw');
    await later;
    await runHook(place.home, agent.prompt('After'));
    await healthUntil(daemon, h => h.status === 'ok', 'well');
    const put = await daemon.fetch(`/api/sessions/${agent.id}/title`,
      { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"title":"Mended"}' });
    assert.equal(put.status, 200);
    await daemon.crash();
    await daemon.start();
    const after = (await daemon.get('/api/sessions'))[agent.id];
    assert.deepEqual([after.promptCount, after.title], [2, 'Mended']);
  });

test('no more files can be made: events go on into the segment that is there', async t => {
  const place = smallHome(t, 'size=96m,nr_inodes=64');
  if (!place) return;
  const daemon = await startDaemon(t, { home: place.home });
  const agent = new Agent({ cwd: '/srv/disk' });
  await runHook(place.home, agent.start());
  await healthUntil(daemon, h => h.status === 'ok', 'well');
  const taken = [];
  assert.throws(() => {
    for (;;) {
      const file = path.join(place.disk, `file-${taken.length}`);
      fs.writeFileSync(file, '');
      taken.push(file);
    }
  }, { code: 'ENOSPC' });
  const board = await Board.connect(t, daemon);
  await manyHooks(place.home, agent.id, 100, { bytes: 65536 }); // past the size at which a segment is sealed
  await board.session(agent.id, s => s.promptCount === 100, 'none lost');
  assert.equal((await health(daemon)).lost.events, 0);
  for (const file of taken) fs.rmSync(file);
  await healthUntil(daemon, h => h.status === 'ok', 'well');
});
