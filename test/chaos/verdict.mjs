// What must be true when everything is over.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepers } from '../e2e/lib/daemon.mjs';
import { databaseOf } from '../e2e/lib/database.mjs';
import { applied, Marks, onFullDisk, wrongMarks } from './marks.mjs';

const SETTLE_MS = 30_000, QUIET_MS = 6_000, LOOK_MS = 100;
const SPARE_FILES = 1, SPARE_THREADS = 1, SPARE_BYTES = 48 << 20;

/** Waits until the list of what is wrong is empty; else breaks the invariant with it. */
async function settles(world, invariant, look) {
  for (const until = Date.now() + SETTLE_MS; ;) {
    const wrong = await look();
    if (!wrong.length) return;
    if (Date.now() > until) return world.broken(invariant, wrong.join('\n'));
    await sleep(LOOK_MS);
  }
}

/** Every event that was written has reached the daemon. */
export function allRead(world, writers) {
  return settles(world, 'every event is applied', async () => {
    const sessions = (await world.daemon.get('/api/sessions'));
    return writers.filter(({ marks }) => !sessions[marks.session] || !Marks.ended(sessions[marks.session])).map(({ marks }) => `${marks.session} has not ended`);
  });
}

/** Each event once and in order, as the database has it. No daemon runs. */
export function checkEvents(world, writers, resets, counted) {
  const found = applied(world.home), full = writers.map(({ marks }) => onFullDisk(marks, found.get(marks.session)));
  const [written, lost] = ['written', 'lost'].map(name => full.reduce((sum, one) => sum + one[name], 0));
  world.count('events on a full disk', written);
  world.count('of these lost, and counted', counted);
  if (lost > counted) world.broken('what a full disk does not take is counted', `${lost} of ${written} are lost, ${counted} are counted`);
  for (const { marks } of writers) {
    for (const wrong of wrongMarks(marks, found.get(marks.session))) world.broken('each event is applied once and in order', wrong);
    world.count('events in the database', found.get(marks.session)?.length ?? 0);
  }
  // Connections side by side: their order is nobody's.
  for (const wrong of wrongMarks(resets, found.get(resets.session), { ordered: false })) world.broken('each event is applied at most once', wrong);
}

export function checkDatabase(world) {
  for (const file of [databaseOf(world.home), path.join(world.home, 'transcripts.db')].filter(fs.existsSync)) {
    const said = execFileSync('sqlite3', [file, 'PRAGMA integrity_check'], { encoding: 'utf8' }).trim();
    if (said !== 'ok') world.broken('the database is whole', `${file}: ${said}`);
  }
}

/** What a daemon holds: descriptors, threads, memory, children that nobody waited for. */
export function holdings(daemon) {
  const { pid } = daemon.child, status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return { files: fs.readdirSync(`/proc/${pid}/fd`).length, threads: Number(/Threads:\s+(\d+)/.exec(status)[1]), bytes: daemon.rss,
    zombies: children.filter(child => /\) Z /.test(fs.readFileSync(`/proc/${child}/stat`, 'utf8'))).length };
}

/** A daemon that went through all of it holds what one holds that has just started with the same state. */
export function checkHoldings(world) {
  const { tired, fresh } = world, wrong = [];
  if (tired.files > fresh.files + SPARE_FILES) wrong.push(`${tired.files} descriptors, not ${fresh.files}`);
  if (tired.threads > fresh.threads + SPARE_THREADS) wrong.push(`${tired.threads} threads, not ${fresh.threads}`);
  if (tired.bytes > 1.5 * fresh.bytes + SPARE_BYTES) wrong.push(`${tired.bytes >> 20} MiB, not ${fresh.bytes >> 20}`);
  if (tired.zombies) wrong.push(`${tired.zombies} zombies`);
  if (wrong.length) world.broken('descriptors, threads and memory come back', wrong.join(', '));
}

/** What it holds when the connections of those who have left are gone: nothing changes any more. */
export async function whenQuiet(world) {
  let held = holdings(world.daemon);
  for (let since = Date.now(); Date.now() - since < QUIET_MS; await sleep(LOOK_MS)) {
    const now = holdings(world.daemon);
    if (now.files !== held.files) since = Date.now();
    held = now;
  }
  return held;
}

/** Sessions as another start finds them; times are drawn, so that one look may be just before a change. */
export async function checkAgain(world, before) {
  const after = await world.daemon.get('/api/sessions');
  try {
    assert.deepEqual(after, before);
  } catch (error) {
    world.broken('another start finds the same sessions', error.message);
  }
}

/** The terminal that a keeper is for. */
const terminalOf = pid => /(term-[^/]+)\//.exec(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'))?.[1];

/** Nothing of ours runs but what has a terminal in the list, and in the end nothing at all. */
export async function checkKeepers(world) {
  await settles(world, 'every keeper has its terminal', async () => {
    const { terminals } = await world.daemon.get('/api/terminals'), found = new Map(terminals.map(terminal => [terminal.terminalId, terminal]));
    return keepers(world.home).map(pid => [pid, terminalOf(pid)]).filter(([, id]) => !['live', 'starting'].includes(found.get(id)?.connection))
      .map(([pid, id]) => `keeper ${pid} of ${id}, which is ${found.get(id)?.connection ?? 'not there'}`);
  });
  const { terminals } = await world.daemon.get('/api/terminals');
  for (const { terminalId } of terminals) await world.ask('DELETE', `/api/sessions/${terminalId}`);
  await settles(world, 'keepers end with their terminals', () => keepers(world.home).map(pid => `keeper ${pid} of ${terminalOf(pid)} is left`));
}
