// The driver of make chaos: the same seed draws the same, and what is lost, repeated or out of order is noticed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { Marks, MAYBE, NEVER, SURE, wrongMarks } from '../chaos/marks.mjs';
import { aroundFaults, lifeFaults } from '../chaos/plan.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD } from './lib/daemon.mjs';

const first = (n, faults) => Array.from({ length: n }, () => faults.next().value);

test('the same seed draws the same faults, another one others', () => {
  for (const draw of [seed => lifeFaults(seed, 'storm'), seed => lifeFaults(seed, 'calm'), seed => lifeFaults(seed, 'quick'), aroundFaults]) {
    assert.deepEqual(first(200, draw(7)), first(200, draw(7)));
    assert.notDeepEqual(first(200, draw(7)), first(200, draw(8)));
  }
  const met = new Set(first(500, lifeFaults(7, 'storm')).map(({ fault }) => fault));
  assert.deepEqual([...met].sort(), ['descriptors', 'diskFull', 'hang', 'hangKill', 'kill', 'restart', 'term', 'termKill']);
});

test('lost, twice, strange and out of order are told apart', () => {
  const marks = new Marks('a', '/srv');
  marks.fates = [SURE, SURE, MAYBE, NEVER, SURE];
  const wrong = numbers => wrongMarks(marks, numbers).map(sentence => /\d+ ([a-z ]+),/.exec(sentence)[1]);
  assert.deepEqual(wrong([0, 1, 4]), []);
  assert.deepEqual(wrong([0, 1, 2, 4]), []);
  assert.deepEqual(wrong([0, 4]), ['lost']);
  assert.deepEqual(wrong([0, 1, 1, 4]), ['twice']);
  assert.deepEqual(wrong([0, 1, 3, 4]), ['strange']);
  assert.deepEqual(wrong([0, 1, 4, 9]), ['strange']);
  assert.deepEqual(wrong([1, 0, 4]), ['out of order']);
  assert.deepEqual(wrong(undefined), ['lost']);
});

/** The programs under test, with this in the hook's place. */
function buildWith(t, hook) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-sabotage-'));
  cleanup(t, () => fs.rmSync(dir, { recursive: true }));
  for (const name of ['ostler', 'ostler-keeper']) fs.copyFileSync(path.join(BUILD, name), path.join(dir, name));
  fs.writeFileSync(path.join(dir, 'ostler-hook'), hook, { mode: 0o700 });
  return dir;
}

test('a hook that loses an event is found out, with the seed and the home to look at', { timeout: 240_000 }, async t => {
  const build = buildWith(t, `#!/bin/sh\nread -r event\ncase $event in *mark-3*) exit 0;; esac\nexec '${BUILD}/ostler-hook' "$@" <<END\n$event\nEND\n`);
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../chaos/run.mjs'), '--seed', '3', '--minutes', '0.1'],
    { env: { ...process.env, OSTLER_BUILD: build }, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', text => { said += text; });
  const [code] = await once(child, 'close');
  const [, kept] = /the home is kept in (.*)\n$/.exec(said) ?? [];
  cleanup(t, () => kept && fs.rmSync(path.dirname(kept), { recursive: true }));
  assert.equal(code, 1, said);
  assert.match(said, /BROKEN at minute [\d.]+: each event is applied once and in order\n {2}hook-\d: \d+ lost, as 3/);
  assert.match(said, /^seed 3: \d+ broken/m);
  assert.ok(fs.existsSync(path.join(kept, 'ostler.db')));
});
