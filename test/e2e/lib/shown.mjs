// What may stand in a text for a person, written down a second time: nothing that steers a terminal, misleads or hides.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, OSTLER } from './daemon.mjs';

/** Everything that should not get through, with words that show when it did. */
export const HOSTILE = 'x\x1b]0;owned\x07\x1b[95mred\x1b[2K\x1b[6n\u009b6n\u009d52;c;?\u009c\u202etxt.exe\u2066\u200b\u00ad\ufeff' +
  '\u0085\x7f\x08\x05\x00\u3164\u{e0041}\r\nforged: line\u2028\u0301';
/** The same for the name of a file. */
export const HOSTILE_NAME = HOSTILE.replaceAll(/[\0/\n\r]/g, '');

const PLAIN = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Co} \u00a0\u202f\u3000\u200c\u200d\ufe00-\ufe0f]*$/u;
const UNSEEN = /(?![\u200c\u200d\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/u;
const COLOUR = /\x1b\[(0|1|2|31|32|33|34|35|1;31|1;33)m/g;

/** Fails when the bytes are more than lines of what may be shown, in our colours, with our bar at most; `lines`: they are somebody's. */
export function checkShown(bytes, what, { lines = false } = {}) {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  for (const line of text.replaceAll(COLOUR, '').replaceAll('\x1b[K', '').split(/\r*\n|\r/)) {
    assert.match(line, PLAIN, `${what}: ${JSON.stringify(line)}`);
    assert.doesNotMatch(line, UNSEEN, `${what}: ${JSON.stringify(line)}`);
    if (!lines) assert.doesNotMatch(line, /^forged/, `${what}: a line of its own for somebody's words`);
  }
}

const quoted = word => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs `ostler ARGS…` at a terminal of its own and answers the bytes that came there. An argument may be { shell: "$'…'" }. */
export async function atTerminal(home, args, { env = {} } = {}) {
  const command = [OSTLER, ...args].map(word => word.shell ?? quoted(word.replaceAll('\0', ''))).join(' ');
  const child = spawn('script', ['-q', '-e', '-c', command, '/dev/null'],
    { env: environment(home, { TERM: 'xterm-256color', SHELL: '/bin/bash', ...env }), stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks = [];
  child.stdout.on('data', chunk => chunks.push(chunk));
  const [code] = await once(child, 'close');
  return { code, bytes: Buffer.concat(chunks) };
}
