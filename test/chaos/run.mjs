// make chaos: everything at once, for some minutes, and then a look at whether anything was lost.
//
//     node run.mjs [--seed N] [--minutes M] [--kills K]
//
// Runs what is in OSTLER_BUILD (build/). The same seed draws the same faults. Ends with 1 when an invariant is broken, and keeps the home.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const ROOT = path.resolve(import.meta.dirname, '../..');
const USAGE = `usage: run.mjs [--seed N] [--minutes M] [--kills K]
  --seed N      draw the same faults again (default: a new one, which is printed)
  --minutes M   how long, 10 without it; the last third of it has no kills
  --kills K     as many kill -9 of the daemon as fast as it comes back, instead of the minutes
`;

function options() {
  try {
    const { values } = parseArgs({ options: { seed: { type: 'string' }, minutes: { type: 'string' }, kills: { type: 'string' }, help: { type: 'boolean' } } });
    const number = (name, otherwise) => {
      const n = values[name] === undefined ? otherwise : Number(values[name]);
      if (!(n >= 0)) throw new Error(`--${name} takes a number`);
      return n;
    };
    if (values.help) throw new Error();
    return { seed: number('seed', Date.now() % 2 ** 32), minutes: number('minutes', 10), kills: number('kills', 0) };
  } catch (error) {
    process.stderr.write(error.message ? `run.mjs: ${error.message}\n${USAGE}` : USAGE);
    process.exit(error.message ? 2 : 0);
  }
}

/** Where mounts are nobody else's, so that the home can be a small disk; as it is where that is not allowed. */
function inOwnMounts() {
  if (process.env.OSTLER_CHAOS_INSIDE) return false;
  for (const unshare of [['-m'], ['-rm']]) {
    if (spawnSync('unshare', [...unshare, 'true']).status !== 0) continue;
    const inside = spawnSync('unshare', [...unshare, process.execPath, ...process.argv.slice(1)],
      { stdio: 'inherit', env: { ...process.env, OSTLER_CHAOS_INSIDE: '1' } });
    process.exit(inside.status ?? 1);
  }
  return false;
}

async function main() {
  const wanted = options();
  process.env.OSTLER_BUILD ??= path.join(ROOT, 'build');
  process.env.ASAN_OPTIONS = [process.env.ASAN_OPTIONS, 'quarantine_size_mb=8'].filter(Boolean).join(':'); // memory that is freed is given back
  inOwnMounts();
  if (!fs.existsSync(path.join(process.env.OSTLER_BUILD, 'ostler'))) {
    process.stderr.write(`run.mjs: no ostler in ${process.env.OSTLER_BUILD}: make build\n`);
    process.exit(2);
  }
  const { Run } = await import('./scenario.mjs');
  process.exit(await new Run(wanted).toTheEnd() ? 0 : 1);
}

await main();
