// Answers that are typed into an agent's dialog: only into the one that the request is about, checked, and never over a person.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { makeHome, startDaemon } from './lib/daemon.mjs';
import { HOOK } from './lib/hook.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const PROGRAM = path.resolve(import.meta.dirname, '../agents/dialogs.mjs');
const REST = ' >   Type your message or @path/to/file\n▀▀▀▀\n ~/project';

/** What Gemini's hooks tell until it asks about a command. */
const asking = (cwd, command) => {
  const own = { session_id: '11111111-2222-4333-8444-555555555555', cwd };
  const tool = { tool_name: 'run_shell_command', tool_input: { command } };
  return [
    { ...own, hook_event_name: 'SessionStart', source: 'startup' }, { ...own, hook_event_name: 'BeforeAgent', prompt: 'Please' },
    { ...own, hook_event_name: 'BeforeTool', ...tool },
    { ...own, hook_event_name: 'Notification', notification_type: 'ToolPermission', message: 'Tool Confirm Shell Command requires execution',
      details: { type: 'exec', title: 'Confirm Shell Command', command, rootCommand: command.split(' ')[0] } },
  ];
};

class Desk {
  /** An agent in a terminal that shows these screens, the first of them now. */
  static async make(t, screens, { command = 'touch made.txt', asks = true } = {}) {
    const desk = new Desk();
    desk.home = makeHome(t);
    const cwd = path.join(desk.home, 'project'), bin = path.join(desk.home, 'bin');
    for (const dir of [cwd, bin]) fs.mkdirSync(dir);
    fs.symlinkSync(PROGRAM, path.join(bin, 'gemini'));
    const events = asking(cwd, command).slice(0, asks ? 4 : 1);
    fs.writeFileSync(path.join(desk.home, 'dialogs.json'), JSON.stringify({ cli: 'gemini', hook: HOOK, events, first: Object.keys(screens)[0], screens }));
    desk.daemon = await startDaemon(t, { home: desk.home });
    desk.terminal = await makeTerminal(desk.daemon, { argv: [path.join(bin, 'gemini')], workingDir: cwd, cols: 120, rows: 40 });
    desk.tty = await Tty.connect(t, desk.daemon, desk.terminal, { exact: true, offset: 0 });
    const isIt = one => one.terminalId === desk.terminal.terminalId && (asks ? one.attention?.kind === 'approval' : one.cli === 'gemini');
    desk.card = await until(async () => Object.values(await desk.daemon.get('/api/sessions')).find(isIt), 'the card');
    return desk;
  }

  get typed() {
    return fs.existsSync(path.join(this.home, 'typed')) ? fs.readFileSync(path.join(this.home, 'typed'), 'utf8') : '';
  }

  async request(condition = () => true) {
    return until(async () => (await this.daemon.get('/api/approvals')).approvals.find(one => condition(one)), 'the request');
  }

  async post(target, body) {
    const answer = await this.daemon.fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return { status: answer.status, ...await answer.json() };
  }

  answer({ id, digest }, body) {
    return this.post(`/api/approvals/${id}`, { digest, ...body });
  }

  /** The agent shows another screen by itself. */
  async shows(name) {
    const socket = net.connect(path.join(this.home, 'dialogs.sock'));
    socket.write(name);
    await once(socket, 'data');
  }
}

/** The state of a daemon that says nothing by itself: asked again until it is so. */
async function until(look, what) {
  for (const late = Date.now() + 20_000; ;) {
    const found = await look();
    if (found) return found;
    assert.ok(Date.now() < late, `not ${what}`);
    await new Promise(resolve => { setTimeout(resolve, 50); });
  }
}

const answerable = one => one.via === 'keys' && one.can.includes('allow');

test('an answer is one key in the dialog that shows the request, and it ends the request', async t => {
  const desk = await Desk.make(t, { asks: { show: 'gemini-shell', keys: { 1: 'rests', 2: 'rests', 3: 'rests' } }, rests: { show: REST } });
  const request = await desk.request(answerable);
  assert.deepEqual(request.can, ['allow', 'deny', 'always', 'stop']);
  const { status, state } = await desk.answer(request, { decision: 'allow' });
  assert.deepEqual({ status, state, typed: desk.typed }, { status: 200, state: 'allowed', typed: '1' });
  assert.equal((await desk.answer(request, { decision: 'deny' })).status, 409);
  assert.equal(desk.typed, '1');
});

test('a dialog about something else, a half drawn one, and one that nobody knows: nothing is typed', async t => {
  const desk = await Desk.make(t, { asks: { show: 'gemini-shell-long' }, half: { show: 'gemini-half-drawn' },
    unknown: { show: 'Allow execution of [Shell]?\n\n(a) Allow once\n(b) No' }, right: { show: 'gemini-shell', keys: { 3: 'unknown' } } });
  const request = await desk.request();
  for (const name of ['asks', 'half', 'unknown']) {
    await desk.shows(name);
    await until(async () => (await desk.request()).can.length === 0, 'not answerable');
    const { status, error } = await desk.answer(request, { decision: 'allow' });
    assert.equal(status, 409, error);
  }
  assert.equal(desk.typed, '');
  await desk.shows('right');
  await desk.answer(await desk.request(answerable), { decision: 'deny' });
  assert.equal(desk.typed, '3');
});

test('a dialog that does not take the key: the request stays, and says what became of it', async t => {
  const desk = await Desk.make(t, { asks: { show: 'gemini-shell' } });
  const { status, error } = await desk.answer(await desk.request(answerable), { decision: 'allow' });
  assert.equal(status, 409);
  assert.match(error, /did not take the key/);
  const { state, note } = await desk.request();
  assert.equal(state, 'open');
  assert.match(note, /did not take the key/);
  assert.equal(desk.typed, '1', 'it is not tried again');
});

test('a person who types comes first', async t => {
  const desk = await Desk.make(t, { asks: { show: 'gemini-shell' } });
  const request = await desk.request(answerable);
  const answered = desk.answer(request, { decision: 'allow' });
  await until(() => desk.typed === '1', 'the key');
  desk.tty.type('x');
  const { status, error } = await answered;
  assert.equal(status, 409);
  assert.match(error, /somebody typed/);
  assert.equal(desk.typed, '1x');
});

test('an agent that ends before it shows what came of the answer', async t => {
  const desk = await Desk.make(t, { asks: { show: 'gemini-shell', keys: { x: 'nothing' } } });
  const answered = desk.answer(await desk.request(answerable), { decision: 'allow' });
  await until(() => desk.typed === '1', 'the key');
  process.kill((await desk.daemon.get(`/api/terminals/${desk.terminal.terminalId}`)).pid, 'SIGKILL');
  assert.equal((await answered).status, 409);
});

test('a prompt goes to an empty place to type, with its lines and without control characters', async t => {
  const pasted = '\x1b[200~Please\rmake [31mit\x1b[201~';
  const desk = await Desk.make(t, { rests: { show: REST, keys: { [pasted]: 'typed' } }, typed: { show: ' > Please\n   make [31mit\n▀▀▀▀\n ~/project', keys: { '\r': 'rests' } },
    full: { show: ' > something of mine\n▀▀▀▀\n ~/project' } }, { asks: false });
  const target = `/api/sessions/${desk.card.id}/prompt`;
  assert.deepEqual(await desk.post(target, { text: 'Please\nmake \x1b[31mit\x07' }), { status: 200, ok: true });
  assert.equal(desk.typed, `${pasted}\r`);
  await desk.shows('full');
  await desk.tty.until(() => Buffer.concat(desk.tty.chunks).includes('something of mine'), 'the other screen');
  const { status, error } = await desk.post(target, { text: 'And more' });
  assert.equal(status, 409, error);
  assert.equal(desk.typed, `${pasted}\r`);
  assert.equal((await desk.post(target, { text: '  ' })).status, 400);
  assert.equal((await desk.post(`/api/sessions/${desk.card.id}/interrupt`, {})).status, 409);
});

test('a shell takes neither prompts nor interruptions', async t => {
  const daemon = await startDaemon(t);
  const { sessionId } = await makeTerminal(daemon, { command: '', workingDir: daemon.home });
  for (const verb of ['prompt', 'interrupt']) {
    const answer = await daemon.fetch(`/api/sessions/${sessionId}/${verb}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"ls"}' });
    assert.equal(answer.status, 409);
    assert.match((await answer.json()).error, /no agent/);
  }
});
