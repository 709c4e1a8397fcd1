// The wall clock is set back and forward by hours while the daemon runs: by NTP after a start with an empty battery, by a person, by a
// machine that slept in a snapshot. What was to happen in a minute happens in a minute.
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { HOUR, SettableClock } from './lib/clock.mjs';
import { BUILD, makeHome, startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { ask, bearer, halves, homeWithPassword, letsIn, LIFE_MS, login, loginPage } from './lib/login.mjs';
import { Agent } from './lib/payloads.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const HOOK = path.join(BUILD, 'src/hook/ostler-hook-test'); // linked so that its clock can be set
const DAY = 24 * HOUR;

/** A daemon whose clock can be set, and hooks that go by the same. */
async function start(t, { home = makeHome(t), ...options } = {}) {
  const clock = new SettableClock(home);
  cleanup(t, () => clock.close());
  const daemon = await startDaemon(t, { home, env: clock.env, ...options });
  return { clock, daemon, home, tell: payload => runHook(home, payload, { program: HOOK, env: clock.env }) };
}

/** The clock is set, and somebody else's event comes with the new time: whatever was due by then is due now. */
async function jump({ clock, tell }, board, ms) {
  clock.move(ms);
  const other = new Agent({ cwd: '/home/dev/other' });
  await tell(other.start());
  await board.session(other.id, s => s.status !== 'ended');
  return other;
}

for (const [name, hours] of [['forward', 6], ['back', -6]])
  test(`set ${name}: what is said of agents stays, nothing is said in vain, and time goes on from there`, async t => {
    const all = await start(t), { daemon, tell } = all;
    const board = await Board.connect(t, daemon, { v1: true });
    const agents = Array.from({ length: 6 }, (_, i) => new Agent({ cwd: `/home/dev/p${i}` }));
    for (const agent of agents) {
      await tell(agent.start());
      await tell(agent.prompt('go on'));
    }
    const is = status => agents.every(agent => board.find(agent.id)?.status === status);
    await board.until(() => is('prompting'), 'all of them think');
    const fresh = await makeTerminal(daemon, { argv: ['cat'], workingDir: '/' });
    await board.session(fresh.sessionId, s => s.status === 'connecting');

    const before = board.messages.length;
    await jump(all, board, hours * HOUR);
    assert.ok(is('prompting'), 'they think for seconds, and not for hours');
    const told = board.messages.slice(before).filter(m => ['session_update', 'session_removed'].includes(m.type)).map(m => m.id);
    const mine = new Set(agents.map(agent => board.find(agent.id).id));
    assert.equal(told.filter(id => mine.has(id)).length, agents.length, 'since when they think by this clock is told once, and nothing else');
    for (const agent of agents) assert.ok(Math.abs(board.find(agent.id).statusSince - all.clock.now()) < HOUR);

    await board.session(fresh.sessionId, s => s.status === 'idle', 'the three seconds of who came before are over in time');
    for (const agent of agents.slice(0, 3)) await tell(agent.pre('Bash', { command: 'make' }));
    await board.until(() => agents.slice(0, 3).every(agent => board.find(agent.id).status === 'working'), 'events are heard');
    const { uptimeMs, status } = await daemon.get('/api/health');
    assert.ok(uptimeMs >= 0 && uptimeMs < HOUR, `up for ${uptimeMs} ms`);
    assert.equal(status, 'ok');
  });

test('set two days forward, and back again: no card goes', async t => {
  const all = await start(t), { daemon, clock, tell } = all;
  const board = await Board.connect(t, daemon, { v1: true });
  const ended = new Agent({ cwd: '/home/dev/ended' }), lives = new Agent({ cwd: '/home/dev/lives' });
  for (const payload of [ended.start(), ended.prompt('do it'), ended.event('SessionEnd', { reason: 'exit' }), lives.start(), lives.prompt('and this')]) await tell(payload);
  await board.session(ended.id, s => s.status === 'ended');
  const cards = async () => Object.keys(await daemon.get('/api/sessions?ended=1')).filter(id => [ended.id, lives.id].includes(id)).sort();
  const all_of_them = [ended.id, lives.id].sort();
  assert.deepEqual(await cards(), all_of_them);
  for (const days of [2, -4, 2]) {
    await jump(all, board, days * DAY);
    assert.deepEqual(await cards(), all_of_them, `after ${days} days`);
  }
  clock.move(2 * DAY); // and while no daemon looks
  await daemon.crash();
  await daemon.start();
  assert.ok((await cards()).includes(lives.id));
});

test('set back while no daemon runs: the next one does not wait for hours', async t => {
  const { daemon, clock, tell } = await start(t);
  const board = await Board.connect(t, daemon, {});
  const fresh = await makeTerminal(daemon, { argv: ['cat'], workingDir: '/' });
  await board.session(fresh.sessionId, s => s.status === 'connecting');
  const agent = new Agent();
  await tell(agent.start());
  await board.session(agent.id);
  await daemon.crash();
  clock.move(-12 * HOUR);
  await daemon.start();
  const again = await Board.connect(t, daemon, {});
  await again.session(fresh.sessionId, s => s.status === 'idle');
});

test('every event is there, once and in order, however often the clock is set', async t => {
  const { daemon, clock, tell } = await start(t);
  const board = await Board.connect(t, daemon, {});
  const agent = new Agent();
  await tell(agent.start());
  const words = [];
  for (const hours of [5, -11, 0, 30, -24, -3, 3]) {
    clock.move(hours * HOUR);
    words.push(`prompt ${words.length}`);
    await tell(agent.prompt(words.at(-1)));
    if (words.length === 4) {
      await daemon.crash();
      await daemon.start();
    }
  }
  const again = await Board.connect(t, daemon, {});
  await again.session(agent.id, s => s.currentPrompt === words.at(-1));
  const { promptHistory } = again.find(agent.id);
  assert.deepEqual(promptHistory.map(p => p.text), words);
  await board.close();
});

test('who is logged in stays so for a day, whatever the clock says meanwhile', async t => {
  const all = await start(t, { home: homeWithPassword(t) }), { daemon, clock } = all;
  const token = await login(daemon);
  const page = await loginPage(daemon);
  const until = async () => {
    const answer = await daemon.fetch('/api/auth/logins', { headers: bearer(token) });
    return (await answer.json()).logins.map(one => one.expiresAt - clock.now());
  };
  for (const hours of [6, -12, 30, -60, 24 * 400, -24 * 800]) {
    clock.move(hours * HOUR);
    assert.ok(await letsIn(daemon, bearer(token)), `the token, ${hours} hours later`);
    assert.ok(await letsIn(daemon, halves(daemon, page)), `the page, ${hours} hours later`);
    for (const left of await until())
      assert.ok(left > LIFE_MS - HOUR && left <= LIFE_MS + 1000, `${left / HOUR} hours are left after ${hours}`);
  }
  clock.move(2 * HOUR);
  assert.equal((await ask(daemon, '/api/auth/renew', '', halves(daemon, page))).status, 200);
  assert.ok(await letsIn(daemon, halves(daemon, page)));
  await daemon.crash();
  await daemon.start();
  assert.ok(await letsIn(daemon, bearer(token)), 'and for the next daemon');
});

test('a terminal goes on, and is not put to rest', async t => {
  const { daemon, clock } = await start(t);
  const made = await makeTerminal(daemon, { argv: ['cat'], workingDir: '/' });
  const tty = await Tty.connect(t, daemon, made, { exact: true, offset: 0 });
  const said = [];
  for (const hours of [6, -12, 100]) {
    clock.move(hours * HOUR);
    said.push(`at ${hours}`);
    tty.type(`${said.at(-1)}\r`);
    await tty.until(() => tty.output.split(said.at(-1)).length > 2, 'it echoes, and repeats');
    const facts = await daemon.get(`/api/terminals/${made.terminalId}`);
    assert.equal(facts.connection, 'live');
    assert.equal(facts.restsAt, null);
    assert.ok(Math.abs(facts.lastOutputAt - clock.now()) < HOUR);
  }
  assert.deepEqual(tty.gaps, []);
});
