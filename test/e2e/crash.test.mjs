// Nothing lost, nothing twice: thousands of real hooks while the daemon is killed again and again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { Daemon, makeHome, startDaemon } from './lib/daemon.mjs';
import { runHook, runHooks } from './lib/hook.mjs';
import { Agent, turn } from './lib/payloads.mjs';

const LANES = 8, EVENTS_PER_LANE = 625, PROMPT_EVERY = 25, KILLS = 5;
const PROMPTS = EVENTS_PER_LANE / PROMPT_EVERY, TOOLS = EVENTS_PER_LANE - PROMPTS;
const TOOL_LOG = 200;

/** The i-th event of a lane, with a mark of its own. */
function event(agent, i) {
  return i % PROMPT_EVERY === 0 ? agent.prompt(`prompt ${i}`) : agent.pre('Bash', { command: `echo mark-${i}` });
}

/** Each lane is one agent: its events come in order, and every one of them can be told from the others. */
function checkLane(session) {
  assert.equal(session.promptCount, PROMPTS, 'each prompt once');
  assert.equal(session.toolCalls, TOOLS, 'each tool call once');
  assert.deepEqual(session.toolUsage, { Bash: TOOLS });
  const prompts = [], tools = [];
  for (let i = 0; i < EVENTS_PER_LANE; i++)
    (i % PROMPT_EVERY === 0 ? prompts : tools).push(i % PROMPT_EVERY === 0 ? `prompt ${i}` : `mark-${i}`);
  assert.deepEqual(session.promptHistory.map(p => p.text), prompts);
  assert.deepEqual(session.toolLog.map(tool => /mark-\d+/.exec(tool.input)[0]), tools.slice(-TOOL_LOG));
}

test('5000 hooks, 8 at a time, with the daemon killed 5 times meanwhile', { timeout: 240_000 }, async t => {
  const daemon = await startDaemon(t);
  const agents = Array.from({ length: LANES }, (_, lane) => new Agent({ cwd: `/srv/lane${lane}` }));
  let done = 0, kills = 0, restarting = Promise.resolve();
  const total = LANES * EVENTS_PER_LANE;

  async function lane(agent) {
    for (let i = 0; i < EVENTS_PER_LANE; i++) {
      await runHook(daemon.home, event(agent, i));
      if (++done >= ((kills + 1) * total) / (KILLS + 1) && kills < KILLS) {
        kills++;
        restarting = restarting.then(() => daemon.crash()).then(() => daemon.start());
      }
    }
  }
  await Promise.all(agents.map(lane));
  await restarting;
  assert.equal(done, total);
  assert.equal(kills, KILLS);

  const board = await Board.connect(t, daemon);
  for (const agent of agents)
    await board.session(agent.id, s => s.promptCount + s.toolCalls >= EVENTS_PER_LANE, `all events of ${agent.cwd}`);
  const sessions = await daemon.get('/api/sessions');
  assert.equal(Object.keys(sessions).length, LANES, 'one card an agent');
  for (const agent of agents) checkLane(sessions[agent.id]);

  // …and what is there now is what another start finds.
  await daemon.stop();
  await daemon.start();
  assert.deepEqual(await daemon.get('/api/sessions'), sessions);
});

test('what hooks wrote before the first start is not lost', async t => {
  const home = makeHome(t);
  const agents = [new Agent({ cwd: '/srv/early' }), new Agent({ cwd: '/srv/bird' })];
  for (const agent of agents) await runHooks(home, [agent.start(), ...turn(agent, 'Before anyone was there'), agent.end()]);
  const daemon = await startDaemon(t, { home });
  const board = await Board.connect(t, daemon);
  for (const agent of agents) {
    const session = await board.session(agent.id, s => s.status === 'ended');
    assert.deepEqual([session.promptCount, session.toolCalls], [1, 1]);
    assert.deepEqual(session.events.map(e => e.type),
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd']);
  }
});

test('killed while it reads a backlog, again and again, it applies every record once', { timeout: 120_000 }, async t => {
  const home = makeHome(t);
  const agent = new Agent({ cwd: '/srv/backlog' });
  const count = 300;
  for (let i = 0; i < count; i++) await runHook(home, agent.pre('Bash', { command: `echo mark-${i}` }));
  const daemon = new Daemon(home);
  cleanup(t, () => daemon.stop());
  for (let i = 0; i < 5; i++) {
    await daemon.start(); // it listens: now it is somewhere in the backlog
    await daemon.crash();
  }
  await daemon.start();
  const board = await Board.connect(t, daemon);
  const session = await board.session(agent.id, s => s.toolCalls >= count);
  assert.equal(session.toolCalls, count);
  assert.deepEqual(session.toolLog.map(tool => /mark-\d+/.exec(tool.input)[0]),
    Array.from({ length: TOOL_LOG }, (_, i) => `mark-${count - TOOL_LOG + i}`));
});

test('hooks that run while no daemon does are applied in their order', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start(), agent.prompt('One')]);
  const before = await Board.connect(t, daemon);
  const { id } = await before.session(agent.id, s => s.promptCount === 1);
  await daemon.crash();
  await runHooks(daemon.home, [agent.stop('First answer'), agent.prompt('Two'), agent.stop('Second answer')]);
  await daemon.start();
  const board = await Board.connect(t, daemon);
  const session = await board.session(agent.id, s => s.promptCount === 2 && s.status === 'waiting');
  assert.equal(session.id, id);
  assert.deepEqual(session.responseLog.map(r => r.text), ['First answer', 'Second answer']);
});
