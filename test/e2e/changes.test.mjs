// What people change: over HTTP, seen by everybody, there after a crash.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { runHooks, startAgent } from './lib/hook.mjs';
import { bearer, homeWithPassword, login } from './lib/login.mjs';
import { Agent } from './lib/payloads.mjs';

const change = (daemon, method, path, body) => daemon.fetch(`/api/sessions/${path}`, {
  method, headers: { 'content-type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body),
});

async function answer(daemon, method, path, body) {
  const reply = await change(daemon, method, path, body);
  return [reply.status, await reply.json()];
}

test('title, label, colour and model: set, told, and still there after kill -9', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start()]);
  const board = await Board.connect(t, daemon, { v1: true });
  await board.session(agent.id);
  const long = 'é'.repeat(500);
  for (const [path, body] of [['title', { title: long }], ['label', { label: 'urgent' }], ['accent-color', { color: '#f80' }],
    ['character-model', { characterModel: 'fox' }]])
    assert.deepEqual(await answer(daemon, 'PUT', `${agent.id}/${path}`, body), [200, { ok: true }]);
  await daemon.crash(); // an answer is a promise
  await daemon.start();
  const session = await daemon.get(`/api/sessions/${agent.id}`);
  assert.deepEqual([session.title, session.label, session.accentColor, session.characterModel], [long, 'urgent', '#f80', 'fox']);

  // "" takes a label away, on the boards too.
  const again = await Board.connect(t, daemon, { v1: true });
  assert.equal((await again.session(agent.id)).label, 'urgent');
  assert.deepEqual(await answer(daemon, 'PUT', `${agent.id}/label`, { label: '' }), [200, { ok: true }]);
  await again.session(agent.id, s => s.label === null);
  assert.ok(!('label' in await daemon.get(`/api/sessions/${agent.id}`)));
});

test('what is wrong with a change is said', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start()]);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id);
  const { id } = agent;
  const cases = [
    ['PUT', `${id}/title`, {}, 400, 'title is required'],
    ['PUT', `${id}/title`, { title: '' }, 400, 'title is required'],
    ['PUT', `${id}/title`, { title: 7 }, 400, 'title must be a string (max 500 chars)'],
    ['PUT', `${id}/title`, { title: 'x'.repeat(501) }, 400, 'title must be a string (max 500 chars)'],
    ['PUT', `${id}/title`, { title: 'a\u0000b' }, 400, 'title must be a string (max 500 chars)'],
    ['PUT', `${id}/title`, '[1]', 400, 'the body must be a JSON object'],
    ['PUT', `${id}/title`, '{"title":', 400, 'the body must be a JSON object'],
    ['PUT', `${id}/label`, {}, 400, 'label is required'],
    ['PUT', `${id}/label`, { label: 'x'.repeat(201) }, 400, 'label must be a string (max 200 chars)'],
    ['PUT', `${id}/accent-color`, { color: 'x'.repeat(51) }, 400, 'color must be a string (max 50 chars)'],
    ['PUT', `${id}/character-model`, { characterModel: {} }, 400, 'characterModel must be a string (max 100 chars)'],
    ['PUT', 'nobody/title', { title: 'x' }, 404, 'Session not found'],
    ['POST', `${id}/kill`, {}, 400, 'Must send {confirm: true} to kill a session'],
    ['POST', `${id}/kill`, { confirm: 'yes' }, 400, 'Must send {confirm: true} to kill a session'],
    ['POST', 'nobody/kill', { confirm: true }, 404, 'Session not found'],
    ['DELETE', 'nobody', undefined, 404, 'Session not found'],
  ];
  for (const [method, path, body, status, error] of cases)
    assert.deepEqual(await answer(daemon, method, path, body), [status, { error }], `${method} ${path} ${JSON.stringify(body)}`);
  const before = await daemon.get(`/api/sessions/${id}`);
  assert.deepEqual([before.title, before.status], ['', 'idle']);
  assert.deepEqual(await daemon.get(`/api/sessions/${id}/source`), { source: 'terminal' });
  assert.equal((await daemon.fetch('/api/sessions/nobody/source')).status, 404);
  assert.equal((await change(daemon, 'PATCH', id, {})).status, 405);
});

test('a deleted card is gone for everybody, at once and after a restart; an agent that goes on is seen again', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start(), agent.prompt('One')]);
  const boards = [await Board.connect(t, daemon), await Board.connect(t, daemon, { v1: true })];
  for (const board of boards) await board.session(agent.id, s => s.status === 'prompting');
  const [{ id }] = boards[0].sessions.values();
  assert.deepEqual(await answer(daemon, 'DELETE', agent.id), [200, { ok: true, removed: true }]);
  for (const board of boards) await board.waitFor(m => m.type === 'session_removed' && m.id === id && m.sessionId === agent.id);
  assert.deepEqual(await answer(daemon, 'DELETE', agent.id), [404, { error: 'Session not found' }]);
  await daemon.crash();
  await daemon.start();
  assert.deepEqual(await daemon.get('/api/sessions'), {});
  await runHooks(daemon.home, [agent.stop()]);
  const board = await Board.connect(t, daemon);
  const session = await board.session(agent.id, s => s.status === 'waiting');
  assert.notEqual(session.id, id, 'a new card');
});

test('kill ends the process, politely first, and the card', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const polite = new Agent({ cwd: '/srv/polite' }), stubborn = new Agent({ cwd: '/srv/stubborn' });
  const child1 = await startAgent(t, daemon.home, [polite.start(), polite.prompt('Go')], { polite: true });
  const child2 = await startAgent(t, daemon.home, [stubborn.start(), stubborn.prompt('Go')], { polite: false });
  await board.session(polite.id, s => s.cachedPid === child1.pid);
  await board.session(stubborn.id, s => s.cachedPid === child2.pid);
  assert.deepEqual(await answer(daemon, 'POST', `${polite.id}/kill`, { confirm: true }),
    [200, { ok: true, pid: child1.pid, source: 'terminal' }]);
  assert.deepEqual(await child1.ended, [0, null]);
  const session = await board.session(polite.id, s => s.status === 'ended');
  assert.deepEqual([session.archived, session.cachedPid, session.statusEvidence.source], [1, null, 'process']);
  assert.equal((await answer(daemon, 'POST', `${stubborn.id}/kill`, { confirm: true }))[0], 200);
  assert.deepEqual(await child2.ended, [null, 'SIGKILL']);
});

test('a process that runs several sessions is not killed for one of them', async t => {
  const daemon = await startDaemon(t);
  const agents = [new Agent({ cwd: '/srv/one' }), new Agent({ cwd: '/srv/two' })];
  const child = await startAgent(t, daemon.home, agents.flatMap(agent => [agent.start(), agent.prompt('Go')]), { polite: true });
  const board = await Board.connect(t, daemon);
  for (const agent of agents) await board.session(agent.id, s => s.cachedPid === child.pid && s.status === 'prompting');
  assert.deepEqual(await answer(daemon, 'POST', `${agents[0].id}/kill`, { confirm: true }), [409,
    { error: `PID ${child.pid} runs 2 sessions, and all of them would end: end this one in its own program` }]);
  assert.equal(child.exitCode, null);
});

test('hooks over HTTP that name a process: one that runs several is not killed, one that goes on after /clear has one card', async t => {
  const daemon = await startDaemon(t);
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  t.after(() => child.kill());
  const [one, two, other] = [0, 1, 2].map(() => new Agent({ cwd: '/srv/http' }));
  for (const payload of [one.start(), one.end('clear'), two.start('clear'), other.start()]) {
    const body = JSON.stringify({ ...payload, claude_pid: child.pid });
    assert.equal((await daemon.fetch('/api/hooks', { method: 'POST', body })).status, 200);
  }
  const board = await Board.connect(t, daemon);
  await board.session(other.id);
  const card = await board.session(two.id);
  assert.deepEqual(card.previousSessions.map(p => p.sessionId), [one.id]);
  assert.deepEqual(Object.keys(await daemon.get('/api/sessions')).sort(), [two.id, other.id].sort());
  assert.deepEqual(await answer(daemon, 'POST', `${other.id}/kill`, { confirm: true }), [409,
    { error: `PID ${child.pid} runs 2 sessions, and all of them would end: end this one in its own program` }]);
  assert.equal(child.exitCode ?? child.signalCode, null);
});

test('a hook from elsewhere cannot name a process of this machine to be killed', async t => {
  const home = homeWithPassword(t), daemon = await startDaemon(t, { home });
  const victim = spawn('sleep', ['300'], { stdio: 'ignore' });
  t.after(() => victim.kill());
  const elsewhere = { 'X-Forwarded-For': '192.0.2.7' };
  const agent = new Agent({ cwd: '/srv/far' });
  assert.equal((await daemon.post(agent.start(), elsewhere)).status, 401); // makes the token
  const token = fs.readFileSync(path.join(home, 'config/hook.token'), 'utf8').trim();
  const stat = fs.readFileSync(`/proc/${victim.pid}/stat`, 'utf8');
  const claude_start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  for (const more of [{ claude_pid: victim.pid }, { claude_pid: victim.pid, claude_start }, { claude_pid: victim.pid, shared: '1' }]) {
    const forged = new Agent({ cwd: '/srv/far' });
    assert.equal((await daemon.post({ ...forged.start(), ...more, elsewhere: null }, { ...elsewhere, 'X-Ostler-Hook-Token': token })).status, 200);
    const headers = { ...bearer(await login(daemon)), 'content-type': 'application/json' };
    let found;
    do found = await daemon.fetch(`/api/sessions/${forged.id}`, { headers });
    while (found.status === 404);
    assert.equal((await found.json()).cachedPid, null);
    const killed = await daemon.fetch(`/api/sessions/${forged.id}/kill`, { method: 'POST', headers, body: '{"confirm":true}' });
    assert.deepEqual([killed.status, (await killed.json()).pid], [200, null]);
  }
  assert.equal(victim.exitCode ?? victim.signalCode, null);
});

test('a process that was gone when it was named is not killed under a number that another one has by now', async t => {
  const daemon = await startDaemon(t);
  const victim = spawn('sleep', ['300'], { stdio: 'ignore' });
  t.after(() => victim.kill());
  const agent = new Agent({ cwd: '/srv/reused' });
  // As POST /api/hooks writes it when the process has ended before it is looked up.
  const record = { ostler: { v: 1, via: 'http', cli: 'claude', hook_sent_at: Date.now() }, payload: { ...agent.start(), claude_pid: victim.pid } };
  fs.appendFileSync(path.join(daemon.home, 'spool', 'active'), `\n${JSON.stringify(record)}\n`);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id);
  assert.deepEqual(await answer(daemon, 'POST', `${agent.id}/kill`, { confirm: true }), [200, { ok: true, pid: null, source: 'terminal' }]);
  assert.equal(victim.exitCode ?? victim.signalCode, null);
});

test('an agent whose process dies has ended, at once; one without a process is ended on paper only', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const agent = new Agent();
  const child = await startAgent(t, daemon.home, [agent.start(), agent.prompt('Go')], { polite: true });
  await board.session(agent.id, s => s.cachedPid === child.pid);
  child.kill('SIGKILL');
  const session = await board.session(agent.id, s => s.status === 'ended');
  assert.deepEqual([session.statusEvidence.source, session.statusEvidence.event, session.events.at(-1).detail],
    ['process', 'exit', 'Session ended (process exited)']);

  const elsewhere = new Agent({ cwd: '/srv/elsewhere' });
  await daemon.post(elsewhere.start());
  await board.session(elsewhere.id);
  assert.deepEqual(await answer(daemon, 'POST', `${elsewhere.id}/kill`, { confirm: true }),
    [200, { ok: true, pid: null, source: 'terminal' }]);
  await board.session(elsewhere.id, s => s.status === 'ended');
});

test('an agent that dies while no daemon runs has ended when one does; the living stay as they were', async t => {
  const daemon = await startDaemon(t);
  const dead = new Agent({ cwd: '/srv/dead' }), living = new Agent({ cwd: '/srv/living' });
  const child = await startAgent(t, daemon.home, [dead.start(), dead.prompt('Go')], { polite: true });
  await startAgent(t, daemon.home, [living.start(), living.prompt('Go')], { polite: true });
  const board = await Board.connect(t, daemon);
  await board.session(dead.id, s => s.status === 'prompting');
  await board.session(living.id, s => s.status === 'prompting');
  await daemon.stop();
  child.kill('SIGKILL');
  await child.ended;
  await daemon.start();
  const after = await Board.connect(t, daemon);
  const session = await after.session(dead.id, s => s.status === 'ended');
  assert.deepEqual(session.events.slice(-2).map(e => e.type), ['ServerRestart', 'SessionEnd']);
  assert.equal(after.find(living.id).status, 'prompting');

  // Resumed by hand in the same directory it gets its card back.
  const again = new Agent({ cwd: '/srv/dead' });
  await startAgent(t, daemon.home, [again.start('resume')], { polite: true });
  const resumed = await after.session(again.id);
  assert.equal(resumed.id, session.id);
  assert.equal(resumed.previousSessions[0].sessionId, dead.id);
  assert.equal(after.sessions.size, 2);
});

test('more than a hundred hooks a second over HTTP are too many', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const answers = await Promise.all(Array.from({ length: 300 }, () => daemon.post(agent.prompt('x'))));
  const refused = answers.filter(a => a.status === 429);
  assert.ok(answers.filter(a => a.status === 200).length >= 100);
  assert.ok(refused.length > 0);
  assert.deepEqual(await refused[0].json(), { success: false, error: 'Hook rate limit exceeded (100/sec)' });
  assert.equal(refused[0].headers.get('retry-after'), '1');
});

test('unknown events are refused, and counted by name', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  assert.equal((await daemon.post(agent.event('Frobnicate'))).status, 400);
  await runHooks(daemon.home, [agent.event('Frobnicate'), agent.event('Quux'), agent.start()]);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id);
  const stats = await daemon.get('/api/hook-stats');
  assert.deepEqual([stats.refused, stats.unknown], [3, { Frobnicate: 2, Quux: 1 }]);
  assert.equal(stats.totalHooks, 1);
});

test('queued prompts are counted, and stay', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start()]);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id);
  board.send({ type: 'update_queue_count', sessionId: agent.id, count: 4 });
  await board.session(agent.id, s => s.queueCount === 4);
});
