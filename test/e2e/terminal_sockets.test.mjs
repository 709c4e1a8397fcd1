// Both sockets and both dialects: the board's terminal_* messages, and a worker's own.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import headless from '@xterm/headless';
import WebSocket from 'ws';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

/** The seed's dialect: JSON, no subprotocol. */
class PlainTty extends EventEmitter {
  messages = [];

  static async connect(t, daemon, where) {
    const tty = new PlainTty();
    tty.ws = new WebSocket(`ws://127.0.0.1:${daemon.port}${where}`);
    cleanup(t, () => tty.ws.terminate());
    tty.ws.on('message', (data, binary) => {
      assert.equal(binary, false);
      tty.messages.push(JSON.parse(data));
      tty.emit('news');
    });
    tty.ws.on('close', code => { tty.closeCode = code; tty.emit('news'); });
    await once(tty.ws, 'open');
    return tty;
  }

  of(type) {
    return this.messages.filter(m => m.type === type);
  }

  get text() {
    return this.messages.filter(m => ['history', 'output'].includes(m.type)).map(m => m.data).join('');
  }

  async until(condition, what) {
    const signal = AbortSignal.timeout(30_000);
    while (!condition()) await once(this, 'news', { signal }).catch(() => assert.fail(`no ${what}: ${JSON.stringify(this.messages.slice(-5))}`));
  }

  send(message) {
    this.ws.send(JSON.stringify(message));
  }
}

const where = made => `/ws/session/${made.sessionId}/worker/${made.terminalId}`;

test('the seed\'s dialect: history, output, input, resize, exit', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'echo first; read line; echo "got $line"; read x; stty size; exit 4'], workingDir: daemon.home });
  const tty = await PlainTty.connect(t, daemon, where(made));
  await tty.until(() => /first/.test(tty.text), 'first');
  assert.equal(tty.messages[0].type, 'history');
  tty.send({ type: 'input', data: 'grüße\r' });
  await tty.until(() => /got grüße/.test(tty.text), 'the echo');
  tty.send({ type: 'resize', cols: 77, rows: 11 });
  await tty.until(() => tty.of('history').length === 2, 'the screen in its size');
  tty.send({ type: 'input', data: '\r' });
  await tty.until(() => tty.of('exit').length, 'exit');
  assert.match(tty.text, /11 77/);
  assert.deepEqual(tty.of('exit'), [{ type: 'exit', exitCode: 4, signal: null }]);
  const last = tty.of('output').at(-1), { bytes, epoch } = await daemon.get(`/api/terminals/${made.terminalId}`);
  assert.deepEqual([last.offset, last.epoch], [bytes, epoch], 'the offset is behind the data');

  tty.send({ type: 'request-history', fromOffset: last.startOffset });
  await tty.until(() => tty.of('history').length === 3, 'what followed the offset');
  assert.deepEqual(tty.of('history')[2], { ...last, type: 'history' });
  tty.send({ type: 'image', data: '', mimeType: 'image/png' });
  tty.send({ type: 'input', data: 'x' });
  await tty.until(() => tty.of('error').length === 2, 'two errors');
  assert.deepEqual(tty.of('error').map(m => m.code), ['UNSUPPORTED_OPERATION', 'NOT_LIVE']);
});

test('a character that comes in pieces arrives as one', async t => {
  const daemon = await startDaemon(t);
  // Waits for a key before each byte, so that each byte is a chunk of its own.
  const script = 'use strict; $| = 1; system("stty raw -echo"); print "ready"; for my $byte (split //, "\\xc3\\xbc\\xe2\\x82\\xac\\xf0\\x9f\\x98\\x80.") { sysread STDIN, my $key, 1; print $byte; }';
  const made = await makeTerminal(daemon, { argv: ['perl', '-e', script], workingDir: daemon.home });
  const tty = await PlainTty.connect(t, daemon, where(made));
  await tty.until(() => /ready/.test(tty.text), 'ready');
  const { bytes } = await daemon.get(`/api/terminals/${made.terminalId}`);
  for (let i = 1; i <= 10; i++) {
    tty.send({ type: 'input', data: 'k' });
    for (let at = 0; at < bytes + i;) at = (await daemon.get(`/api/terminals/${made.terminalId}`)).bytes;
  }
  await tty.until(() => tty.text.endsWith('.'), 'the last byte');
  assert.match(tty.text, /ü€😀\.$/);
  assert.deepEqual(tty.of('output').map(m => m.data).filter(Boolean).slice(-4), ['ü', '€', '😀', '.']);
});

test('the binary dialect: what is typed, sizes, and going on at an offset', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['cat'], workingDir: daemon.home });
  const tty = await Tty.connect(t, daemon, made);
  assert.deepEqual({ ...tty.hello, ws: 0 }, {
    type: 'hello', terminalId: made.terminalId, epoch: tty.hello.epoch, offset: tty.hello.offset, cols: 120, rows: 40, connection: 'live',
    readOnly: false, exitCode: null, signal: null, ws: 0 });
  tty.type('one\r');
  await tty.shows('one\r\none\r\n');
  const { offset, epoch } = tty;
  tty.type('two\r');
  await tty.shows('two\r\ntwo\r\n');
  const again = await Tty.connect(t, daemon, made, { epoch, offset });
  await again.shows('two\r\ntwo\r\n');
  assert.deepEqual([again.snapshots, again.output], [0, 'two\r\ntwo\r\n']);
  const elsewhere = await Tty.connect(t, daemon, made, { epoch: epoch - 1, offset });
  await elsewhere.until(() => elsewhere.snapshots === 1, 'a snapshot');
  again.send({ type: 'resize', cols: 60, rows: 10 });
  await tty.until(() => tty.messages.some(m => m.type === 'resized' && m.cols === 60 && m.rows === 10), 'the new size');
  await tty.until(() => tty.messages.some(m => m.type === 'state' && m.terminal.cols === 60 && m.terminal.viewers === 3), 'its state');
  again.send({ type: 'input', data: 'three\r' });
  await tty.shows('three\r\nthree');
  tty.type('\x04');
  await tty.until(() => tty.exit, 'its end');
  assert.equal(tty.exit.exitCode, 0);
  tty.send('nonsense');
  await tty.until(() => tty.messages.some(m => m.type === 'error' && m.code === 'BAD_MESSAGE'), 'an error');

  const late = await Tty.connect(t, daemon, made);
  await late.until(() => late.snapshots && late.exit, 'the screen and its end');
  assert.deepEqual([late.hello.connection, late.hello.exitCode], ['ended', 0]);
});

test('who cannot be served is told on the socket', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { command: '', workingDir: daemon.home });
  const { workers: [{ id: worker }], id } = await daemon.get(`/api/sessions/${made.sessionId}`);
  for (const [path, code] of [['nope/worker/nope', 'SESSION_NOT_FOUND'], [`${made.sessionId}/worker/nope`, 'WORKER_NOT_FOUND']]) {
    const tty = await PlainTty.connect(t, daemon, `/ws/session/${path}`);
    await tty.until(() => tty.closeCode, 'a close');
    assert.deepEqual([tty.closeCode, tty.messages.map(m => m.code)], [4404, [code]]);
  }
  const byIds = await PlainTty.connect(t, daemon, `/ws/session/${id}/worker/${worker}`);
  await byIds.until(() => byIds.of('history').length, 'a history');
});

test('the board\'s messages: subscribe, type, resize, close, and come back', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const made = await makeTerminal(daemon, { argv: ['cat'], workingDir: daemon.home }), { terminalId } = made;
  const text = () => Buffer.concat(board.messages.filter(m => m.type === 'terminal_output').map(m => Buffer.from(m.data, 'base64'))).toString();
  const types = () => board.messages.filter(m => m.type.startsWith('terminal_')).map(m => m.type);
  board.send({ type: 'terminal_subscribe', terminalId });
  await board.until(() => types().length >= 2, 'ready and output');
  assert.deepEqual(types().slice(0, 2), ['terminal_ready', 'terminal_output']);
  board.send({ type: 'terminal_input', terminalId, data: 'grüße\r' });
  await board.until(() => text().includes('grüße\r\ngrüße\r\n'), 'the echo');
  board.send({ type: 'terminal_resize', terminalId, cols: 66, rows: 6 });
  const v1 = await Board.connect(t, daemon, { v1: true });
  await v1.waitFor(m => m.type === 'terminal_state' && m.terminal.cols === 66);
  board.send({ type: 'terminal_disconnect', terminalId });
  board.send({ type: 'terminal_subscribe', terminalId }); // it has only looked elsewhere
  await board.until(() => types().filter(type => type === 'terminal_ready').length === 2, 'the same terminal again');
  board.send({ type: 'terminal_input', terminalId, data: 'still\r' });
  await board.until(() => text().includes('still\r\nstill\r\n'), 'the program, which goes on');
  assert.equal((await daemon.fetch(`/api/terminals/${terminalId}`, { method: 'DELETE' })).status, 200);
  const closed = await board.waitFor(m => m.type === 'terminal_closed');
  assert.deepEqual(closed, { type: 'terminal_closed', terminalId, reason: 'signal 1' });
  await board.session(made.sessionId, s => s.status === 'ended');
  board.send({ type: 'terminal_input', terminalId, data: 'x' });
  await board.waitFor(m => m.type === 'error' && /not running/.test(m.error));

  const from = board.messages.length;
  const resumed = await daemon.fetch(`/api/sessions/${made.sessionId}/resume`, { method: 'POST' });
  assert.deepEqual([resumed.status, await resumed.json()], [200, { ok: true, terminalId, newTerminal: false, fresh: false }]);
  await board.waitFor(m => m.type === 'terminal_ready', { from });
  board.send({ type: 'terminal_input', terminalId, data: 'again\r' });
  await board.until(() => text().includes('again\r\nagain'), 'the new one\'s echo');
  board.send({ type: 'terminal_unsubscribe', terminalId });
  board.send({ type: 'terminal_subscribe', terminalId: 'nope' });
  assert.deepEqual(await board.waitFor(m => m.type === 'terminal_closed' && m.terminalId === 'nope'), { type: 'terminal_closed', terminalId: 'nope', reason: 'unavailable' });
});

/** What a client's emulator of this size shows of the board's output, and where its cursor is. */
async function emulate(board, cols, rows) {
  const term = new headless.Terminal({ cols, rows, allowProposedApi: true });
  for (const m of board.messages.filter(m => m.type === 'terminal_output'))
    await new Promise(resolve => term.write(Buffer.from(m.data, 'base64'), resolve));
  const { active } = term.buffer;
  const lines = Array.from({ length: rows }, (_, y) => active.getLine(active.viewportY + y).translateToString(true).trimEnd());
  return { lines, above: active.viewportY, row: active.cursorY, col: active.cursorX };
}

test('a plain client that has not said its size sees the top, and all of it anew after its first resize', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'echo one; echo two; printf "name? "; read x'], workingDir: daemon.home }), { terminalId } = made;
  const tty = await Tty.connect(t, daemon, made);
  await tty.until(() => `${tty.snapshot}${tty.output}`.includes('name?'), 'its prompt');
  const board = await Board.connect(t, daemon);
  const outputs = () => board.messages.filter(m => m.type === 'terminal_output');
  board.send({ type: 'terminal_subscribe', terminalId });
  await board.until(() => outputs().length === 1, 'the screen');
  for (const rows of [4, 24, 50]) {
    const { lines, above, row, col } = await emulate(board, 120, rows);
    assert.deepEqual([lines.slice(0, 3), above, row, col], [['one', 'two', 'name?'], 0, 2, 6], `${rows} rows`);
  }
  board.send({ type: 'terminal_resize', terminalId, cols: 60, rows: 8 });
  await board.until(() => outputs().length === 2, 'the screen in its size');
  const { lines, row } = await emulate(board, 60, 8);
  assert.deepEqual([lines, row], [['one', 'two', 'name?', '', '', '', '', ''], 2]);
  // A second client of just that size: the screen, though nothing has changed by its resize.
  const other = await Board.connect(t, daemon);
  other.send({ type: 'terminal_subscribe', terminalId });
  await other.until(() => other.messages.some(m => m.type === 'terminal_output'), 'its screen');
  const from = other.messages.length;
  other.send({ type: 'terminal_resize', terminalId, cols: 60, rows: 8 });
  await other.waitFor(m => m.type === 'terminal_output', { from, what: 'its screen anew' });
  assert.deepEqual((await emulate(other, 60, 8)).lines, lines);
});

test('a replay after a restart is not another snapshot', async t => {
  const daemon = await startDaemon(t);
  const before = await Board.connect(t, daemon);
  await daemon.post({ session_id: 'a', hook_event_name: 'SessionStart', cwd: '/p/alpha' });
  await before.session('a');
  const { seq } = before;
  await daemon.stop();
  await daemon.start();
  const board = await Board.connect(t, daemon);
  board.send({ type: 'replay', sinceSeq: seq });
  const answer = await board.waitFor(m => m.type === 'replay');
  assert.deepEqual([answer.sinceSeq, answer.count], [seq, 0]);
  assert.equal(board.messages.filter(m => m.type === 'snapshot').length, 1);
});

test('POST /api/terminals/:id/write types', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['cat'], workingDir: daemon.home });
  const tty = await Tty.connect(t, daemon, made);
  const write = async (body, id = made.terminalId) => {
    const answer = await daemon.fetch(`/api/terminals/${id}/write`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) });
    return [answer.status, await answer.json()];
  };
  assert.deepEqual(await write({ data: 'grüße\r' }), [200, { ok: true }]);
  await tty.until(() => `${tty.snapshot}${tty.output}`.includes('grüße\r\ngrüße\r\n'), 'the echo');
  assert.deepEqual(await write({ data: '' }), [200, { ok: true }]);
  for (const [body, error] of [['nonsense', /JSON object/], [{}, /data must be a string/], [{ data: 7 }, /data must be a string/]]) {
    const [status, answer] = await write(body);
    assert.equal(status, 400);
    assert.match(answer.error, error);
  }
  assert.equal((await write({ data: 'x'.repeat(256 * 1024 + 1) }))[0], 413);
  assert.deepEqual(await write({ data: 'x' }, 'nope'), [404, { error: 'Terminal not found' }]);
  assert.deepEqual(await write({ data: '\x04' }), [200, { ok: true }]);
  await tty.until(() => tty.exit, 'its end');
  const [status, answer] = await write({ data: 'x' });
  assert.equal(status, 409);
  assert.match(answer.error, /not running: resume/);
});

test('thumbnails: now, when they change, and of one that has ended long ago', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'echo hello; read x; echo "bye $x"'], workingDir: daemon.home }), { terminalId } = made;
  const board = await Board.connect(t, daemon, { v1: true });
  const state = await board.waitFor(m => m.type === 'terminal_state' && m.terminal.terminalId === terminalId);
  assert.deepEqual([state.terminal.sessionId, state.terminal.connection], [made.sessionId, 'live']);
  board.send({ type: 'terminal_thumbnails', terminalIds: [terminalId, 'nope'] });
  const screen = await board.waitFor(m => m.type === 'terminal_screen' && m.lines[0] === 'hello');
  assert.deepEqual([screen.terminalId, screen.cols, screen.rows, screen.lines.length, screen.cursor], [terminalId, 120, 40, 40, { col: 0, row: 1, visible: true }]);
  board.send({ type: 'terminal_input', terminalId, data: 'you\r' });
  await board.waitFor(m => m.type === 'terminal_screen' && m.lines.includes('bye you'));
  await board.waitFor(m => m.type === 'terminal_state' && m.terminal.connection === 'ended' && m.terminal.exitCode === 0);

  await daemon.stop();
  await daemon.start();
  const later = await Board.connect(t, daemon, { v1: true });
  await later.waitFor(m => m.type === 'terminal_state' && m.terminal.connection === 'ended' && m.terminal.exitCode === 0);
  later.send({ type: 'terminal_thumbnails', terminalIds: [terminalId] });
  await later.waitFor(m => m.type === 'terminal_screen' && m.lines.includes('bye you'));
});

test('a terminal that floods does not keep a board from its news', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const stop = path.join(daemon.home, 'stop');
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', `until [ -e '${stop}' ]; do seq 1 20000; done`], workingDir: daemon.home });
  board.send({ type: 'terminal_subscribe', terminalId: made.terminalId });
  await board.waitFor(m => m.type === 'terminal_output');
  for (let i = 0; i < 5; i++) {
    const from = board.messages.length;
    await daemon.post({ session_id: 'a', hook_event_name: 'UserPromptSubmit', prompt: `number ${i}`, cwd: '/p' });
    await board.waitFor(m => m.type === 'session_update' && m.session.currentPrompt === `number ${i}`, { from });
  }
  fs.writeFileSync(stop, '');
  await board.waitFor(m => m.type === 'terminal_closed');
  assert.equal(board.messages.filter(m => m.type === 'snapshot').length, 1, 'it never fell behind');
});
