// What a run says when it is over.
const LOG_LINES = 15;

const columns = rows => rows.map(([name, value]) => `  ${name.padEnd(28)} ${value}\n`).join('');

/** A line for who waits. */
export function progress(world, kills) {
  const { 'events by hook': hooks = 0, starts = 0 } = world.counts;
  return `  minute ${((Date.now() - world.begun) / 60_000).toFixed(0)}: ${kills} kills, ${starts} starts, ${hooks} events by hook\n`;
}

/** Prints figures and verdict. */
export function report(world, { kills, stormMs = 0, kept, log }) {
  const entries = Object.entries(world.counts).sort(), faults = entries.filter(([name]) => name.startsWith('fault '));
  const minutes = (Date.now() - world.begun) / 60_000, perMinute = stormMs ? (kills / (stormMs / 60_000)).toFixed(0) : '–';
  process.stdout.write(`faults\n${columns(faults.map(([name, n]) => [name.slice(6), n]))}`);
  process.stdout.write(`figures\n${columns([['minutes', minutes.toFixed(1)], ['kill -9 of the daemon', `${kills} (${perMinute} a minute)`],
    ...entries.filter(([name]) => !name.startsWith('fault ')), ...holdingRows(world)])}`);
  if (!world.problems.length) {
    process.stdout.write(`seed ${world.seed}: 0 lost, 0 twice, 0 out of order, 0 killed\n`);
    return;
  }
  process.stdout.write(`daemon's log, its end\n${log.trimEnd().split('\n').slice(-LOG_LINES).map(line => `  ${line}\n`).join('')}`);
  for (const { invariant, minute, detail } of world.problems.slice(0, 10))
    process.stdout.write(`BROKEN at minute ${minute}: ${invariant}\n${detail.split('\n').slice(0, 40).map(line => `  ${line}\n`).join('')}`);
  process.stdout.write(`seed ${world.seed}: ${world.problems.length} broken; the home is kept in ${kept}\n`);
}

function holdingRows({ tired, fresh }) {
  if (!fresh) return [];
  const said = ({ files, threads, bytes }) => `${files} descriptors, ${threads} threads, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return [['in the end it holds', said(tired)], ['one that just started', said(fresh)]];
}
