// Transcripts, the slow and obvious way: what `ostler repair` must say of a file, and what it must make of it. Nothing here
// is clever; where the program disagrees, one of the two is wrong about docs/operations.md.
import { Buffer } from 'node:buffer';

const SECTOR = 512;
const ID_BYTES_MAX = 65_536; // of its JSON; a longer one is like an object, equal to nothing
const STOP_HOOK = 'inline_stop_hook_progress';
const HEAD = '{"parentUuid":'; // how Claude Code's messages begin
const TRIES_MAX = 16; // of a line, to find one behind bytes that are none
const READ_TYPES = ['user', 'assistant', 'system', 'attachment']; // of the messages that a resume reads
const SIDE = /^\{"parentUuid":(?:null|"(?:[^"]{0,47}[^"\\])?") {0,48},"isSidechain":true/;

/** [{start, end}] of the lines: split on \n and nothing else; no line after the last \n. */
function linesOf(bytes) {
  const lines = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline < 0 ? bytes.length : newline;
    lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function parse(bytes) {
  try {
    return JSON.parse(bytes.toString('utf8')); // what is no UTF-8 becomes U+FFFD
  } catch {
    return undefined;
  }
}

/** Behind the object that `text` begins with, -1 when there is no whole one. */
function objectEnd(text) {
  let at = 0, depth = 0;
  while (' \t\r'.includes(text[at] ?? 'x')) at++;
  if (text[at] !== '{') return -1;
  do {
    if (text[at] === '"') for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    if ('{['.includes(text[at])) depth++;
    if ('}]'.includes(text[at])) depth--;
    at++;
  } while (depth && at < text.length);
  return depth || parse(Buffer.from(text.slice(0, at), 'latin1')) === undefined ? -1 : at;
}

/** The records of a line, [{start, end}], and `cuts`: where it has to end so that each has a line of its own. */
function recordsOf(bytes, { start, end }) {
  const line = bytes.subarray(start, end).toString('latin1'), records = [], cuts = new Set(); // a character a byte
  const behindBlanks = at => at + /^[ \t\r]*/.exec(line.slice(at))[0].length;
  for (let at = 0, tries = 0, behindScrap = false; at < line.length;) {
    const length = objectEnd(line.slice(at)), next = length < 0 ? -1 : behindBlanks(at + length);
    if (length >= 0 && (!behindScrap || next === line.length || line[next] === '{')) {
      if (at > 0 && isBoundary(parse(bytes.subarray(start + at, start + at + length)))) {
        cuts.delete(start + at); // not to be uncovered: a resume would have less than it has
        break;
      }
      records.push({ start: start + at, end: start + at + length });
      if (at > 0) cuts.add(start + at);
      if (next < line.length) cuts.add(start + next);
      at = next;
      behindScrap = false;
    } else {
      at = tries++ < TRIES_MAX ? line.indexOf(HEAD, at + 1) : -1;
      if (at < 0) break;
      behindScrap = true;
    }
  }
  return { records, cuts: [...cuts] };
}

const isBoundary = ({ type, subtype }) => type === 'system' && subtype === 'compact_boundary';

/** The ids that messages which a compaction kept are put behind. */
function anchorsOf({ compactMetadata, ...record }) {
  if (!isBoundary(record)) return [];
  return [compactMetadata?.preservedSegment?.anchorUuid, compactMetadata?.preservedMessages?.anchorUuid];
}

/** The messages of a file, in its order, with the index of their ids, the way from each to its parent, and the lines that hold several. */
export function read(bytes) {
  const messages = [], index = new Map(), anchors = new Set(), cuts = [];
  let glued = 0;
  for (const line of linesOf(bytes)) {
    const split = recordsOf(bytes, line), before = messages.length;
    for (const { start, end } of split.records) {
      const value = parse(bytes.subarray(start, end));
      if (!value.uuid) continue;
      const id = idOf(bytes, { start, end }, value, 'uuid'), parent = idOf(bytes, { start, end }, value, 'parentUuid');
      index.set(id, messages.length); // the last one wins; an object is only equal to itself
      messages.push({
        start, end, value, id, parent: parent || null, isSide: SIDE.test(bytes.toString('latin1', start, end)),
        isLeftOut: typeof value.type === 'string' && !READ_TYPES.includes(value.type),
      });
      for (const anchor of anchorsOf(value)) anchors.add(anchor);
    }
    if (messages.length === before) continue;
    cuts.push(...split.cuts);
    glued += split.cuts.length > 0;
  }
  const link = messages.map(m => (m.parent === null ? -1 : index.get(m.parent) ?? -1));
  const orphans = messages.flatMap((m, i) => (m.parent !== null && link[i] < 0 && !anchors.has(m.parent) ? [i] : []));
  return { messages, index, link, orphans, cycles: cyclesOf(link), glued, cuts };
}

function idOf(bytes, line, value, name) {
  if (!value[name] || line.end - line.start <= ID_BYTES_MAX) return value[name];
  const { from, to } = memberOf(bytes, line, name);
  return to - from > ID_BYTES_MAX ? {} : value[name];
}

/** Of each cycle its members, in the order of the file. */
function cyclesOf(link) {
  const seenBy = new Int32Array(link.length).fill(-1), cycles = [];
  for (let from = 0; from < link.length; from++) {
    let at = from;
    while (at >= 0 && seenBy[at] < 0) {
      seenBy[at] = from;
      at = link[at];
    }
    if (at < 0 || seenBy[at] !== from) continue;
    const members = [at];
    for (let next = link[at]; next !== at; next = link[next]) members.push(next);
    cycles.push(members.sort((a, b) => a - b));
  }
  return cycles;
}

function depthOf(link) {
  const counted = new Set();
  for (let at = link.length - 1; at >= 0 && !counted.has(at); at = link[at]) counted.add(at);
  return counted.size;
}

/** The stop hook's summary and the assistant's message it should hang on, or null. */
function stopHook(messages, link) {
  const get = at => (at < 0 ? undefined : messages[at].value);
  let leaf = messages.length - 1;
  const is = (value, type, subtype) => value?.type === type && value.subtype === subtype;
  if (leaf >= 0 && is(get(leaf), 'system', 'turn_duration') && link[leaf] >= 0) leaf = link[leaf];
  if (leaf < 0 || !is(get(leaf), 'system', 'stop_hook_summary')) return null;
  const summary = get(leaf), progress = get(link[leaf]);
  if (progress?.type !== 'progress' || progress.data?.type !== 'hook_progress' || progress.data.hookEvent !== 'Stop') return null;
  if (!summary.toolUseID || summary.toolUseID !== progress.toolUseID) return null;
  const assistant = link[link[leaf]];
  return get(assistant)?.type === 'assistant' ? { summary: leaf, assistant } : null;
}

/** What `ostler repair scan --json` says, without the names. */
export function scan(bytes) {
  const { messages, link, orphans, cycles, glued } = read(bytes);
  return {
    status: orphans.length || cycles.length || glued ? 'corrupted' : 'healthy',
    chainDepth: depthOf(link),
    orphanCount: orphans.length,
    messageCount: messages.length,
    fileSize: bytes.length,
    resumeIssue: stopHook(messages, link) && STOP_HOOK,
    cycleCount: cycles.length,
    gluedCount: glued,
  };
}

/** True when following the links from `from` comes to `to`. */
function reaches(link, from, to) {
  for (let at = from; at >= 0; at = link[at]) if (at === to) return true;
  return false;
}

/** The boundary right before a summary, which it belongs to, or -1. */
function ownBoundary({ messages, index }, link, broken) {
  const boundary = messages[broken - 1], summary = messages[broken];
  if (!boundary || summary.value.isCompactSummary !== true || !isBoundary(boundary.value)) return -1;
  const fits = typeof boundary.id !== 'object' && boundary.id !== summary.id && index.get(boundary.id) === broken - 1 && boundary.isSide === summary.isSide;
  return fits && !reaches(link, broken - 1, broken) ? broken - 1 : -1;
}

/** The message whose id becomes the parent of a broken one, or -1. */
function newParent({ messages, index }, link, broken) {
  const own = ownBoundary({ messages, index }, link, broken);
  if (own >= 0) return own;
  for (let j = broken - 1; j >= 0; j--) {
    const { id, isSide } = messages[j];
    if (typeof id === 'object' || id === messages[broken].id) continue;
    if (isSide !== messages[broken].isSide || (!messages[broken].isLeftOut && messages[index.get(id)].isLeftOut)) continue;
    if (isBoundary(messages[index.get(id)].value)) continue; // only its summary follows it
    if (!reaches(link, index.get(id), broken)) return j;
  }
  return -1;
}

/**
 * What `ostler repair fix --json` says, and `edits`: in file order, which bytes [from, to) of the file become which value.
 * `inPlace`: every edit fits where the old value was, so that the file keeps its length and its inode.
 */
export function repair(bytes, { active = false } = {}) {
  const file = read(bytes), { messages, index, orphans, cycles, glued, cuts } = file;
  const broken = [...orphans, ...cycles.map(members => members[0])].sort((a, b) => a - b);
  const link = [...file.link], chosen = new Map();
  for (const b of broken) link[b] = -1;
  for (const b of broken) {
    const parent = newParent(file, link, b);
    chosen.set(b, parent);
    link[b] = parent < 0 ? -1 : index.get(messages[parent].id);
  }
  const hook = active ? stopHook(messages, link) : null;
  if (hook) {
    chosen.set(hook.summary, hook.assistant);
    link[hook.summary] = hook.assistant;
  }
  const edits = [...[...chosen].map(([i, parent]) => edit(bytes, messages[i], messages[parent])), ...cuts.map(lineEnd)]
    .sort((a, b) => a.from - b.from);
  return {
    status: edits.length ? 'repaired' : 'already_healthy',
    orphansFixed: orphans.length,
    cyclesFixed: cycles.length,
    resumeIssuesFixed: hook ? 1 : 0,
    gluedFixed: glued,
    newChainDepth: depthOf(link),
    edits,
    inPlace: edits.every(fits),
  };
}

function edit(bytes, message, parent) {
  const { from, to } = memberOf(bytes, message, 'parentUuid');
  return { from, to, old: bytes.subarray(from, to), value: Buffer.from(parent ? spell(parent.id) : 'null') };
}

const lineEnd = at => ({ from: at, to: at, old: Buffer.alloc(0), value: Buffer.from('\n') });

/** An id as JSON, in the spelling that ostler gives it. */
function spell(id) {
  if (typeof id === 'number') return spellNumber(id);
  if (typeof id !== 'string') return 'true';
  const escape = c => (c === '"' || c === '\\' ? `\\${c}` : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${id.replace(/["\\\u0000-\u001f]|\p{Surrogate}/gu, escape)}"`;
}

/** With as few digits as needed, at least 15; as C's %g. */
function spellNumber(number) {
  if (!Number.isFinite(number)) return number < 0 ? '-1e999' : '1e999';
  const digits = [15, 16, 17].find(n => Number(number.toPrecision(n)) === number);
  const [mantissa, exponent] = number.toExponential(digits - 1).split('e').map((part, i) => (i ? Number(part) : part));
  const short = text => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (exponent >= -4 && exponent < digits) return short(number.toFixed(Math.max(0, digits - 1 - exponent)));
  return `${short(mantissa)}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

/** It has room, and a crash in the middle of the write leaves valid JSON: it is within a sector, or string over string. */
function fits({ from, to, old, value }) {
  if (value.length > to - from) return false;
  const plain = text => text[0] === 0x22 && !text.includes('\\');
  return Math.floor(from / SECTOR) === Math.floor((to - 1) / SECTOR) || (value.length === to - from && plain(old) && plain(value));
}

/** The file after the repair. In place, a shorter value is filled up with spaces. */
export function apply(bytes, edits, inPlace = edits.every(fits)) {
  const parts = [];
  let done = 0;
  for (const { from, to, value } of edits) {
    parts.push(bytes.subarray(done, from), value);
    if (inPlace) parts.push(Buffer.alloc(to - from - value.length, ' '));
    done = to;
  }
  return Buffer.concat([...parts, bytes.subarray(done)]);
}

/** Where the value of a member of a message's object stands, in bytes of the file; the last one of that name. */
export function memberOf(bytes, { start, end }, name) {
  const text = bytes.subarray(start, end).toString('latin1'); // a character a byte
  let at = 0, found = null;
  const skipSpace = () => { while (' \t\r'.includes(text[at])) at++; };
  const skipString = () => { for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++; at++; };
  const skipValue = () => {
    for (let depth = 0; ;) {
      if (text[at] === '"') skipString();
      else if ('{['.includes(text[at])) { depth++; at++; }
      else if ('}]'.includes(text[at])) { depth--; at++; }
      else if (depth) at++;
      else while (!' \t\r,}]'.includes(text[at])) at++;
      if (!depth) return;
    }
  };
  skipSpace();
  do {
    at++; // { or ,
    skipSpace();
    const keyAt = at;
    skipString();
    const key = parse(Buffer.from(text.slice(keyAt, at), 'latin1'));
    skipSpace();
    at++; // :
    skipSpace();
    const from = at;
    skipValue();
    if (key === name) found = { from: start + from, to: start + at };
    skipSpace();
  } while (text[at] === ',');
  return found;
}

/** What every line of a file says apart from its parentUuid: two files that differ only in that are equal here. */
export function withoutParents(bytes) {
  return linesOf(bytes).map(line => {
    const text = bytes.subarray(line.start, line.end);
    const value = parse(text);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'parentUuid')) return text.toString('latin1');
    const { from, to } = memberOf(bytes, line, 'parentUuid');
    return `${bytes.subarray(line.start, from).toString('latin1')}…${bytes.subarray(to, line.end).toString('latin1').trimStart()}`;
  });
}
