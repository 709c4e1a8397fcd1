// Bytes that mean harm, or nothing: the terminal goes on, in bounded memory and time, and shows what comes after them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { drawnSeed, Random } from './lib/random.mjs';
import { Core } from './lib/vt_core.mjs';
import { differences } from './lib/vt_compare.mjs';
import { Streams } from './lib/vt_streams.mjs';

const MEGA = 1 << 20, COLS = 80, ROWS = 24, SCROLLBACK = 1000;
const EXTRA_BYTES = 2 * MEGA; /* what a screen with its scrollback may cost more than an empty one */
const LATEST_MS = 20_000; /* generous: sanitizers, and a machine that does other things */
const ROUNDS = Number(process.env.HOSTILE_ROUNDS) || 60;
const seed = drawnSeed(1);

function start(t) {
  const core = new Core();
  cleanup(t, async () => assert.equal(await core.close(), 0, 'vt_driver ends well: no leak, nothing undefined'));
  return core.create(COLS, ROWS, SCROLLBACK);
}

async function survive(core, pieces) {
  const begun = performance.now(), before = await core.memory();
  for (const piece of pieces) core.feed(Buffer.from(piece, 'latin1'));
  const during = await core.memory();
  core.feed(Buffer.from('\x18\x1b\\\x1bc\x1b[?1049l\x1b]2;after\x07\x1b[1;1Hstill here'));
  const { lines, title } = await core.dump();
  assert.equal(lines.at(-ROWS)[2], 'still here');
  assert.equal(title, 'after');
  assert.ok(during < before + EXTRA_BYTES, `${during - before} bytes more`);
  assert.ok(await core.memory() < before + EXTRA_BYTES, 'and none of it is kept');
  assert.ok(performance.now() - begun < LATEST_MS, `${Math.round(performance.now() - begun)} ms`);
}

const many = (n, make) => Array.from({ length: n }, (_, i) => make(i));
const HOSTILE = {
  'a string of 8 MB in a title': [`\x1b]2;${'x'.repeat(8 * MEGA)}`, '\x07'],
  'strings without an end': many(500, i => `\x1b]${i};${'y'.repeat(9000)}`),
  'a link of 8 MB': [`\x1b]8;;http://${'x'.repeat(8 * MEGA)}`, '\x07text\x1b]8;;\x07'],
  'a hundred thousand links': many(100, i => many(1000, j => `\x1b]8;;http://${i}.${j}/${'z'.repeat(100)}\x07a`).join('')),
  'links of the longest kind': many(300, i => many(10, j => `\x1b]8;;http://${i}.${j}/${'z'.repeat(1900)}\x07a`).join('')),
  'a clipboard of 8 MB': [`\x1b]52;c;${'QUJD'.repeat(2 * MEGA)}`, '\x07'],
  'sixel': [`\x1bPq${'#0;2;0;0;0~~@@vv$-'.repeat(400_000)}`, '\x1b\\'],
  'a device control string without an end': [`\x1bP$q${'m'.repeat(4 * MEGA)}`],
  'private strings': ['_', '^', 'X'].map(letter => `\x1b${letter}${'j'.repeat(2 * MEGA)}\x1b\\`),
  'huge parameters': many(63, i => many(30, j => `\x1b[${'9'.repeat(j + 1)};${'9'.repeat(j + 1)}${String.fromCharCode(0x40 + i)}`).join('')),
  'huge private parameters': many(63, i => `\x1b[?${'9'.repeat(400)};2147483647;4294967295;4294967296${String.fromCharCode(0x40 + i)}`),
  'a million parameters': [`\x1b[${'1;'.repeat(MEGA)}m`, `\x1b[${'4:'.repeat(MEGA)}m`, `\x1b[${' '.repeat(MEGA)}q`],
  'the longest repetition, often': many(40, () => 'x\x1b[2147483647b中\x1b[2147483647b'),
  'scrolled by far': many(40, () => '\x1b[2147483647S\x1b[2147483647T\x1b[2147483647L\x1b[2147483647M\x1b[2147483647I\x1b[2147483647Z'),
  'a million combining characters': [`e${'\xcc\x81'.repeat(MEGA)}`],
  'each cell with many of them': many(60, () => `${`e${'\xcc\x81\xcc\x88'.repeat(30)}`.repeat(COLS)}\r\n`),
  'each cell with others': many(200, i => `${many(COLS, j => `e${Buffer.from(String.fromCodePoint(0x300 + (i + j) % 100, 0x300 + (i * 7 + j) % 112, 0x483 + (j % 4))).toString('latin1')}`).join('')}\r\n`),
  'a colour for each of a million cells': many(200, i => many(5000, j => `\x1b[38;2;${(i * 5000 + j) & 255};${((i * 5000 + j) >> 8) & 255};${((i * 5000 + j) >> 16) & 255}mc`).join('')),
  'titles pushed without end': [`\x1b]2;${'t'.repeat(1000)}\x07${'\x1b[22;0t'.repeat(100_000)}`],
  'screens switched without end': ['\x1b[?1049hx\x1b[?1049l\x1b[?47h\x1b[?1047l'.repeat(20_000)],
  'saved without end': ['\x1b7\x1b8\x1b[s\x1b[u'.repeat(100_000)],
  'escapes only': ['\x1b'.repeat(MEGA), '\x9b'.repeat(MEGA), '\xc2\x9b'.repeat(MEGA >> 1)],
  'nothing but continuation bytes': ['\x80'.repeat(MEGA), '\xf0'.repeat(MEGA), '\xe2\x82'.repeat(MEGA >> 1)],
  'zeroes': ['\0'.repeat(4 * MEGA)],
};

for (const [name, pieces] of Object.entries(HOSTILE)) test(name, t => survive(start(t), pieces));

test('sizes beyond reason are brought inside', async t => {
  const core = start(t), random = new Random(3);
  for (const [cols, rows] of [[0, 0], [1, 1], [65535, 65535], [2, 500], [1000, 1], [0, 65535]]) {
    core.resize(cols, rows).feed(Buffer.from('\x1b[2J\x1b[Hab\x1b[9999;9999Hc'));
    const dump = await core.dump();
    assert.ok(dump.cols >= 2 && dump.cols <= 1000 && dump.rows >= 1 && dump.rows <= 500, `${cols}×${rows} became ${dump.cols}×${dump.rows}`);
    assert.deepEqual([dump.cursorCol, dump.cursorRow], [dump.cols, dump.rows - 1]);
    core.feed(Buffer.from(`${'w'.repeat(random.below(3000))}\r\n`));
  }
});

test('ten thousand sizes', async t => {
  const core = start(t), random = new Random(seed), begun = performance.now();
  for (let i = 0; i < 3000; i++) core.feed(Buffer.from(`${'long line 中文 '.repeat(random.below(30))}\x1b[3${i % 8}m\r\n`));
  const before = await core.memory();
  for (let i = 0; i < 10_000; i++) {
    core.resize(random.between(2, 200), random.between(1, 60));
    if (i % 10 === 0) core.feed(Buffer.from(`${random.below(1000)} ${i % 3 ? '\r\n' : '中'}`));
    if (i % 500 === 0) assert.ok(await core.memory() < 4 * before + EXTRA_BYTES);
  }
  const { lines, rows, scrollback } = await core.dump();
  assert.equal(lines.length, rows + scrollback);
  assert.ok(scrollback <= SCROLLBACK);
  assert.ok(performance.now() - begun < 2 * LATEST_MS, `${Math.round(performance.now() - begun)} ms`);
});

test('a new program below the old one: what was there goes up, and nothing else stays', async t => {
  const core = start(t);
  core.feed(Buffer.from('one\r\ntwo\r\n\x1b[31;4mthree\x1b[?1h\x1b[?25l\x1b[?2004h\x1b[?1003;1006h\x1b[4h\x1b[3;9r\x1b[?6h\x1b(0\x1b]8;;http://x\x07\x1b[?1049hgone\x1b]2;half'));
  core.restart().feed(Buffer.from('qnew'));
  const dump = await core.dump(), fresh = start(t);
  fresh.feed(Buffer.from('qnew'));
  const clean = await fresh.dump();
  assert.deepEqual(dump.modes, clean.modes);
  assert.deepEqual([dump.cursorVisible, dump.alternate], [true, false]);
  const text = dump.lines.map(([, , cells]) => cells ?? '').filter(Boolean);
  assert.deepEqual(text.slice(0, 3), ['one', 'two', 'three']);
  assert.equal(text.at(-1), 'qnew');
});

test(`bytes without any sense, seed ${seed}`, async t => {
  const core = start(t), random = new Random(seed), streams = new Streams(random);
  const noise = () => Array.from({ length: random.between(1, 400) }, () =>
    (random.chance(0.15) ? '\x1b' : random.chance(0.1) ? '\x1b[' : String.fromCharCode(random.chance(0.5) ? random.between(0x20, 0x7e) : random.below(256)))).join('');
  const act = () => random.weighted([[20, () => core.feed(Buffer.from(noise(), 'latin1'))], [20, () => feedCase()], [4, () => core.resize(random.between(0, 120), random.between(0, 50))], [1, () => core.gap()],
    [0.5, () => core.restart()], [1, () => core.reload()], [1, () => core.copy(random.below(100))]])();
  const feedCase = () => {
    for (const step of streams.one().steps) if (typeof step === 'string') core.feed(Buffer.from(step, 'latin1'));
  };
  for (let i = 0; i < ROUNDS; i++) {
    for (let j = 0; j < 40; j++) act();
    const dump = await core.dump();
    assert.equal(dump.lines.length, dump.rows + dump.scrollback);
    assert.ok(dump.cursorCol <= dump.cols && dump.cursorRow < dump.rows);
    core.reload();
    assert.deepEqual(differences(await core.dump(), dump), [], 'saved and loaded');
    assert.ok(await core.memory() < 6 * EXTRA_BYTES);
  }
});

test(`a saved terminal that was damaged, seed ${seed}`, async t => {
  const core = start(t), random = new Random(seed), streams = new Streams(random);
  const use = () => core.feed(Buffer.from('more 中e\u0301\x1b[31m\r\n\x1b[5A\x1b[2L\x1b[?1049h\x1b[?1049l\x1b8')).resize(50, 12).resize(COLS, ROWS);
  for (let i = 0; i < 6; i++) {
    core.create(random.between(2, 40), random.between(1, 12), 50);
    for (const step of streams.one().steps) if (typeof step === 'string') core.feed(Buffer.from(step, 'latin1'));
    const saved = await core.save();
    for (let cut = 0; cut < saved.length; cut += random.between(1, 1 + saved.length / 300)) use(core.load(saved.subarray(0, cut)));
    for (let j = 0; j < 300; j++) {
      const bytes = Buffer.from(saved);
      for (let n = random.between(1, 4); n > 0; n--) bytes[random.below(bytes.length)] = random.pick([0, 255, random.below(256)]);
      use(core.load(bytes));
    }
    const dump = await core.dump();
    assert.equal(dump.lines.length, dump.rows + dump.scrollback);
    assert.match(dump.events, /^not loaded:./m, 'a sentence says why');
    assert.ok(await core.memory() < 6 * EXTRA_BYTES);
  }
});
