// Transcripts that the daemon looks after: who says hello moves its sessions to the front, is told the truth about them, and
// about no others; the card shows what was found.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { Daemon, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

const projects = home => path.join(home, '.claude', 'projects');
const fileOf = (home, id, project = '-srv-app') => path.join(projects(home), project, `${id}.jsonl`);

function line(fields) {
  return `${JSON.stringify({ parentUuid: null, type: 'user', cwd: '/srv/app', timestamp: '2026-01-02T03:04:05.000Z',
    message: { role: 'user', content: 'Fix the parser' }, uuid: randomUUID(), ...fields })}\n`;
}

/** A chain of `count` messages; of those at `orphans` the parent is nowhere. */
function transcript(count, orphans = []) {
  const ids = Array.from({ length: count }, () => randomUUID());
  return ids.map((uuid, i) => line({ uuid, parentUuid: orphans.includes(i) ? randomUUID() : ids[i - 1] ?? null })).join('');
}

/** Written a minute ago, unless it is said to be just now. */
function write(home, id, text, { now = false, project } = {}) {
  const file = fileOf(home, id, project);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  const then = Date.now() / 1000 - 60;
  if (!now) fs.utimesSync(file, then, then);
  return file;
}

async function start(t, home) {
  const daemon = new Daemon(home);
  cleanup(t, () => daemon.stop());
  return daemon.start();
}

const statusOf = (board, id, from = 0) => board.waitFor(m => m.type === 'session.status' && m.sessionId === id, { from });
const backups = file => fs.readdirSync(path.dirname(file)).filter(name => name.startsWith(`${path.basename(file)}.backup-`));

test('every status is the true one', async t => {
  const home = makeHome(t), ids = {};
  for (const name of ['healthy', 'broken', 'missing', 'unreadable', 'stopHook']) ids[name] = randomUUID();
  write(home, ids.healthy, transcript(7));
  const broken = write(home, ids.broken, transcript(9, [3, 7]));
  fs.mkdirSync(fileOf(home, ids.unreadable), { recursive: true });
  const a = randomUUID(), p = randomUUID(), s = randomUUID();
  const hook = write(home, ids.stopHook, line({ uuid: a, type: 'assistant' })
    + line({ uuid: p, parentUuid: a, type: 'progress', data: { type: 'hook_progress', hookEvent: 'Stop' }, toolUseID: 'x' })
    + line({ uuid: s, parentUuid: p, type: 'system', subtype: 'stop_hook_summary', toolUseID: 'x' }));
  const daemon = await start(t, home);
  const board = await Board.connect(t, daemon);
  board.send({ type: 'hello', token: 'unused', sessions: {
    active: ids.stopHook, visible: [ids.healthy, ids.broken], background: [ids.missing, ids.unreadable, 'no/such:id'],
  } });
  await board.waitFor(m => m.type === 'ready');
  assert.deepEqual(await statusOf(board, ids.healthy), {
    type: 'session.status', sessionId: ids.healthy, status: 'healthy', chainDepth: 7 });
  assert.deepEqual(await statusOf(board, ids.broken), {
    type: 'session.status', sessionId: ids.broken, status: 'repaired', chainDepth: 9, orphansFixed: 2 });
  // The walk at the start may have come first, and leaves such a thing alone: then this is the second word about it.
  const stopHook = await board.waitFor(m => m.type === 'session.status' && m.sessionId === ids.stopHook && m.status === 'repaired');
  assert.deepEqual(stopHook, { type: 'session.status', sessionId: ids.stopHook, status: 'repaired', chainDepth: 2, orphansFixed: 1 });
  const missing = await statusOf(board, ids.missing);
  assert.equal(missing.status, 'missing');
  assert.match(missing.message, /start fresh/);
  assert.equal((await statusOf(board, 'no/such:id')).status, 'missing');
  assert.equal((await statusOf(board, ids.unreadable)).status, 'missing', 'a directory of that name is no transcript');
  assert.equal(backups(broken).length, 1);
  assert.equal(backups(hook).length, 1);
  assert.deepEqual(board.messages.filter(m => m.type === 'error'), []);
  const lines = fs.readFileSync(hook, 'utf8').trim().split('\n').map(JSON.parse);
  assert.equal(lines[2].parentUuid, a, 'the summary follows the assistant');
});

test('activity tells the steps: what was found, and what was done', async t => {
  const home = makeHome(t), id = randomUUID();
  const daemon = await start(t, home);
  const board = await Board.connect(t, daemon, { v1: true });
  write(home, id, transcript(5, [4]));
  board.send({ type: 'hello', sessions: { active: id } });
  await statusOf(board, id);
  assert.deepEqual(board.messages.filter(m => m.type === 'session.repair.activity'), [
    { type: 'session.repair.activity', event: 'scanned', sessionId: id, status: 'corrupted', chainDepth: 1, orphanCount: 1 },
    { type: 'session.repair.activity', event: 'repaired', sessionId: id, status: 'repaired', chainDepth: 5, orphanCount: 1, orphansFixed: 1 },
  ]);
});

test('a hello moves its sessions before the rest of the disk', async t => {
  const home = makeHome(t), COUNT = 1500;
  const ids = Array.from({ length: COUNT }, () => randomUUID());
  ids.forEach((id, i) => write(home, id, transcript(3, [2]), { project: `-srv-${i % 20}` }));
  const daemon = await start(t, home);
  const board = await Board.connect(t, daemon);
  // Nobody knows in which order a directory is listed: a dozen are asked for, and all of them come early.
  const asked = ids.filter((_, i) => i % 120 === 60);
  board.send({ type: 'hello', sessions: { active: asked[0], visible: asked.slice(1, 6), background: asked.slice(6) } });
  for (const id of asked) assert.equal((await statusOf(board, id)).status, 'repaired');
  const mended = [...daemon.log.matchAll(/mended \S+\/([0-9a-f-]{36})\.jsonl/g)].map(m => m[1]);
  assert.ok(mended.length < COUNT / 2, `${mended.length} of ${COUNT} were mended before the ones that were asked for`);
  await daemon.stop(); // in the middle of the walk
  await daemon.start();
  const again = await Board.connect(t, daemon);
  again.send({ type: 'hello', sessions: { background: ids } });
  for (const id of ids) await statusOf(again, id);
  for (const [i, id] of ids.entries()) assert.equal(backups(fileOf(home, id, `-srv-${i % 20}`)).length, 1, 'mended exactly once');
});

test('two clients hear of their own sessions only, and by the names they use', async t => {
  const home = makeHome(t), daemon = await start(t, home);
  const agent = new Agent({ cwd: '/srv/app' }), other = randomUUID();
  await runHooks(home, [agent.start(), agent.prompt('Begin')]);
  write(home, agent.id, transcript(4));
  write(home, other, transcript(6, [5]));
  const one = await Board.connect(t, daemon), two = await Board.connect(t, daemon);
  const { id: card } = await one.session(agent.id);
  one.send({ type: 'hello', sessions: { active: card } });
  two.send({ type: 'hello', sessions: { visible: [other] } });
  assert.equal((await statusOf(one, card)).chainDepth, 4, 'named by the id of its card');
  assert.equal((await statusOf(two, other)).status, 'repaired');
  // A round trip: whatever was to be said of the others has been said by now.
  for (const board of [one, two]) {
    const from = board.messages.length;
    board.send({ type: 'hello', sessions: {} });
    await board.waitFor(m => m.type === 'ready', { from });
  }
  const named = board => new Set(board.messages.filter(m => m.type.startsWith('session.')).map(m => m.sessionId));
  assert.deepEqual([...named(one)], [card]);
  assert.deepEqual([...named(two)], [other]);
  // Nobody looks at it any more, so nobody is told.
  const from = two.messages.length;
  write(home, other, transcript(8, [3]));
  one.send({ type: 'hello', sessions: { active: other } });
  await statusOf(one, other);
  assert.deepEqual(two.messages.slice(from).filter(m => m.type.startsWith('session.')), []);
});

test('the same hello again asks for nothing, a change of the file and a new look do', async t => {
  // The walk of the start would find changes, too: it is over when it has mended what it found.
  const home = makeHome(t), broken = write(home, randomUUID(), transcript(6, [2])), before = fs.readFileSync(broken, 'utf8');
  const daemon = await start(t, home), id = randomUUID();
  while (fs.readFileSync(broken, 'utf8') === before) await sleep(20);
  write(home, id, transcript(4));
  const board = await Board.connect(t, daemon);
  board.send({ type: 'hello', sessions: { background: [id] } });
  assert.equal((await statusOf(board, id)).chainDepth, 4);
  write(home, id, transcript(5));
  const from = board.messages.length;
  board.send({ type: 'hello', sessions: { background: [id] } });
  await board.waitFor(m => m.type === 'ready', { from });
  write(home, id, transcript(6));
  board.send({ type: 'hello', sessions: { active: id } });
  await board.waitFor(m => m.type === 'session.status' && m.chainDepth === 6, { what: 'an answer that is not stale' });
  assert.deepEqual(board.messages.filter(m => m.type === 'session.status' && m.chainDepth === 5), []);
});

test('the card shows what was mended; it is there after a crash, and once', async t => {
  const home = makeHome(t), daemon = await start(t, home);
  const agent = new Agent({ cwd: '/srv/app' });
  const file = write(home, agent.id, transcript(12, [2, 6, 9]));
  await runHooks(home, [agent.start(), agent.prompt('Begin'), agent.end()]);
  const board = await Board.connect(t, daemon);
  const session = await board.session(agent.id, s => s.transcript?.status === 'repaired');
  assert.equal(session.transcript.linksFixed, 3);
  assert.equal(session.transcript.chainDepth, 12);
  assert.equal(session.transcript.messageCount, 12);
  assert.deepEqual(session.events.filter(e => e.type === 'TranscriptRepaired').map(e => e.detail), ['repaired: 3 links']);
  await daemon.crash();
  await daemon.start();
  const again = await Board.connect(t, daemon);
  const kept = await again.session(agent.id);
  assert.equal(kept.transcript.linksFixed, 3);
  assert.equal(kept.events.filter(e => e.type === 'TranscriptRepaired').length, 1);
  assert.equal(backups(file).length, 1);
});

test('what cannot be mended says why, on the card too', async t => {
  const home = makeHome(t), daemon = await start(t, home);
  const agent = new Agent({ cwd: '/srv/app' });
  await runHooks(home, [agent.start()]);
  // Nobody can write there, not even root: the name of the copy is taken by a directory with something in it. It is there first,
  // because the daemon may look at the transcript as soon as it exists.
  fs.mkdirSync(path.join(`${fileOf(home, agent.id)}.ostler-backup`, 'x'), { recursive: true });
  const file = write(home, agent.id, transcript(6, [4]));
  const board = await Board.connect(t, daemon);
  board.send({ type: 'hello', sessions: { visible: [agent.id] } });
  const status = await statusOf(board, agent.id);
  assert.equal(status.status, 'unrecoverable');
  assert.match(status.message, /backup/);
  const session = await board.session(agent.id, s => s.transcript?.status === 'unrecoverable');
  assert.match(session.transcript.message, /backup/);
  assert.equal(session.events.at(-1).type, 'TranscriptBroken');
  const errors = board.messages.filter(m => m.type === 'session.repair.activity' && m.event === 'error');
  assert.equal(errors.length, 1);
  // The reason goes away, and somebody asks again.
  fs.rmSync(`${file}.ostler-backup`, { recursive: true });
  const answer = await daemon.fetch(`/api/sessions/${agent.id}/repair`, { method: 'POST' });
  assert.equal(answer.status, 200);
  const { status: now, orphansFixed, chainDepth } = await answer.json();
  assert.deepEqual([now, orphansFixed, chainDepth], ['repaired', 1, 6]);
  await board.session(agent.id, s => s.transcript?.status === 'repaired' && s.transcript.message === null);
});

test('while somebody writes nothing is changed; then it is mended', async t => {
  const home = makeHome(t), daemon = await start(t, home), id = randomUUID();
  const board = await Board.connect(t, daemon);
  const file = write(home, id, transcript(5, [2]), { now: true });
  board.send({ type: 'hello', sessions: { active: id } });
  assert.equal((await statusOf(board, id)).status, 'corrupted');
  const done = await board.waitFor(m => m.type === 'session.status' && m.status === 'repaired');
  assert.equal(done.chainDepth, 5);
  assert.equal(backups(file).length, 1);
});

test('what somebody undid stays undone, until the file changes or somebody wants it mended', async t => {
  const home = makeHome(t), id = randomUUID(), file = write(home, id, transcript(5, [2]));
  const original = fs.readFileSync(file);
  const daemon = await start(t, home), board = await Board.connect(t, daemon);
  board.send({ type: 'hello', sessions: { background: [id] } });
  assert.equal((await statusOf(board, id)).status, 'repaired');
  assert.equal((await ostler(home, ['repair', 'undo', file])).code, 0);
  assert.deepEqual(fs.readFileSync(file), original);
  const from = board.messages.length;
  board.send({ type: 'hello', sessions: { visible: [id] } });
  const left = await statusOf(board, id, from);
  assert.equal(left.status, 'corrupted');
  assert.match(left.message, /undone/);
  assert.deepEqual(fs.readFileSync(file), original);
  fs.appendFileSync(file, line({}));
  const then = Date.now() / 1000 - 30;
  fs.utimesSync(file, then, then);
  board.send({ type: 'hello', sessions: { active: id } });
  await board.waitFor(m => m.type === 'session.status' && m.status === 'repaired', { from });
});

test('asking for one session by hand: it waits, and refuses with a sentence', async t => {
  const home = makeHome(t), daemon = await start(t, home);
  const claude = new Agent({ cwd: '/srv/app' });
  await runHooks(home, [claude.start()]);
  const board = await Board.connect(t, daemon);
  await board.session(claude.id);
  const ask = async id => {
    const answer = await daemon.fetch(`/api/sessions/${id}/repair`, { method: 'POST' });
    return [answer.status, await answer.json()];
  };
  const [status, body] = await ask(claude.id);
  assert.equal(status, 200);
  assert.equal(body.status, 'missing');
  assert.equal((await ask('nobody'))[0], 404);
});

test('a hello that makes no sense is refused with a sentence', async t => {
  const daemon = await startDaemon(t), board = await Board.connect(t, daemon);
  for (const sessions of [7, [], { active: 1 }, { active: '' }, { visible: 'x' }, { background: [null] },
    { visible: Array.from({ length: 5001 }, () => 'x') }, { active: 'x'.repeat(300) }]) {
    const from = board.messages.length;
    board.send({ type: 'hello', sessions });
    const refusal = await board.waitFor(m => m.type === 'error', { from });
    assert.match(JSON.stringify(refusal), /session/);
  }
  board.send({ type: 'hello', sessions: null });
  board.send({ type: 'hello' });
  await board.until(() => board.messages.filter(m => m.type === 'ready').length === 2);
});

test('the history of prompts is the CLI\'s own: nothing is entered there', async t => {
  const home = makeHome(t), id = randomUUID(), history = path.join(home, '.claude', 'history.jsonl');
  write(home, id, transcript(3, [2]));
  const said = `${JSON.stringify({ display: 'x', pastedContents: {}, timestamp: 1, project: '/', sessionId: randomUUID() })}\n`;
  fs.writeFileSync(history, said);
  const daemon = await start(t, home), board = await Board.connect(t, daemon);
  board.send({ type: 'hello', sessions: { active: id } });
  assert.equal((await statusOf(board, id)).status, 'repaired');
  assert.equal((await ostler(home, ['repair', 'all'])).code, 0);
  assert.equal(fs.readFileSync(history, 'utf8'), said);
});
