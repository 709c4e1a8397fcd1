// ostler backup and ostler restore: while events come, killed half way, and from files that are none.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { databaseOf, change, query } from './lib/database.mjs';
import { environment, makeHome, OSTLER, ostler, startDaemon } from './lib/daemon.mjs';
import { Flood } from './lib/flood.mjs';
import { runHooks } from './lib/hook.mjs';
import { configFile, hashOf } from './lib/login.mjs';
import { Agent, turn } from './lib/payloads.mjs';
import { drawnSeed, Random } from './lib/random.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const KILLS = 100;

/** Runs it; it must do what it was asked. */
async function well(home, args, options) {
  const { code, stdout, stderr } = await ostler(home, args, options);
  assert.equal(code, 0, stderr);
  return stdout;
}

async function refused(home, args, pattern) {
  const { code, stderr } = await ostler(home, args);
  assert.equal(code, 1, stderr);
  assert.match(stderr, pattern);
}

/** A home whose neighbours go away with it: restoring leaves things beside it. */
function makeHomeAlone(t) {
  const home = path.join(makeHome(t), 'home');
  fs.mkdirSync(home, { mode: 0o700 });
  return home;
}

const neighbours = home => fs.readdirSync(path.dirname(home)).filter(name => name !== path.basename(home)).sort();

/** A home that a daemon with so many sessions has left, on that port. */
async function makeState(t, home, sessions, port) {
  await well(home, ['config', 'set', 'port', String(port)]);
  const daemon = await startDaemon(t, { home });
  for (let i = 0; i < sessions; i++) await runHooks(home, turn(new Agent(), `prompt ${i}`));
  const board = await Board.connect(t, daemon);
  await board.until(() => board.sessions.size === sessions, 'all sessions');
  await daemon.stop();
}

test('a backup under load has every event that was written before it, in order and once', { timeout: 240_000 }, async t => {
  const daemon = await startDaemon(t), lanes = 4, events = 1500, rounds = 4;
  const flood = new Flood(t, daemon.home, { lanes, events });
  for (let round = 1; round <= rounds; round++) {
    const at = Math.floor(round * flood.total / (rounds + 1));
    flood.allow(at + 600);
    await flood.until(() => flood.done >= at);
    const before = flood.done, file = path.join(daemon.home, `${round}.backup`), home = makeHomeAlone(t);
    await well(daemon.home, ['backup', file]);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    await well(home, ['backup', '--check', file]);
    await well(home, ['restore', file]);
    const restored = await startDaemon(t, { home }), board = await Board.connect(t, restored);
    await board.until(() => [...board.sessions.values()].reduce((sum, s) => sum + s.promptCount + s.toolCalls, 0) >= before, 'what was written before');
    await restored.stop();
    const [row] = query(home, `WITH marked AS (
      SELECT s.session_id AS lane, coalesce(t.tool_input_summary, p.text) AS said,
        row_number() OVER (PARTITION BY e.session_id ORDER BY e.pos) - 1 AS nth
      FROM events e JOIN sessions s ON s.id = e.session_id
      LEFT JOIN tool_calls t ON t.session_id = e.session_id AND t.pos = e.pos
      LEFT JOIN prompts p ON p.session_id = e.session_id AND p.pos = e.pos)
      SELECT count(*) AS applied, count(DISTINCT lane || said) AS different, sum(said NOT IN ('mark-' || nth, 'echo mark-' || nth)) AS misplaced FROM marked`);
    assert.ok(row.applied >= before, `${row.applied} of ${before}`);
    assert.deepEqual([row.different, row.misplaced], [row.applied, 0]);
  }
});

test('sessions, titles, what terminals printed and the configuration are the same elsewhere', async t => {
  const daemon = await startDaemon(t), { home } = daemon, agent = new Agent(), hash = hashOf('secret');
  await runHooks(home, turn(agent, 'a question'));
  const board = await Board.connect(t, daemon);
  const { id } = agent;
  await board.session(id, s => s.promptCount === 1, 'the prompt');
  const titled = await daemon.fetch(`/api/sessions/${id}/title`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{"title":"a title of its own"}' });
  assert.equal(titled.status, 200);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'seq 1 20000; echo over; exec sleep 1000'], workingDir: home });
  const tty = await Tty.connect(t, daemon, made);
  await tty.until(() => `${tty.snapshot ?? ''}${tty.output}`.includes('over'), 'its end');
  fs.mkdirSync(path.dirname(configFile(home)), { recursive: true });
  fs.writeFileSync(configFile(home), `{\n  // kept\n  "maxTerminals": 7,\n  "passwordHash": "${hash}"\n}\n`, { mode: 0o600 });
  fs.writeFileSync(path.join(home, 'config/redact.patterns'), 'mine-[0-9]+\n', { mode: 0o600 });
  fs.writeFileSync(path.join(home, 'tls.pem'), 'a key', { mode: 0o600 });

  const plain = path.join(home, 'plain.backup'), whole = path.join(home, 'whole.backup');
  const said = JSON.parse(await well(home, ['backup', '--json', plain]));
  assert.deepEqual([said.sessions, said.terminals, said.secrets], [2, 1, false]);
  assert.equal(JSON.parse(await well(home, ['backup', '--secrets', '--json', whole])).secrets, true);
  const sessions = await daemon.get('/api/sessions'), logs = await well(home, ['logs', made.terminalId]);
  assert.match(logs, /^20000$/m);

  const other = makeHomeAlone(t);
  await well(other, ['restore', plain]);
  assert.equal(fs.readFileSync(configFile(other), 'utf8'), '{\n  // kept\n  "maxTerminals": 7\n}\n');
  assert.equal(fs.readFileSync(path.join(other, 'config/redact.patterns'), 'utf8'), 'mine-[0-9]+\n');
  assert.ok(!fs.existsSync(path.join(other, 'tls.pem')));
  assert.deepEqual(neighbours(other), []);
  assert.equal(await well(other, ['logs', made.terminalId]), logs);
  const restored = await startDaemon(t, { home: other }), now = await restored.get('/api/sessions');
  assert.deepEqual(Object.keys(now).sort(), Object.keys(sessions).sort());
  assert.deepEqual(now[id], sessions[id]);
  const terminal = await restored.get(`/api/terminals/${made.terminalId}`);
  assert.notEqual(terminal.connection ?? terminal.state ?? terminal.status, 'live');
  assert.equal(await well(other, ['logs', made.terminalId]), logs);
  await refused(other, ['restore', '--replace', plain], /a daemon runs here \(pid \d+\): ostler stop first/);
  await restored.stop();

  await refused(other, ['restore', plain], /already: --replace moves everything aside/);
  await well(other, ['restore', '--replace', whole]);
  assert.ok(fs.readFileSync(configFile(other), 'utf8').includes(hash));
  assert.equal(fs.readFileSync(path.join(other, 'tls.pem'), 'utf8'), 'a key');
  const [aside] = neighbours(other);
  assert.match(aside, /^home-before-restore-\d{8}-\d{6}$/);
  assert.ok(fs.existsSync(databaseOf(path.join(path.dirname(other), aside))));
  await refused(home, ['backup', plain], /exists already: --force replaces it/);
  await well(home, ['backup', '--force', plain]);
  await daemon.kill('SIGTERM');
  await refused(home, ['restore', '--replace', plain], /terminals still run here/);
});

test('what is damaged, newer or nothing at all changes nothing', async t => {
  const home = makeHomeAlone(t), empty = makeHomeAlone(t), file = path.join(path.dirname(empty), 'a.backup');
  await refused(empty, ['backup', file], /nothing to back up/);
  await makeState(t, home, 2, 4001);
  await well(home, ['backup', file]);
  const bytes = fs.readFileSync(file), bad = path.join(path.dirname(empty), 'bad.backup');
  const cases = { cut: bytes.subarray(0, bytes.length >> 1), short: bytes.subarray(0, -1), longer: Buffer.concat([bytes, Buffer.from('x')]), none: Buffer.from('no backup'), nothing: Buffer.alloc(0) };
  const flipped = Buffer.from(bytes);
  flipped[bytes.length >> 1] ^= 0x10;
  for (const [name, content] of Object.entries({ ...cases, flipped })) {
    fs.writeFileSync(bad, content);
    for (const args of [['backup', '--check', bad], ['restore', bad]]) await refused(empty, args, /is no backup that can be used.*nothing was changed/);
    assert.deepEqual([name, fs.readdirSync(empty).filter(one => one !== 'lock')], [name, []]);
    assert.deepEqual(neighbours(empty), ['a.backup', 'bad.backup']);
  }
  change(home, 'PRAGMA user_version = 999');
  await well(home, ['backup', '--force', file]);
  await refused(empty, ['restore', file], /newer ostler than this one/);
  assert.deepEqual(fs.readdirSync(empty).filter(one => one !== 'lock'), []);
  await refused(empty, ['restore', '/dev/zero'], /cannot be read/);
});

/** Starts it and kills it after that many milliseconds; true when it was still at work. */
async function killedAfter(home, args, ms) {
  const child = spawn(OSTLER, args, { env: environment(home), stdio: 'ignore' }), ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const [, signal] = await ended;
  clearTimeout(timer);
  return signal === 'SIGKILL';
}

async function timed(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

test(`${KILLS} backups and ${KILLS} restorings, killed at drawn moments`, { timeout: 400_000 }, async t => {
  const seed = drawnSeed(20261118), random = new Random(seed);
  const old = makeHomeAlone(t), fresh = makeHomeAlone(t), place = makeHome(t), file = path.join(place, 'good.backup'), torn = path.join(place, 'torn.backup');
  await makeState(t, old, 1, 4001);
  await makeState(t, fresh, 3, 4002);
  const backupMs = await timed(() => well(fresh, ['backup', file]));
  let killed = 0;
  for (let i = 0; i < KILLS; i++) {
    killed += await killedAfter(fresh, ['backup', '--force', torn], random.next() * backupMs);
    if (fs.existsSync(torn)) await well(fresh, ['backup', '--check', torn]);
  }
  assert.ok(killed > KILLS / 4, `seed ${seed}: ${killed} of ${KILLS} backups were killed`);
  await well(fresh, ['backup', '--force', torn]);
  assert.deepEqual(fs.readdirSync(place).sort(), ['good.backup', 'torn.backup']);
  assert.deepEqual(fs.readdirSync(fresh).filter(name => name.startsWith('.')), []);

  /** Which of the two it is, wholly. */
  const which = home => {
    assert.deepEqual(query(home, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    const [{ n }] = query(home, 'SELECT count(*) AS n FROM sessions'), { port } = JSON.parse(fs.readFileSync(configFile(home), 'utf8'));
    assert.ok((n === 1 && port === 4001) || (n === 3 && port === 4002), `seed ${seed}: ${n} sessions, port ${port}`);
    return n === 1 ? 'old' : 'new';
  };
  let restoreMs = 0, seen = { old: 0, new: 0 };
  for (let i = 0; i <= KILLS; i++) {
    const dir = path.join(place, `r${i}`), home = path.join(dir, 'home');
    fs.mkdirSync(dir);
    fs.cpSync(old, home, { recursive: true });
    fs.chmodSync(home, 0o700);
    if (i === 0) restoreMs = await timed(() => well(home, ['restore', '--replace', file]));
    else await killedAfter(home, ['restore', '--replace', file], random.next() * restoreMs * 1.1);
    const state = which(home);
    seen[state]++;
    const kept = neighbours(home).filter(name => fs.existsSync(databaseOf(path.join(dir, name))) && !fs.existsSync(path.join(dir, name, '.ostler-unpacking')));
    if (state === 'new') assert.deepEqual(kept.map(name => which(path.join(dir, name))), ['old'], 'what was there is kept, once');
    await well(home, ['restore', '--replace', file]);
    assert.equal(which(home), 'new');
    assert.ok(neighbours(home).every(name => /^home-before-restore-/.test(name)), neighbours(home).join());
    assert.equal(neighbours(home).filter(name => which(path.join(dir, name)) === 'old').length, 1);
    fs.rmSync(dir, { recursive: true });
  }
  assert.ok(seen.old > KILLS / 4, JSON.stringify(seen));
});
