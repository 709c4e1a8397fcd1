// The rates that docs/secrets.md promises, on the corpus: rates.test.mjs PROGRAM.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { corpus } from './corpus.mjs';
import { alarms, found, mask, rate } from './measure.mjs';
import { ordinaryText } from './ordinary.mjs';
import { Random } from './random.mjs';

const program = process.argv[2];

test('of the shapes that the rules were tuned with, 99 in 100 are found', () => {
  const missed = found(program, corpus('tuned')).filter(c => !c.found);
  assert.ok(missed.length <= 8, missed.map(c => `${c.kind}, ${c.shape}`).join('; '));
});

test("of another author's kinds and shapes, which are tuned to since, 97 in 100 are found", () => {
  assert.ok(rate(found(program, corpus('fresh'))) >= 0.97);
});

test('of the shapes that nobody tuned to, 97 in 100 are found', () => {
  assert.ok(rate(found(program, corpus('held out'))) >= 0.97);
});

test('ordinary output gives no more than one false alarm in a megabyte', () => {
  const bytes = Buffer.from(ordinaryText(new Random(7), 2e6));
  const [got] = mask(program, [{ cols: 120, rows: 40, bytes }]);
  const runs = alarms(bytes, got);
  assert.ok(runs.length <= 2, runs.slice(0, 5).map(([from, to]) => bytes.toString('utf8', from - 40, to + 10)).join('\n'));
});
