// What `ostler attach` lets through to a person's terminal, judged by another one: xterm.js is asked nothing and told nothing but
// what is drawn, and programs that were recorded look the same.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD, ROOT } from './lib/daemon.mjs';
import { drawnSeed, Random } from './lib/random.mjs';
import { Streams } from './lib/vt_streams.mjs';
import { Oracle } from './lib/xterm_oracle.mjs';

const FIXTURES = path.join(ROOT, 'test/fixtures/tty'), SCROLLBACK = 1000;
const ROUNDS = Number(process.env.FILTER_ROUNDS) || 300, seed = drawnSeed(1);

/** The filter, as test/term/filter_driver has it at the other end of a pipe. */
class Filter {
  #waiting = [];
  #bytes = Buffer.alloc(0);

  constructor(t) {
    this.child = spawn(path.join(BUILD, 'test/term/filter_driver'), { stdio: ['pipe', 'pipe', 'inherit'] });
    const ended = new Promise(resolve => this.child.on('close', resolve));
    cleanup(t, async () => {
      this.child.stdin.end();
      assert.equal(await ended, 0, 'filter_driver ends well: no leak, nothing undefined');
    });
    this.child.stdout.on('data', piece => {
      this.#bytes = Buffer.concat([this.#bytes, piece]);
      for (let n; this.#bytes.length >= 4 && this.#bytes.length >= (n = this.#bytes.readUInt32LE(0) + 4); this.#bytes = this.#bytes.subarray(n))
        this.#waiting.shift()(Buffer.from(this.#bytes.subarray(4, n)));
    });
  }

  pass(bytes) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    this.child.stdin.write(Buffer.concat([length, bytes]));
    return new Promise(resolve => this.#waiting.push(resolve));
  }
}

const MODES = '(?:1|6|7|9|12|25|45|47|66|100[0-6]|1015|1016|1047|1048|1049|2004|2026)';
const SEQUENCE = new RegExp([
  '[\\x07-\\x0f\\x20-\\x7e]', '[\\u00a0-\\ufefe\\uff00-\\u{10ffff}]', // text, and controls that move
  '\\x1b[78DEHM=>no]', '\\x1b#8', '\\x1b[()*+][B0A4C5RQKYE6ZH7=]',
  '\\x1b\\[\\d{0,4}(?:;\\d{1,4})?[A-IL-MPSTXZ@`abdefrsu]', '\\x1b\\[\\??[012]?[JK]', '\\x1b\\[3?g',
  '\\x1b\\[[\\d:;]*m', '\\x1b\\[(?:4|20)[hl]', `\\x1b\\[\\?${MODES}[hl]`,
  '\\x1b\\[[0-6]? q', '\\x1b\\[[012]?"q', '\\x1b\\[!p', "\\x1b\\[\\d{0,4}'[}~]", '\\x1b\\[\\d{0,4} [@A]',
  '\\x1b\\]8;(?:id=[\\w.-]+)?;(?:(?:https?://|mailto:)[!-~]+)?\\x1b\\\\',
].join('|'), 'yu');

/** The bytes are a row of such sequences and nothing else. */
function checkListed(bytes, what) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  SEQUENCE.lastIndex = 0;
  for (let at = 0; at < text.length; at = SEQUENCE.lastIndex)
    assert.ok(SEQUENCE.test(text), `${what}: ${JSON.stringify(text.slice(at, at + 60))} is on no list`);
}

function play(bytes, { cols, rows }) {
  const oracle = new Oracle();
  oracle.create(cols, rows, SCROLLBACK);
  oracle.feed(bytes);
  return oracle;
}

for (const name of fs.readdirSync(FIXTURES).filter(file => file.endsWith('.bin')))
  test(`${name} looks the same`, async t => {
    const [cols, rows] = /\.(\d+)x(\d+)\.bin$/.exec(name).slice(1).map(Number);
    const bytes = fs.readFileSync(path.join(FIXTURES, name)), passed = await new Filter(t).pass(bytes);
    checkListed(passed, name);
    const here = play(passed, { cols, rows }), there = play(bytes, { cols, rows });
    assert.equal(here.replies, '');
    const seen = ({ lines, cursorCol, cursorRow, cursorVisible, alternate }) => ({ lines: lines.slice(-rows), cursorCol, cursorRow, cursorVisible, alternate });
    assert.deepEqual(seen(here.dump()), seen(there.dump()));
  });

const QUESTIONS = ['\x1b]052;c;?\x07', '\x1b]010;?\x07', '\x1b]4;1;?\x07', '\x1b]5522;type=read\x1b\\', '\x1b]99;i=1:p=?\x1b\\', '\x1b]60\x07', '\x1b[c', '\x1b[>c', '\x1b[06n',
  '\x1b[?996n', '\x1b[>q', '\x1bP$qm\x1b\\', '\x1bP+q544e\x1b\\', '\x1b_Gi=1,a=q;AAAA\x1b\\', '\x1b[?u', '\x1b[14t', '\x1b[21t', '\x1b[?2026$p', '\xc2\x9b6n', '\xc2\x9d11;?\xc2\x9c',
  '\x9b6n', '\x05', '\x1bZ', '\x1b]0;t\x07', '\x1b]52;c;eA==\x1b\\', '\x1b[8;9;9t', '\x1b]1337;File=:eA==\x07', '\x1b]9;n\x07', '\x1b[3J', '\x1bc', '\x1b]8;;file:///x\x07'];

test('drawn output, with every question between: xterm.js answers nothing', async t => {
  const filter = new Filter(t), random = new Random(seed);
  for (let round = 0; round < ROUNDS; round++) {
    const { cols, rows, steps } = new Streams(random).one();
    const pieces = steps.filter(step => typeof step === 'string').flatMap(step => {
      const question = random.pick(QUESTIONS), at = random.below(step.length + 1);
      return random.chance(0.5) ? [step, question] : [step.slice(0, at), question, step.slice(at)]; // in the midst of a sequence, too
    });
    const bytes = Buffer.from(pieces.join(''), 'latin1'), passed = await filter.pass(bytes), what = `OSTLER_SEED=${seed}, round ${round}`;
    checkListed(passed, what);
    const { replies, title, terminal } = play(passed, { cols, rows });
    assert.equal(replies, '', what);
    assert.equal(title, '', what);
    assert.deepEqual([terminal.cols, terminal.rows], [cols, rows], what);
  }
});

test('without the filter it would have answered', () => {
  const bytes = Buffer.from(QUESTIONS.join(''), 'latin1');
  const { replies, title } = play(bytes, { cols: 80, rows: 24 });
  assert.notEqual(replies, '');
  assert.notEqual(title, '');
});
