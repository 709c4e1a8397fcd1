// Our terminal against xterm.js, which shows the same terminals in the page: recorded programs and thousands of drawn streams give
// the same cells, attributes, cursor and modes, however they are cut; a snapshot brings both to the same screen; what was saved is
// loaded. ORACLE_CASES=100000 draws more, OSTLER_SEED=… others.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import unicode11 from '@xterm/addon-unicode11';
import { cleanup } from './lib/cleanup.mjs';
import { ROOT } from './lib/daemon.mjs';
import { drawnSeed, Random } from './lib/random.mjs';
import { Core } from './lib/vt_core.mjs';
import { Streams } from './lib/vt_streams.mjs';
import { cutSomewhere, explain, tryBytes, trySame, trySaved, trySnapshot } from './lib/vt_trials.mjs';
import { Oracle, Widths } from './lib/xterm_oracle.mjs';

const CASES = Number(process.env.ORACLE_CASES) || 2400, BATCH = 50, SHOWN = 8;
const SCROLLBACK = 1000, CUT_TWICE_BYTES = 4500;
const FIXTURES = path.join(ROOT, 'test/fixtures/tty');

const fixtures = fs.readdirSync(FIXTURES).filter(name => name.endsWith('.bin')).map(name => {
  const [, cols, rows] = /\.(\d+)x(\d+)\.bin$/.exec(name);
  return { name, cols: Number(cols), rows: Number(rows), scrollback: SCROLLBACK, steps: [fs.readFileSync(path.join(FIXTURES, name), 'latin1')] };
});

let widths;
async function makePair(t) {
  const core = new Core();
  cleanup(t, async () => assert.equal(await core.close(), 0, 'vt_driver ends well: no leak, nothing undefined'));
  widths ??= new Widths(await core.widths());
  return { core, oracle: new Oracle(widths) };
}

test('widths: those of the page, and of characters newer than Unicode 11', async t => {
  let addon;
  new unicode11.Unicode11Addon().activate({ unicode: { register: provider => { addon = provider; } } });
  const { oracle: { widths: ours } } = await makePair(t), changed = [];
  for (let code = 0xa0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const known = addon.wcwidth(code), text = String.fromCodePoint(code);
    const newer = known === 1 && (ours.wcwidth(code) === 2 ? /\p{Emoji_Presentation}|\p{Lo}|\p{Lm}|\p{Mc}/u : /\p{Mn}|\p{Me}|\p{Cf}/u).test(text);
    if (ours.wcwidth(code) !== known && !newer) changed.push(`U+${code.toString(16)}: ${ours.wcwidth(code)}, xterm.js ${known}`);
  }
  assert.deepEqual(changed, []);
  assert.deepEqual(['🫠', '🪿', '🫨', '中', 'é', '\u0301', '😀', '─', '⠋', '\u200d', '\ufe0f'].map(text => ours.wcwidth(text.codePointAt(0))), [2, 2, 2, 2, 1, 0, 2, 1, 1, 0, 0]);
});

/** The stream in `n` pieces of about the same size. */
function inPieces(fixture, n) {
  const [text] = fixture.steps, size = Math.ceil(text.length / n);
  return { ...fixture, steps: Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size)) };
}

for (const fixture of fixtures)
  test(`recorded: ${fixture.name}`, async t => {
    const pair = await makePair(t), random = new Random(7), wrong = [];
    const check = async (trial, one, tries = 300) => {
      if (wrong.length < 3 && (await trial(pair, one)).length) wrong.push(`${trial.name}: ${await explain(pair, trial, one, tries)}`);
    };
    await check(trySame, fixture);
    for (let i = 0; i < 6; i++) await check(trySame, { ...fixture, steps: [fixture.steps[0].slice(0, random.below(fixture.steps[0].length))] });
    for (let i = 0; i < 4; i++) {
      const pieces = inPieces(fixture, 9), at = random.between(1, pieces.steps.length - 1), streams = new Streams(random);
      Object.assign(streams, { cols: fixture.cols, rows: fixture.rows });
      await check(trySame, { ...pieces, steps: [...pieces.steps.slice(0, at), streams.resize(), ...pieces.steps.slice(at), streams.resize(), streams.resize()] });
    }
    await check(tryBytes, fixture);
    for (let i = 0; i < 5; i++) {
      const cut = random.below(fixture.steps[0].length), one = { ...fixture, cut: 1, steps: [fixture.steps[0].slice(0, cut), fixture.steps[0].slice(cut)] };
      await check(trySnapshot, one);
      await check(trySaved, one);
    }
    assert.equal(wrong.join('\n'), '');
  });

test('recorded: cut in two at every byte', async t => {
  const { core } = await makePair(t);
  for (const { name, cols, rows, scrollback, steps } of fixtures.filter(({ steps: [text] }) => text.length <= CUT_TWICE_BYTES)) {
    core.create(cols, rows, scrollback);
    assert.deepEqual(await core.cuts(Buffer.from(steps[0], 'latin1')), [], `${name}: cut there, it shows something else`);
  }
});

/** More than a table can hold, most of it gone from the screen again: what is still there keeps what it had. */
const FLOODS = {
  styles: (random, n) => `\x1b[${random.pick([0, 1, 3, 4, 9])};38;2;${random.below(256)};${random.below(256)};${random.below(256)};48;5;${random.below(256)}m${n % 10}`,
  links: (random, n) => `\x1b]8;${random.chance(0.5) ? `id=${n % 7}` : ''};http://example.org/${n}\x07${n % 10}`,
  clusters: random => Buffer.from(`e${String.fromCodePoint(...Array.from({ length: random.between(1, 5) }, () => random.between(0x300, 0x36f)))}`).toString('latin1'),
};

for (const [name, draw] of Object.entries(FLOODS))
  test(`drawn: a flood of ${name}`, async t => {
    const pair = await makePair(t), random = new Random(11), steps = [];
    for (let i = 0; i < (name === 'links' ? 25 : 150); i++) steps.push(Array.from({ length: 1000 }, (_, j) => draw(random, i * 1000 + j)).join('') + (i % 9 ? '' : '\x1b[2J\x1b[H'));
    assert.deepEqual((await trySame(pair, { cols: 80, rows: 24, scrollback: 60, steps })).slice(0, 9), []);
    assert.deepEqual((await trySaved(pair, { cols: 80, rows: 24, scrollback: 60, steps: steps.slice(-25), cut: 20 })).slice(0, 9), []);
  });

async function checkDrawn(t, trial, seed, cases, change = one => one) {
  const pair = await makePair(t), random = new Random(seed), streams = new Streams(random), wrong = [];
  let failed = 0;
  for (let done = 0; done < cases; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, cases - done) }, () => change(streams.one(), random));
    const verdicts = await Promise.all(batch.map(one => trial(pair, one)));
    for (const [i, found] of verdicts.entries()) {
      if (!found.length) continue;
      failed++;
      if (wrong.length < SHOWN) wrong.push(await explain(pair, trial, batch[i]));
    }
  }
  assert.equal(wrong.join('\n'), '', `${failed} of ${cases} cases differ, OSTLER_SEED=${seed}`);
}

for (const seed of [1, drawnSeed(2)]) {
  const n = CASES / 2;
  test(`drawn, seed ${seed}: the same as xterm.js`, t => checkDrawn(t, trySame, seed, n));
  test(`drawn, seed ${seed}: byte by byte`, t => checkDrawn(t, tryBytes, seed, n >> 1));
  test(`drawn, seed ${seed}: a snapshot anywhere`, t => checkDrawn(t, trySnapshot, seed, n >> 1, (one, random) => cutSomewhere(random, one)));
  test(`drawn, seed ${seed}: saved and loaded anywhere`, t => checkDrawn(t, trySaved, seed, n >> 1, (one, random) => cutSomewhere(random, one)));
}
