// From a hook to the board: one event at a time, through real processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { runHook, runHooks } from './lib/hook.mjs';
import { Agent, turn } from './lib/payloads.mjs';

const TOOL = { command: 'npm test', description: 'Run the tests' };

test('each event of an agent moves its card, in plain and in v1', async t => {
  const daemon = await startDaemon(t);
  const plain = await Board.connect(t, daemon);
  const v1 = await Board.connect(t, daemon, { v1: true });
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  // The last of each line are figures that only plain clients draw.
  const steps = [
    [agent.start(), { status: 'idle' }, { animationState: 'Idle' }],
    [agent.prompt('please fix the flaky test. It fails on Mondays.'), { status: 'prompting' }, { animationState: 'Walking', emote: 'Wave' }],
    [agent.pre('Bash', TOOL), { status: 'working' }, { animationState: 'Running' }],
    [agent.permission('Bash', TOOL), { status: 'approval', pendingTool: 'Bash' }, { animationState: 'Waiting' }],
    [agent.post('Bash', TOOL), { status: 'working' }],
    [agent.stop('All tests pass.'), { status: 'waiting' }],
    [agent.end(), { status: 'ended' }, { animationState: 'Death' }],
  ];
  for (const [payload, wanted, figure] of steps) {
    await runHook(daemon.home, payload);
    for (const board of [plain, v1]) {
      const name = payload.hook_event_name;
      const session = await board.session(agent.id, s => s.status === wanted.status && s.statusEvidence?.event === name,
        `${wanted.status} after ${name}`);
      for (const [field, value] of Object.entries({ ...wanted, ...(board === plain && figure) })) assert.deepEqual(session[field], value, `${field} after ${name}`);
      assert.equal(session.statusEvidence.source, 'hook');
    }
  }
  const session = plain.find(agent.id);
  assert.equal(session.title, 'alpha #1 — Fix the flaky test');
  assert.equal(session.projectName, 'alpha');
  assert.equal(session.cli, 'claude');
  assert.equal(session.kind, 'observed');
  assert.equal(session.model, 'claude-opus-4-6');
  assert.deepEqual([session.promptCount, session.toolCalls], [1, 1]);
  assert.deepEqual(session.toolUsage, { Bash: 1 });
  assert.equal(session.promptHistory[0].text, 'please fix the flaky test. It fails on Mondays.');
  assert.equal(session.responseLog.at(-1).text, 'All tests pass.');
  assert.ok(session.endedAt >= session.startedAt);
});

test('a first message names schema and version in v1, and is the snapshot for plain clients', async t => {
  const daemon = await startDaemon(t);
  const v1 = await Board.connect(t, daemon, { v1: true });
  assert.equal(v1.socket.protocol, 'ostler.board.v1');
  await v1.until(() => v1.messages.length >= 2, 'a second message');
  const [welcome, snapshot] = v1.messages;
  assert.deepEqual(Object.keys(welcome).sort(), ['hook', 'now', 'schema', 'seq', 'type', 'version']);
  assert.ok(Math.abs(welcome.now - Date.now()) < 60_000);
  assert.equal(welcome.schema, 1);
  assert.deepEqual({ ...snapshot, seq: 0 }, { type: 'snapshot', seq: 0, sessions: [], teams: [] });
  for (const path of ['/ws', '/', '/ws/dashboard']) {
    const plain = await Board.connect(t, daemon, { path });
    assert.deepEqual({ ...plain.messages[0], seq: 0 }, { type: 'snapshot', sessions: {}, teams: {}, seq: 0 });
  }
});

test('updates in v1 carry only what changed', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const v1 = await Board.connect(t, daemon, { v1: true });
  await runHooks(daemon.home, [agent.start(), agent.prompt('Write a poem')]);
  await v1.session(agent.id, s => s.status === 'prompting');
  const from = v1.messages.length;
  await runHook(daemon.home, agent.pre('Read', { file_path: '/etc/hostname' }));
  const update = await v1.waitFor(m => m.type === 'session_update' && m.patch.status === 'working', { from });
  assert.equal(update.patch.tool.tool, 'Read');
  for (const field of ['id', 'title', 'projectPath', 'currentPrompt', 'toolLog', 'events', 'startedAt'])
    assert.equal(field in update.patch, false, `${field} did not change`);
  assert.ok(JSON.stringify(update).length < 1000);
});

test('a session that is open sends its logs as they grow', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const v1 = await Board.connect(t, daemon, { v1: true });
  await runHooks(daemon.home, turn(agent, 'First question'));
  const { id } = await v1.session(agent.id, s => s.status === 'waiting');
  v1.send({ type: 'open', id: agent.id }); // any alias will do
  const detail = await v1.waitFor(m => m.type === 'session_detail');
  assert.equal(detail.id, id);
  assert.deepEqual(detail.prompts.map(p => p.text), ['First question']);
  assert.deepEqual(detail.tools.map(p => p.tool), ['Bash']);
  assert.deepEqual(detail.responses.map(p => p.text), ['All tests pass.']);
  assert.deepEqual(detail.events.map(e => e.type), ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']);
  await runHook(daemon.home, agent.prompt('Second question'));
  const log = await v1.waitFor(m => m.type === 'session_log' && m.prompts);
  assert.deepEqual(log.prompts.map(p => p.text), ['Second question']);
  assert.ok(log.prompts.at(-1).pos > detail.prompts[0].pos);
  v1.send({ type: 'close', id });
  v1.send({ type: 'replay', sinceSeq: v1.seq }); // answered after the close was taken
  await v1.waitFor(m => m.type === 'replay' || m.type === 'snapshot', { from: v1.messages.length });
  const from = v1.messages.length;
  await runHook(daemon.home, agent.prompt('Third question'));
  await v1.session(agent.id, s => s.promptCount === 3);
  assert.equal(v1.messages.slice(from).some(m => m.type === 'session_log'), false);
});

for (const v1 of [false, true])
  test(`replay continues behind a sequence number (${v1 ? 'v1' : 'plain'})`, async t => {
    const daemon = await startDaemon(t);
    const [first, second] = [new Agent({ cwd: '/srv/one' }), new Agent({ cwd: '/srv/two' })];
    const board = await Board.connect(t, daemon, { v1 });
    await runHook(daemon.home, first.start());
    await board.session(first.id);
    const seen = board.seq;
    await runHook(daemon.home, second.start());
    await board.session(second.id);
    const late = await Board.connect(t, daemon, { v1 });
    await late.session(second.id);
    const from = late.messages.length;
    late.send({ type: 'replay', sinceSeq: seen });
    const end = await late.waitFor(m => m.type === 'replay', { from });
    const updates = late.messages.slice(from).filter(m => m.type === 'session_update');
    assert.equal(end.sinceSeq, seen);
    assert.equal(end.count, updates.length);
    assert.ok(updates.length >= 1);
    for (const update of updates) assert.ok(update.seq > seen);
    const ids = updates.map(u => (v1 ? late.sessions.get(u.id).sessionId : u.session.sessionId));
    assert.deepEqual([...new Set(ids)], [second.id]);
  });

test('a sequence number that is not known gets a snapshot', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  const board = await Board.connect(t, daemon);
  await board.session(agent.id);
  for (const sinceSeq of [board.seq + 100_000, Number.MAX_SAFE_INTEGER]) {
    const from = board.messages.length;
    board.send({ type: 'replay', sinceSeq });
    const snapshot = await board.waitFor(m => m.type === 'snapshot', { from });
    assert.deepEqual(Object.keys(snapshot.sessions), [agent.id]);
  }
});

test('a v1 client that connects with since continues without a snapshot', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const before = await Board.connect(t, daemon, { v1: true });
  await runHook(daemon.home, agent.start());
  await before.session(agent.id);
  const seen = before.seq;
  await before.close();
  await runHook(daemon.home, agent.prompt('While you were away'));
  const again = await Board.connect(t, daemon, { v1: true, since: seen });
  const update = await again.waitFor(m => m.type === 'session_update' && m.patch.status === 'prompting');
  assert.ok(update.seq > seen);
  assert.equal(again.messages[0].type, 'welcome');
  assert.equal(again.messages.some(m => m.type === 'snapshot'), false);
});

test('the HTTP endpoints answer what the page says', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, turn(agent, 'Count the sheep'));
  const board = await Board.connect(t, daemon);
  const { id } = await board.session(agent.id, s => s.status === 'waiting');

  const health = await daemon.get('/api/health');
  assert.deepEqual([health.status, health.pid, health.problems], ['ok', daemon.child.pid, []]);
  assert.equal(health.version, daemon.info.version);
  assert.ok(health.uptimeMs >= 0);

  const sessions = await daemon.get('/api/sessions');
  assert.deepEqual(Object.keys(sessions), [agent.id]);
  for (const alias of [id, agent.id]) assert.deepEqual((await daemon.get(`/api/sessions/${alias}`)).id, id);
  assert.deepEqual(sessions[agent.id].events.map(e => e.type), ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']);

  const stats = await daemon.get('/api/mq-stats');
  assert.equal(stats.linesProcessed, 4);
  assert.equal(stats.linesErrored, 0);
  assert.equal(stats.running, true);
  for (const field of ['lastProcessedAt', 'startedAt', 'queueFile', 'currentOffset', 'hasPartialLine', 'torn', 'oversized',
    'duplicates', 'committed']) assert.ok(field in stats, field);

  const head = await daemon.fetch('/api/health', { method: 'HEAD' });
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('POST /api/hooks takes a flat payload, and one with a key once', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const board = await Board.connect(t, daemon);
  const answer = await daemon.post({ ...agent.start(), claude_pid: process.pid, term_program: 'vscode' });
  assert.deepEqual([answer.status, await answer.json()], [200, { ok: true }]);
  await board.session(agent.id, s => s.status === 'idle');
  for (let i = 0; i < 3; i++)
    assert.equal((await daemon.post(agent.prompt('Only once'), { 'idempotency-key': 'prompt-1' })).status, 200);
  assert.equal((await daemon.post(agent.stop())).status, 200);
  const session = await board.session(agent.id, s => s.status === 'waiting');
  assert.equal(session.promptCount, 1);
  assert.equal((await daemon.get('/api/mq-stats')).duplicates, 2);
});

test('what the agents did is there again after a restart, with the same ids', async t => {
  const daemon = await startDaemon(t);
  const agents = [1, 2, 3].map(n => new Agent({ cwd: `/srv/project${n}` }));
  for (const agent of agents) await runHooks(daemon.home, [agent.start(), ...turn(agent, `Work on ${agent.cwd}`)]);
  const board = await Board.connect(t, daemon);
  for (const agent of agents) await board.session(agent.id, s => s.status === 'waiting');
  const before = await daemon.get('/api/sessions');
  const { seq } = board;
  await daemon.stop();
  await daemon.start();
  assert.deepEqual(await daemon.get('/api/sessions'), before);
  const again = await Board.connect(t, daemon);
  assert.ok(again.seq >= seq, 'sequence numbers only grow');
});

test('a subagent does not change the state of its session', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const inside = payload => ({ ...payload, agent_id: 'a1b2', agent_type: 'Explore' });
  const board = await Board.connect(t, daemon);
  await runHooks(daemon.home, [agent.start(), agent.prompt('Look around'), agent.subagentStart('a1b2')]);
  await board.session(agent.id, s => s.subagentCount === 1);
  await runHook(daemon.home, inside(agent.pre('Grep', { pattern: 'main' })));
  const session = await board.session(agent.id, s => s.toolCalls === 1);
  assert.equal(session.status, 'prompting');
  await runHook(daemon.home, agent.subagentStop('a1b2'));
  await board.session(agent.id, s => s.subagentCount === 0);
});

test('how the hooks do: counted, measured, told once a second, and reset', async t => {
  const daemon = await startDaemon(t);
  const plain = await Board.connect(t, daemon);
  const agent = new Agent();
  await runHooks(daemon.home, turn(agent, 'Count me'));
  await plain.session(agent.id, s => s.status === 'waiting');
  await daemon.post({ session_id: agent.id, hook_event_name: 'NoSuchEvent' }); // refused before it is in the spool
  const stats = await daemon.get('/api/hook-stats');
  assert.equal(stats.totalHooks, 4);
  assert.equal(stats.hooksPerMin, 4);
  assert.deepEqual(Object.keys(stats.events), ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop']);
  const { count, rate, latency, processing } = stats.events.Stop;
  assert.deepEqual([count, rate], [1, 1]);
  for (const { avg, min, max, p95 } of [latency, processing]) assert.ok(min >= 0 && min <= avg && avg <= max && p95 <= max);
  const told = await plain.waitFor(m => m.type === 'hook_stats' && m.stats.totalHooks === 4);
  assert.deepEqual(Object.keys(told.stats), Object.keys(stats));
  assert.deepEqual(await (await daemon.fetch('/api/hook-stats/reset', { method: 'POST' })).json(), { ok: true });
  assert.equal((await daemon.get('/api/hook-stats')).totalHooks, 0);
  assert.equal((await (await daemon.fetch('/api/reset', { method: 'POST' })).json()).ok, true);
  await plain.waitFor(m => m.type === 'clearBrowserDb');
});
