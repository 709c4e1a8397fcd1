// What a person types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent, turn } from './lib/payloads.mjs';

test('--help lists the commands, on stdout, with 0', async t => {
  const home = makeHome(t);
  for (const args of [['--help'], ['help']]) {
    const { code, stdout, stderr } = await ostler(home, args);
    assert.deepEqual([code, stderr], [0, '']);
    for (const command of ['serve', 'ls', 'status', 'version']) assert.match(stdout, new RegExp(`\\b${command}\\b`));
  }
});

test('version prints one line', async t => {
  const home = makeHome(t);
  for (const args of [['version'], ['--version']]) {
    const { code, stdout } = await ostler(home, args);
    assert.equal(code, 0);
    assert.match(stdout, /^ostler \d+\.\d+\.\d+.*\n$/);
  }
});

test('an unknown command is refused and says what there is', async t => {
  const { code, stdout, stderr } = await ostler(makeHome(t), ['frobnicate']);
  assert.notEqual(code, 0);
  assert.equal(stdout, '');
  assert.match(stderr, /frobnicate/);
  assert.match(stderr, /help/);
});

test('an unknown option of serve is refused', async t => {
  for (const args of [['serve', '--frobnicate'], ['serve', '--port', 'many'], ['serve', '--port', '70000'], ['serve', '--port']]) {
    const { code, stderr } = await ostler(makeHome(t), args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, /port|frobnicate/);
  }
});

test('status and ls without a daemon say so and how to start one', async t => {
  const home = makeHome(t);
  for (const command of ['status', 'ls']) {
    const { code, stderr, stdout } = await ostler(home, [command]);
    assert.notEqual(code, 0, command);
    assert.match(stdout + stderr, /not running|no daemon/i);
    assert.match(stdout + stderr, /ostler serve/);
  }
});

test('status and ls after a crash are not fooled by what it left behind', async t => {
  const daemon = await startDaemon(t);
  await daemon.crash();
  const { code, stdout, stderr } = await ostler(daemon.home, ['status']);
  assert.notEqual(code, 0);
  assert.match(stdout + stderr, /not running|no daemon/i);
});

test('status and ls show what the daemon knows', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.start(), ...turn(agent, 'Mend the fence')]);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id, s => s.status === 'waiting');

  const status = await ostler(daemon.home, ['status']);
  assert.equal(status.code, 0);
  assert.match(status.stdout, new RegExp(String(daemon.port)));

  const list = await ostler(daemon.home, ['ls']);
  assert.equal(list.code, 0);
  assert.match(list.stdout, /^finished /m);
  assert.match(list.stdout, /alpha/);

  const json = await ostler(daemon.home, ['ls', '--json']);
  assert.equal(json.code, 0);
  const sessions = Object.values(JSON.parse(json.stdout));
  assert.deepEqual(sessions.map(s => [s.sessionId, s.status]), [[agent.id, 'waiting']]);
});

test('what an agent writes cannot paint the terminal of ls', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/\u001b[31mred' });
  await runHooks(daemon.home, [agent.start(), agent.prompt('\u001b]0;owned\u0007\u009b31m hello')]);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id, s => s.promptCount === 1);
  const { stdout } = await ostler(daemon.home, ['ls']);
  assert.doesNotMatch(stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test('the demo: agents of three CLIs, one team, each with a process of its own, and all end with it', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const demo = ostler(daemon.home, ['demo', '--events', '200', '--speed', '300']);
  const sessions = await board.until(() => {
    const all = [...board.sessions.values()];
    return all.length === 8 && all.every(s => s.cachedPid && s.promptCount) && all;
  }, 'eight agents at work');
  assert.deepEqual(new Set(sessions.map(s => s.cli)), new Set(['claude', 'gemini', 'codex']));
  assert.equal(new Set(sessions.map(s => s.cachedPid)).size, 8);
  assert.deepEqual(sessions.filter(s => s.teamRole === 'member').map(s => s.agentName).sort(), ['profiler', 'reviewer']);
  assert.deepEqual([(await demo).code, (await demo).stderr], [0, '']);
  await board.until(() => [...board.sessions.values()].every(s => s.status === 'ended'), 'all of them ended');
});
