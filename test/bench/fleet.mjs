// Many sessions with a past, put into the spool as their hooks would have done it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const CHUNK_BYTES = 64 << 20;
const POLL_MS = 5;

// About as long as when the original was measured, which sends 14 MB for 1,000 such sessions.
const PROMPT = 'Find out why the nightly build fails and mend it. ';
const RESPONSE = 'The table was filled before its lock existed; all tests pass now. ';
const CALLS = [
  ['Bash', { command: 'meson test -C build lookup', description: 'Run the tests' }],
  ['Read', { file_path: '/home/dev/work/src/lookup.c', limit: 200 }],
  ['Edit', { file_path: '/home/dev/work/src/lookup.c', old_string: 'return find(t, key);', new_string: 'return found;' }],
  ['Grep', { pattern: 'table_(init|fini)', path: '/home/dev/work/src', output_mode: 'content' }],
  ['Bash', { command: 'git diff --stat', description: 'What has changed' }],
];
const OUTPUT = 'ok 17 - lookup finds what was put there\nok 18 - lookup of a missing key\n'.repeat(4);

/** A record of the spool. No process is named: nobody could look at it. */
export function record(payload) {
  const ostler = { v: 1, via: 'hook', cli: 'claude', hook_sent_at: Date.now(), term_program: 'vscode', term: 'xterm-256color' };
  return `\n${JSON.stringify({ ostler, payload })}\n`;
}

const idOf = i => `5e551071-0000-4000-8000-${String(i).padStart(12, '0')}`;

/** The payloads of one session: `prompts` turns of five tool calls each. `bytes`: each at least so long. */
export function* payloads(i, { prompts, bytes = 0 }) {
  const common = {
    session_id: idOf(i), cwd: `/home/dev/work/project${i % 100}`, permission_mode: 'default',
    transcript_path: `/home/dev/.claude/projects/-home-dev-work-project${i % 100}/${idOf(i)}.jsonl`,
  };
  const event = (hook_event_name, fields) => {
    const payload = { ...common, hook_event_name, ...fields };
    const missing = bytes - JSON.stringify(payload).length - ',"pad":""'.length;
    return missing > 0 ? { ...payload, pad: 'x'.repeat(missing) } : payload;
  };
  for (let turn = 0; turn < prompts; turn++) {
    yield event('UserPromptSubmit', { prompt: `${PROMPT}Part ${turn}.` });
    for (const [n, [tool_name, tool_input]] of CALLS.entries()) {
      const call = { tool_name, tool_input, tool_use_id: `toolu_${turn}_${n}` };
      yield event('PreToolUse', call);
      yield event('PostToolUse', { ...call, tool_response: { stdout: OUTPUT, stderr: '', interrupted: false }, duration_ms: 40 });
    }
    yield event('Stop', { stop_hook_active: false, last_assistant_message: `${RESPONSE}Part ${turn}.`, background_tasks: [] });
  }
}

export const eventsOf = ({ prompts }) => prompts * (2 + 2 * CALLS.length);

/** Appends to the spool in pieces, each under the shared lock that hooks take. */
export function append(home, text) {
  const piece = path.join(home, 'piece');
  fs.writeFileSync(piece, text);
  execFileSync('flock', ['-s', path.join(home, 'spool/active'), 'sh', '-c', 'cat "$0" >> "$1"', piece, path.join(home, 'spool/active')]);
  fs.rmSync(piece);
}

export async function spoolStats(daemon) {
  return (await fetch(`${daemon.url}/api/mq-stats`)).json();
}

/** Waits until so many records have been applied and committed. */
export async function settled(daemon, count) {
  for (;;) {
    const stats = await spoolStats(daemon);
    if (stats.linesErrored) throw new Error(`${stats.linesErrored} records were refused`);
    if (stats.linesProcessed >= count && stats.committed === stats.currentOffset) return;
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

/** Gives a running daemon the payloads and answers how long it took, in ms, from the first byte to the last commit. */
export async function feed(daemon, source) {
  let before = (await spoolStats(daemon)).linesProcessed, took = 0, lines = [], bytes = 0;
  const flush = async () => {
    const text = lines.join(''), begun = performance.now();
    append(daemon.home, text);
    await settled(daemon, before += lines.length);
    took += performance.now() - begun;
    [lines, bytes] = [[], 0];
  };
  for (const payload of source) {
    const line = record(payload);
    lines.push(line);
    bytes += line.length;
    if (bytes > CHUNK_BYTES) await flush();
  }
  if (lines.length) await flush();
  return took;
}

/** `count` sessions, one after the other. */
export function* sessions(count, options, from = 0) {
  for (let i = from; i < from + count; i++) yield* payloads(i, options);
}

/** The same, but all of them at once, an event each in turn. */
export function* interleaved(count, options, from = 0) {
  const all = Array.from({ length: count }, (_, i) => payloads(from + i, options));
  for (let i = 0; i < eventsOf(options); i++) for (const one of all) yield one.next().value;
}
