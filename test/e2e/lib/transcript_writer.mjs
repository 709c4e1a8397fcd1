// A process that appends to a transcript as Claude Code does: whole lines, one write each. Ends when its stdin does, and
// then says how many lines it wrote.
//
//     node transcript_writer.mjs FILE {reopen|keep} {long|short} PAUSE_MS
import fs from 'node:fs';
import path from 'node:path';

const BURST = 5, ORPHAN_EVERY = 60;

export const writerId = n => `77777777-7777-4777-8777-${n.toString(16).padStart(12, '0')}`;

/** The nth line. Now and then its parent is in no file; `short` ones need more room than they have when they are mended. */
export function writerLine(n, parents) {
  const orphan = n % ORPHAN_EVERY === ORPHAN_EVERY - 1;
  const missing = parents === 'short' ? 'x' : writerId(n + 2 ** 40);
  const parent = n === 0 ? null : orphan ? missing : writerId(n - 1);
  return `${JSON.stringify({ parentUuid: parent, isSidechain: false, type: 'user', message: { role: 'user', content: `line ${n} `.repeat(n % 20) }, uuid: writerId(n) })}\n`;
}

function main([file, descriptor, parents, pause]) {
  const kept = descriptor === 'keep' ? fs.openSync(file, 'a') : null;
  let count = 0, ending = false;
  const burst = () => {
    if (ending) {
      process.stdout.write(`${count}\n`);
      return;
    }
    for (let i = 0; i < BURST; i++) {
      const line = writerLine(count++, parents);
      if (kept === null) fs.appendFileSync(file, line);
      else fs.writeSync(kept, line);
    }
    setTimeout(burst, Number(pause));
  };
  process.stdin.on('end', () => { ending = true; }).resume();
  burst();
}

if (process.argv[1] === path.join(import.meta.dirname, 'transcript_writer.mjs')) main(process.argv.slice(2));
