// Every scenario with every CLI that can do it, the real ones. What they did is recorded, how long the board took is noted.
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { CLIS } from './cli/index.mjs';
import { LiveStage } from './live.mjs';
import { OPEN } from './open.mjs';
import { recordingFile } from './replay.mjs';
import { scenariosOf } from './scenarios/index.mjs';
import { Table } from './table.mjs';

const { agents } = JSON.parse(process.env.OSTLER_REAL_AGENTS);
const table = new Table();
after(() => table.write());

const words = JSON.parse(process.env.OSTLER_REAL_WORDS ?? '[]');
const wanted = title => words.length === 0 || words.some(word => title.includes(word));

/** OSTLER_REAL_KEEP names a directory for the homes of scenarios that failed: what the CLI and the hooks wrote is in them. */
function keepHome({ home, cli }, name) {
  if (!process.env.OSTLER_REAL_KEEP) return;
  const kept = path.join(process.env.OSTLER_REAL_KEEP, `${cli.id}-${name}`);
  fs.rmSync(kept, { recursive: true, force: true });
  fs.cpSync(home, kept, { recursive: true, filter: file => !fs.lstatSync(file).isSocket() });
}

for (const cli of Object.values(CLIS)) {
  for (const [name, scenario] of scenariosOf(cli)) {
    if (!wanted(`${cli.id}: ${scenario.title}`)) continue;
    const skip = words.length === 0 && OPEN[cli.id]?.[name]?.live; // by name it is tried all the same
    test(`${cli.id}: ${scenario.title}`, { timeout: 240_000, skip }, async t => {
      const stage = await LiveStage.set(t, cli, { ...agents[cli.name], scenario: name });
      try {
        await scenario.play(stage);
      } catch (error) {
        keepHome(stage, name);
        const did = stage.recorder.calls.map(call => call.event).join(' ');
        throw new Error(`${error.message}\nwhat it did: ${did}\nits screen:\n${await stage.agents.at(-1)?.place.screen?.()}`, { cause: error });
      }
      table.add(cli, name, stage.measures);
      const file = recordingFile(cli.id, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, stage.recorder.text());
      stage.checkTimes();
    });
  }
}
