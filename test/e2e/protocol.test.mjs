// Every message of the daemon is one that the board's own guards accept.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { Board } from './lib/board.mjs';
import { ROOT, startDaemon } from './lib/daemon.mjs';
import { runHook, runHooks } from './lib/hook.mjs';
import { Agent, turn } from './lib/payloads.mjs';

const WEB = path.join(ROOT, 'web');
let vite, messages;

before(async () => {
  const entry = createRequire(path.join(WEB, 'package.json')).resolve('vite');
  const { createServer } = await import(pathToFileURL(entry));
  vite = await createServer({
    root: WEB, configFile: false, appType: 'custom', logLevel: 'error', optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  });
  messages = await vite.ssrLoadModule('/src/core/messages.ts');
});

after(() => vite?.close());

/** Every frame passes its guard, and the guard did not have to drop anything that the page describes. */
function check(board) {
  const seen = new Set();
  for (const frame of board.frames) {
    const message = messages.parseServerMessage(frame);
    assert.ok(!(message instanceof Error), `${message.message}\n${frame.slice(0, 2000)}`);
    seen.add(message.type);
  }
  return seen;
}

test('a whole life of an agent', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon, { v1: true });
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  const { id } = await board.session(agent.id);
  board.send({ type: 'open', id });
  await board.waitFor(m => m.type === 'session_detail');
  const input = { file_path: '/srv/app/main.c', content: 'int main(void) { return 0; }\n' };
  const agentId = 'a17';
  for (const payload of [
    agent.prompt('Please add a test 🐎 «quoted» \u2028 and "escaped" \\ text'),
    agent.pre('Write', input), agent.permission('Write', input), agent.post('Write', input),
    agent.pre('Bash', { command: 'false' }), agent.fail('Bash', { command: 'false' }, 'Exit code 1'),
    agent.notification('permission_prompt', 'Claude needs your permission to use Bash'),
    agent.subagentStart(agentId), agent.subagentStop(agentId),
    agent.event('PreCompact', { trigger: 'auto', custom_instructions: '' }),
    agent.event('TaskCompleted', { task_id: '1', task_subject: 'Fence', teammate_name: 'ann', team_name: 'barn' }),
    agent.event('TeammateIdle', { teammate_name: 'ann', team_name: 'barn' }),
    agent.stop(), agent.end(),
  ]) await runHook(daemon.home, payload);
  await board.session(agent.id, s => s.status === 'ended');
  await board.waitFor(m => m.type === 'session_log' && m.events?.some(e => e.type === 'SessionEnd'));
  board.send({ type: 'replay', sinceSeq: board.messages[1].seq });
  await board.waitFor(m => m.type === 'replay');
  board.send({ type: 'no such thing' });
  await board.waitFor(m => m.type === 'error');
  const late = await Board.connect(t, daemon, { v1: true });
  await late.session(agent.id);
  assert.deepEqual([...check(board)].sort(),
    ['error', 'replay', 'session_detail', 'session_log', 'session_update', 'snapshot', 'welcome']);
  assert.deepEqual([...check(late)].sort(), ['snapshot', 'welcome']);
  // Patches merged one by one are the summary that a newcomer gets: absent and null mean the same.
  const known = s => Object.fromEntries(Object.entries(messages.summaryOf(s, 'summary')).filter(([, v]) => v !== null));
  assert.deepEqual(known(board.find(agent.id)), known(late.find(agent.id)));
});

test('sessions of which little is known', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon, { v1: true });
  const bare = [
    { session_id: 'bare', hook_event_name: 'Stop' },
    { session_id: 'no-cwd', hook_event_name: 'UserPromptSubmit', prompt: '' },
    { session_id: 'no-tool', hook_event_name: 'PreToolUse' },
    { session_id: 'just-ended', hook_event_name: 'SessionEnd' },
    { session_id: 'odd-types', hook_event_name: 'PreToolUse', tool_name: 7, tool_input: 'text', cwd: null, model: { a: 1 } },
  ];
  for (const payload of bare) await runHook(daemon.home, payload);
  for (const { session_id } of bare) await board.session(session_id);
  check(board);
});

test('the page of many sessions', async t => {
  const daemon = await startDaemon(t);
  const agents = Array.from({ length: 40 }, (_, i) => new Agent({ cwd: `/srv/p${i}` }));
  for (const agent of agents) await runHooks(daemon.home, turn(agent, 'x'.repeat(2000)));
  const board = await Board.connect(t, daemon, { v1: true });
  for (const agent of agents) await board.session(agent.id, s => s.status === 'waiting');
  check(board);
  const snapshot = board.frames.find(f => f.includes('"snapshot"'));
  assert.ok(snapshot.length < 40 * 2000, `${snapshot.length} bytes for 40 cards`);
});
