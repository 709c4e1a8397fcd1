// The trials that a stream is put to, one verdict each: an empty list, or what is wrong in words.
import { OracleBroken } from './xterm_oracle.mjs';
import { differences, hasHalves, perform, show, showCase, shrink, watch } from './vt_compare.mjs';

const SCREEN = { ignore: ['replies', 'bells', 'title'], exact: false };
const OURS = { ignore: ['title'], exact: false };

/**
 * What no escape sequence can bring about is left out of a snapshot's trial: that the oldest line goes on from one that is gone, and,
 * on a screen of one row, that the one above goes on. Halves of wide characters, which xterm.js leaves alone when it moves the
 * other one away, count as blanks, and nothing follows then.
 */
function withinReach(test) {
  const steps = test.steps.map(step => (step.resize ? { resize: [step.resize[0], Math.max(2, step.resize[1])] } : step.replace(/\x1b\[\??3J/g, '')));
  return { ...test, rows: Math.max(2, test.rows), scrollback: 1000, steps };
}

/**
 * Nor is it known how to write that the cursor waits behind a last column that is empty, or that blanks side by side are inverse. A
 * mark that comes while it waits joins the last character, which was written again to bring the cursor there. The kind and colour
 * of an underline that DECRC has hidden are lost.
 */
function isOutOfReach({ cols, cursorCol, cursorRow, scrollback, lines }, steps, next) {
  const last = lines[scrollback + cursorRow].filter((_, i) => i > 0 && i % 2 === 0).join('').match(/\x03\d[^\x04]*\x04|[^]/gu)?.[cols - 1];
  const waits = cursorCol === cols && (last === undefined || last === '\x01' || /^[^\0-\x7f]/.test(next));
  const inverse = lines.some(row => row.some((text, i) => i > 0 && i % 2 === 0 && text.includes('\x01\x01') && row[i - 1].includes('inverse')));
  const hidden = steps.some(step => /\x1b8|\x1b\[u|104[89]l/.test(step)) && steps.some(step => /\b(4:|21|58)/.test(step));
  return waits || inverse || hidden;
}

/** All of xterm.js's dumps, or null when it broke on the way. */
function ask(oracle, test, act) {
  try {
    oracle.create(test.cols, test.rows, test.scrollback);
    return act();
  } catch (error) {
    if (error instanceof OracleBroken) return null;
    throw error;
  }
}

const settle = seen => Promise.all(seen.map(async ([where, dump]) => [where, await dump]));

/** The first that differs; what comes after it differs for the same reason. */
function compareAll(got, want, options) {
  for (const [i, [where, dump]] of got.entries()) {
    const found = differences(dump, want[i][1], options);
    if (found.length) return [`${where}:`, ...found];
  }
  return [];
}

/** Fed the same, both show the same. */
export async function trySame({ core, oracle }, test) {
  core.create(test.cols, test.rows, test.scrollback);
  const got = watch(core, test.steps), want = ask(oracle, test, () => watch(oracle, test.steps));
  const all = await settle(got);
  return want ? compareAll(all, want) : [];
}

/** Saved and loaded at `cut`, it shows the same, and goes on the same. */
export async function trySaved({ core }, test) {
  const before = test.steps.slice(0, test.cut), after = test.steps.slice(test.cut);
  core.create(test.cols, test.rows, test.scrollback);
  perform(core, before);
  const first = core.dump(), want = watch(core, after);
  core.create(test.cols, test.rows, test.scrollback);
  perform(core, before);
  core.reload();
  const loaded = core.dump(), got = watch(core, after);
  const found = differences(...await Promise.all([loaded, first]));
  return found.length ? ['just loaded:', ...found] : compareAll(await settle(got), await settle(want));
}

/** A character that is not whole yet at the end of some bytes: xterm.js must be fed it together with the rest of it. */
function unfinished(bytes) {
  const [found] = /[\xc2-\xf4][\x80-\xbf]*$/.exec(bytes.subarray(-3).toString('latin1')) ?? [''];
  const whole = found < '\xe0' ? 2 : found < '\xf0' ? 3 : 4;
  return found.length < whole ? found : '';
}

/** A snapshot at `cut` brings a new one of ours and xterm.js to the same screen, and all go on the same. */
export async function trySnapshot({ core, oracle }, drawn) {
  const test = withinReach(drawn);
  const before = test.steps.slice(0, test.cut), after = test.steps.slice(test.cut);
  core.create(test.cols, test.rows, test.scrollback);
  perform(core, before);
  const first = core.dump(), snapshot = core.snapshot(), want = watch(core, ['', ...after]);
  core.create(test.cols, test.rows, test.scrollback);
  perform(core, before);
  core.copy();
  const copied = core.dump(), got = watch(core, ['', ...after]);
  const [here, bytes, there, wanted, ours] = await Promise.all([first, snapshot, copied, settle(want), settle(got)]);
  if (isOutOfReach(here, test.steps, after.find(Boolean))) return [];
  const say = found => (found.length ? [...found, `snapshot: ${show(bytes.toString('utf8'))}`] : []);
  const atOnce = differences(there, here, OURS);
  if (atOnce.length) return say(['a new one of ours, fed the snapshot:', ...atOnce]);
  if (hasHalves(here)) return [];
  const later = compareAll(ours, wanted, OURS);
  if (later.length) return say(['a new one of ours, fed the snapshot and what follows:', ...later]);
  const theirs = ask(oracle, { ...test, cols: here.cols, rows: here.rows }, () => {
    const rest = unfinished(bytes);
    oracle.feed(bytes.subarray(0, bytes.length - rest.length));
    const now = oracle.dump();
    return [now, ...watch(oracle, [rest, ...after])];
  });
  if (!theirs) return [];
  const seen = differences(theirs[0], here, SCREEN);
  if (seen.length) return say(['xterm.js, fed the snapshot (as "got"):', ...seen]);
  return say(compareAll(theirs.slice(1), wanted, SCREEN).map((line, i) => (i ? line : `xterm.js, fed the snapshot and what follows (as "got"), ${line}`)));
}

/** Byte by byte is the same as at once. */
export async function tryBytes({ core }, test) {
  core.create(test.cols, test.rows, test.scrollback);
  perform(core, test.steps);
  const whole = core.dump();
  core.create(test.cols, test.rows, test.scrollback);
  perform({ feed: bytes => core.feedBytes(bytes), resize: (...size) => core.resize(...size), gap: () => core.gap() }, test.steps);
  return differences(...await Promise.all([core.dump(), whole]));
}

/** What to print about a case that failed: as small as it gets, and what is wrong with that. */
export async function explain(pair, trial, test, tries) {
  const small = await shrink(test, async smaller => (await trial(pair, smaller)).length > 0, { tries });
  return `${showCase(small)}\n  ${(await trial(pair, small)).slice(0, 12).join('\n  ')}`;
}

/** Cuts one step of a case in two, anywhere, so that sequences and characters are interrupted as well. */
export function cutSomewhere(random, test) {
  const at = random.below(test.steps.length + 1), step = test.steps[at];
  if (typeof step !== 'string' || step === 'gap' || step.length < 2 || random.chance(0.5)) return { ...test, cut: at };
  const where = random.between(1, step.length - 1);
  return { ...test, steps: [...test.steps.slice(0, at), step.slice(0, where), step.slice(where), ...test.steps.slice(at + 1)], cut: at + 1 };
}
