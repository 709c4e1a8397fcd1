// How a payload is written never costs an event, and what the board is told is always valid: drawn payloads with odd bytes through the real
// hook, against what JavaScript makes of them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { drawnSeed, Random } from './lib/random.mjs';

const CASES = Number(process.env.ODD_CASES || 60);
const spool = (home, ...rest) => path.join(home, 'spool', ...rest);

/** Pieces of a JSON string's text, some as no encoder would write them. */
const PIECES = ['plain', ' ', '\\ud83d', '\\uDE00', '\\ud83d\\ude00', '\\n', '\\"', '\u00e9', '\u{1F600}', '\x01', '\t', '\x1b', '\x7f', '\\u0041',
  Buffer.from([0xff]), Buffer.from([0xc0, 0xaf]), Buffer.from([0xe2, 0x82]), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xf0, 0x9f, 0x98]),
  Buffer.from([0x80]), Buffer.from([0xf4, 0x90, 0x80, 0x80])];

const join = pieces => Buffer.concat(pieces.map(p => (typeof p === 'string' ? Buffer.from(p) : p)));

/** What a browser would read: U+FFFD for what is no UTF-8, raw control bytes taken as they are, half pairs replaced. */
function oracle(raw) {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw)
    .replace(/[\x00-\x1f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return JSON.parse(`"${text}"`).toWellFormed();
}

test('drawn payloads: none is lost, each says what JavaScript reads, and every message is strict UTF-8 and JSON', async t => {
  const seed = drawnSeed(7), random = new Random(seed);
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/srv/odd' });
  const board = await Board.connect(t, daemon);
  await runHook(daemon.home, agent.start());
  for (let i = 1; i <= CASES; i++) {
    const raw = join(['p', ...Array.from({ length: 1 + random.below(8) }, () => random.pick(PIECES)), `.${i}`]);
    const odd = random.pick(['', '"deep":' + '['.repeat(1000) + ']'.repeat(1000) + ',', '"n":1e999,', '"n":' + '9'.repeat(400) + ',',
      '"n":NaN,', '"x":{"\\ud800":"\xff"},', '"prompt":"first",', '"path":"C:\\Users",']);
    const payload = join([random.pick(['', '\ufeff', ' \r\n']), `{"session_id":"${agent.id}",${odd}"hook_event_name":"UserPromptSubmit","prompt":"`, raw, '"}',
      random.pick(['', '\n', '\r\n', ' trailing', '\0', '{"session_id":1}'])]);
    await runHook(daemon.home, payload);
    const session = await board.session(agent.id, s => s.promptCount === i, `seed ${seed}, case ${i}: ${payload.toString('latin1')}`);
    // A prompt for people has no blanks at its ends, and shows what would not be seen: those are the text's own tests.
    const plain = s => s.replace(/[\x00-\x20\x7f]|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}/g, '');
    assert.equal(plain(session.currentPrompt), plain(oracle(raw)), `seed ${seed}, case ${i}`);
  }
  for (const where of ['/api/sessions', '/api/health', '/api/hook-stats', '/api/mq-stats']) {
    const bytes = Buffer.from(await (await daemon.fetch(where)).arrayBuffer());
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  }
  assert.equal((await daemon.get('/api/health')).refused.events, 0);
});

test('a request and the end of a turn with half a character are seen', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/srv/odd' });
  const board = await Board.connect(t, daemon);
  const payload = (event, rest) => `{"session_id":"${agent.id}","hook_event_name":"${event}","cwd":"/srv/odd",${rest}}`;
  await runHook(daemon.home, payload('PermissionRequest', '"tool_name":"Bash","tool_input":{"command":"echo \\ud83d"}'));
  const asked = await board.session(agent.id, s => s.attention?.kind === 'approval', 'the request');
  assert.equal(asked.attention.detail, 'echo \ufffd');
  await runHook(daemon.home, payload('Stop', '"last_assistant_message":"done \\ud83d"'));
  const done = await board.session(agent.id, s => s.attention?.kind === 'finished', 'the end');
  assert.equal(done.attention.text, 'done \ufffd');
});

test('what is refused is counted by reason, kept masked and bounded, and told', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/srv/odd' });
  const board = await Board.connect(t, daemon);
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  await runHook(daemon.home, `{"session_id":"a","hook_event_name":"Stop", token ${secret}`);
  await runHook(daemon.home, '{"session_id":"a","hook_event_name":"Stop"');
  await runHook(daemon.home, '{"hook_event_name":"Stop"}');
  for (let i = 0; i < 120; i++) await runHook(daemon.home, `{"session_id":"a","n":${i}}`);
  await runHook(daemon.home, agent.start());
  await board.session(agent.id);
  const { refused, hints, status } = await daemon.get('/api/health');
  assert.equal(status, 'ok');
  assert.deepEqual({ ...refused, lastAt: 0 }, { events: 123, 'not-json': 1, 'cut-off': 1, 'session-id': 1, 'event-name': 120, lastAt: 0 });
  assert.match(hints[0], /^123 events were not understood .*ostler doctor says more/);
  assert.match((await ostler(daemon.home, ['status'])).stdout, /note: 123 events were not understood/);
  await daemon.stop(); // what is kept is written a moment later, and at the end
  const file = path.join(daemon.home, 'refused.jsonl'), text = fs.readFileSync(file, 'utf8');
  const lines = text.trim().split('\n').map(l => JSON.parse(l));
  assert.equal(lines.length, 100);
  assert.deepEqual([lines.at(-1).reason, lines.at(-1).payload], ['event-name', '{"session_id":"a","n":119}']);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.ok(!text.includes(secret));
  const doctor = await ostler(daemon.home, ['doctor', '--json']);
  const line = doctor.stdout.trim().split('\n').map(l => JSON.parse(l)).find(l => l.check === 'events');
  assert.match(line.what, /^100 of those kept were not understood/);
  await daemon.start();
});

const OTHERS = {
  'a FIFO': file => execFileSync('mkfifo', [file]),
  'a link to /dev/zero': file => fs.symlinkSync('/dev/zero', file),
  'a link elsewhere': file => fs.symlinkSync(`${path.dirname(path.dirname(file))}/elsewhere`, file),
  'a directory': file => fs.mkdirSync(file),
  "another user's file": file => { fs.writeFileSync(file, ''); fs.chownSync(file, 12345, 12345); },
};
for (const [name, put] of Object.entries(OTHERS))
  test(`${name} in the place of the active segment, and of a sealed one: nothing waits, nothing is written there, no event is lost`, async t => {
    if (/user/.test(name) && process.getuid() !== 0) return t.skip('takes root');
    const home = makeHome(t), agent = new Agent({ cwd: '/srv/odd' });
    fs.mkdirSync(spool(home), { mode: 0o700 });
    fs.writeFileSync(path.join(home, 'elsewhere'), 'mine');
    put(spool(home, 'active'));
    put(spool(home, '00000000000000000007.seg'));
    await runHook(home, agent.start());
    const daemon = await startDaemon(t, { home });
    const board = await Board.connect(t, daemon);
    await board.session(agent.id);
    await runHook(home, agent.prompt('Goes on'));
    await board.session(agent.id, s => s.promptCount === 1, 'the second event');
    assert.equal(fs.readFileSync(path.join(home, 'elsewhere'), 'utf8'), 'mine');
    assert.equal(fs.readdirSync(spool(home)).filter(f => f.startsWith('set-aside-')).length, 1);
  });

test("a spool directory of another user's: nothing is written there, and the daemon says so", async t => {
  if (process.getuid() !== 0) return t.skip('takes root');
  const daemon = await startDaemon(t), agent = new Agent({ cwd: '/srv/odd' });
  await runHook(daemon.home, new Agent({ cwd: '/srv/odd' }).start());
  cleanup(t, () => fs.chownSync(spool(daemon.home), 0, 0));
  fs.chownSync(spool(daemon.home), 12345, 12345);
  const before = fs.statSync(spool(daemon.home, 'active')).size;
  await runHook(daemon.home, agent.start());
  assert.equal((await daemon.post(agent.start())).status, 503);
  assert.equal(fs.statSync(spool(daemon.home, 'active')).size, before);
  fs.chownSync(spool(daemon.home), 0, 0);
  await runHook(daemon.home, agent.start());
  await (await Board.connect(t, daemon)).session(agent.id);
});
