// Events with numbers. Afterwards the database says which of them were applied, and how often, and in which order.
import { query } from '../e2e/lib/database.mjs';

const PROMPT_EVERY = 25, LARGE_EVERY = 40;
const LARGE = 'A description that fills segments. '.repeat(6000);
const END = 'The end.';

/** What became of an event, as far as its writer knows. */
export const SURE = 'sure', MAYBE = 'maybe', NEVER = 'never';
/** Written on a full disk: it is in the room that was kept, or it is counted. */
export const FULL = 'full';

/** A session that writes numbered events, and what is known of each of them. */
export class Marks {
  /** `fates[n]`: what is known of the nth event. */
  fates = [];

  constructor(session, cwd) {
    Object.assign(this, { session, cwd });
  }

  /** The next event; its fate is told later. */
  next() {
    const n = this.fates.push(MAYBE) - 1;
    return { n, payload: this.#payload(n) };
  }

  #payload(n) {
    const base = { session_id: this.session, cwd: this.cwd, permission_mode: 'default' };
    if (n % PROMPT_EVERY === 0) return { ...base, hook_event_name: 'UserPromptSubmit', prompt: `mark-${n}` };
    const description = n % LARGE_EVERY === LARGE_EVERY - 1 ? LARGE : 'Say where we are';
    return { ...base, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: `echo mark-${n}`, description },
      tool_use_id: `toolu_${String(n).padStart(6, '0')}` };
  }

  /** Says that there will be no more. */
  last() {
    return { session_id: this.session, cwd: this.cwd, hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: END };
  }

  /** Does the daemon know that? */
  static ended(session) {
    return session.responseLog?.at(-1)?.text === END;
  }
}

const APPLIED = `SELECT s.session_id AS session, said FROM sessions s JOIN (
    SELECT session_id, pos, tool_input_summary AS said FROM tool_calls UNION ALL SELECT session_id, pos, text FROM prompts) m
  ON m.session_id = s.id ORDER BY m.pos`;

/** The numbers that were applied, in the order of their positions: Map of session → numbers. */
export function applied(home) {
  const found = new Map();
  for (const { session, said } of query(home, APPLIED)) {
    const numbers = found.get(session) ?? found.set(session, []).get(session);
    numbers.push(Number(/mark-(\d+)/.exec(said)?.[1] ?? NaN));
  }
  return found;
}

/** How many were written on a full disk, and how many of these are not there. */
export function onFullDisk({ fates }, numbers = []) {
  const there = new Set(numbers), written = fates.flatMap((fate, n) => (fate === FULL ? [n] : []));
  return { written: written.length, lost: written.filter(n => !there.has(n)).length };
}

/** What is wrong with the numbers of one session, as sentences; `ordered` when each was written after the one before. */
export function wrongMarks({ session, fates }, numbers = [], { ordered = true } = {}) {
  const wrong = [], times = new Map();
  for (const n of numbers) times.set(n, (times.get(n) ?? 0) + 1);
  const lost = fates.flatMap((fate, n) => (fate === SURE && !times.has(n) ? [n] : []));
  const twice = [...times].filter(([, count]) => count > 1).map(([n]) => n);
  const strange = [...times.keys()].filter(n => fates[n] === undefined || fates[n] === NEVER);
  const late = ordered ? numbers.filter((n, i) => i > 0 && n < numbers[i - 1]) : [];
  for (const [what, list] of Object.entries({ lost, twice, strange, 'out of order': late }))
    if (list.length) wrong.push(`${session}: ${list.length} ${what}, as ${list.slice(0, 5)} of ${fates.length}`);
  return wrong;
}
