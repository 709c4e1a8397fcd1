// The recordings of one CLI, with the assertions that the real one had to pass.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { CLIS } from './cli/index.mjs';
import { OPEN, openReason } from './open.mjs';
import { RECORDINGS, ReplayStage } from './replay.mjs';
import { scenariosOf } from './scenarios/index.mjs';

const AT_ONCE = 4; // they mostly wait

export function replayAll(name) {
  const cli = CLIS[name], scenarios = scenariosOf(cli);
  describe(name, { concurrency: AT_ONCE }, () => {
    for (const [scenario, { title, play, gapMs }] of scenarios)
      test(title, { skip: openReason(name, scenario) }, async t => {
        const stage = await ReplayStage.set(t, cli, { name: scenario, gapMs });
        await play(stage);
        await stage.over();
      });
    test('every recording is played', () => {
      const recorded = fs.readdirSync(path.join(RECORDINGS, name)).map(file => path.basename(file, '.jsonl'));
      const expected = scenarios.map(([scenario]) => scenario).filter(scenario => !OPEN[name]?.[scenario]?.live);
      assert.deepEqual(recorded.toSorted(), expected.toSorted());
    });
  });
}
