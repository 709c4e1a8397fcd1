// `ostler serve --replace` by many at once: one daemon is left, everybody else says what became of it, and nothing is lost.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { detach, holder, info, makeHomeWithDaemon } from './lib/background.mjs';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { query } from './lib/database.mjs';
import { environment, keepers, OSTLER, ostler } from './lib/daemon.mjs';
import { Flood } from './lib/flood.mjs';
import { alive } from './lib/keeper.mjs';
import { makeTerminal } from './lib/tty.mjs';

const EVENTS = 400;
const FASTER = /^ostler serve: another ostler has taken over in the same moment( \(pid \d+\))?: ostler status says where it is\n$/;

/** `ostler serve --replace`; `said` is all that it wrote, `ended` its end. */
function replace(t, home, more) {
  const child = spawn(OSTLER, ['serve', '--replace', '--no-open', '--no-setup', ...more], { env: environment(home), stdio: ['ignore', 'pipe', 'pipe'] });
  child.said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { child.said += chunk; });
  child.ended = once(child, 'close').then(([code, signal]) => Object.assign(child, { end: { code, signal } }));
  cleanup(t, () => child.kill('SIGKILL'));
  return child;
}

/** What one that is not the last says: it was replaced after it ran, or somebody was faster. */
function checkEnd({ end, said }) {
  assert.equal(end.signal, null, said);
  if (end.code === 0) assert.match(said, /stopping \(terminated\)\n$/);
  else assert.match(said, FASTER);
  assert.ok(end.code <= 1);
}

/** Waits until the lock names this process and daemon.json does. */
async function settled(home, pid) {
  for (let i = 0; i < 2000; i++) {
    try {
      if (holder(home) === pid && info(home).pid === pid) return;
    } catch {
      // there is none for a moment
    }
    await new Promise(resolve => { setTimeout(resolve, 10); });
  }
  assert.fail(`${pid} never became the daemon; the lock names ${holder(home)}`);
}

/** Terminals, and hooks all the time; check() that one daemon is left and nothing was lost. */
async function busyHome(t) {
  const home = makeHomeWithDaemon(t), daemon = await detach(home), pids = [];
  for (let i = 0; i < 3; i++) {
    const { terminalId } = await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/' });
    pids.push((await daemon.get(`/api/terminals/${terminalId}`)).pid);
  }
  const kept = keepers(home).sort(), flood = new Flood(t, home, { lanes: 2, events: EVENTS });
  flood.allow(flood.total);
  return { home, port: daemon.port, check: async () => {
    await flood.until(() => flood.ended);
    const { port, pid } = info(home), now = { port, get: async where => (await fetch(`http://127.0.0.1:${port}${where}`)).json() };
    assert.equal((await now.get('/api/health')).pid, pid);
    const board = await Board.connect(t, now);
    await board.until(() => [...board.sessions.values()].reduce((sum, s) => sum + s.promptCount + s.toolCalls, 0) >= flood.total, 'all events');
    const { terminals } = await now.get('/api/terminals');
    assert.deepEqual(terminals.map(one => one.pid).sort(), pids.sort());
    assert.deepEqual([...new Set(terminals.map(one => one.connection))], ['live']);
    assert.deepEqual(keepers(home).sort(), kept);
    assert.ok(pids.every(alive));
    assert.equal((await ostler(home, ['stop'])).code, 0);
    const [row] = query(home, `WITH marked AS (
      SELECT s.session_id AS lane, coalesce(t.tool_input_summary, p.text) AS said,
        row_number() OVER (PARTITION BY e.session_id ORDER BY e.pos) - 1 AS nth
      FROM events e JOIN sessions s ON s.id = e.session_id
      LEFT JOIN tool_calls t ON t.session_id = e.session_id AND t.pos = e.pos
      LEFT JOIN prompts p ON p.session_id = e.session_id AND p.pos = e.pos WHERE s.session_id LIKE 'flood-%')
      SELECT count(*) AS applied, count(DISTINCT lane || said) AS different, sum(said NOT IN ('mark-' || nth, 'echo mark-' || nth)) AS misplaced FROM marked`);
    assert.deepEqual(row, { applied: flood.total, different: flood.total, misplaced: 0 });
  } };
}

for (const count of [2, 3, 10])
  test(`${count} at once, in the foreground, for one port`, { timeout: 120_000 }, async t => {
    const { home, port, check } = await busyHome(t);
    const all = Array.from({ length: count }, () => replace(t, home, ['--port', String(port)]));
    let left = new Set(all);
    for (const one of all) one.ended.then(() => left.delete(one));
    while (left.size > 1) await Promise.race([...left].map(one => one.ended));
    const [last] = left;
    await settled(home, last.pid);
    all.filter(one => one !== last).forEach(checkEnd);
    await check();
    await last.ended;
    assert.deepEqual(last.end, { code: 0, signal: null }, last.said);
  });

test('10 at once, in the background', { timeout: 120_000 }, async t => {
  const { home, check } = await busyHome(t);
  const all = Array.from({ length: 10 }, () => replace(t, home, ['--port', '0', '--detach']));
  await Promise.all(all.map(one => one.ended));
  for (const { end, said } of all) {
    assert.equal(end.signal, null);
    assert.match(said, end.code === 0 ? /watches on http:\/\/localhost:\d+ \(pid \d+\)/ : FASTER);
  }
  assert.ok(all.some(one => one.end.code === 0));
  await settled(home, holder(home));
  await check();
});

test('one is replaced in the moment in which it has the lock: it ends in order, and says so', { timeout: 120_000 }, async t => {
  const { home, check } = await busyHome(t);
  const all = [];
  for (let i = 0; i < 10; i++) {
    const one = replace(t, home, ['--port', '0']);
    all.push(one);
    while (holder(home) !== one.pid && !one.end) await new Promise(resolve => { setTimeout(resolve, 1); });
    if (i < 9) one.kill('SIGTERM'); // and once more by the one that comes after
  }
  const last = all.pop();
  await settled(home, last.pid);
  await Promise.all(all.map(one => one.ended));
  all.forEach(checkEnd);
  await check();
  assert.equal(fs.existsSync(path.join(home, 'run/daemon.json')), false);
});
