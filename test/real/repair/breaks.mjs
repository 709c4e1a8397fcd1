// Ways in which transcripts of Claude Code break, in the field or as a crash may leave them. A break takes the lines of a whole
// transcript, each with its '\n', and returns the text of a broken one.
const GONE = '00000000-dead-4bad-8000-000000000000';
const HOUR_MS = 3_600_000;

const parsed = line => { try { return JSON.parse(line); } catch { return {}; } };
const contentOf = record => (Array.isArray(record.message?.content) ? record.message.content : []);
const has = (record, type) => contentOf(record).some(block => block.type === type);

/** Where in the file the records of a turn are. */
function turnOf(lines, turn) {
  const records = lines.map(parsed), find = (from, test) => records.findIndex((record, i) => i >= from && test(record));
  const textOf = record => (typeof record.message?.content === 'string' ? record.message.content : contentOf(record).map(block => block.text ?? '').join(' '));
  const prompt = find(0, record => record.type === 'user' && textOf(record).startsWith(`TURN-${turn} `));
  const call = find(prompt, record => record.type === 'assistant' && has(record, 'tool_use'));
  const result = find(call, record => record.type === 'user' && has(record, 'tool_result'));
  const answer = find(result, record => record.type === 'assistant' && textOf(record) === `ANSWER-${turn}`);
  return { prompt, call, result, answer };
}

const messagesOf = lines => lines.flatMap((line, i) => (parsed(line).uuid ? [i] : []));
const nextMessage = (lines, after) => messagesOf(lines).find(i => i > after);
const without = (lines, ...gone) => lines.filter((_, i) => !gone.includes(i)).join('');
const replaced = (lines, at, ...by) => [...lines.slice(0, at), ...by, ...lines.slice(at + 1)].join('');
const bare = line => line.slice(0, -1);
const half = line => line.slice(0, line.length >> 1);

const edited = (line, change) => `${JSON.stringify({ ...parsed(line), ...change })}\n`;
const withParent = (lines, at, parentUuid) => replaced(lines, at, edited(lines[at], { parentUuid }));

/** Two lines that stood behind each other, on one line; what was between them stays before them. */
function glued(lines, first, second) {
  const rest = lines.slice(first + 1, second);
  return [...lines.slice(0, first), ...rest, bare(lines[first]) + lines[second], ...lines.slice(second + 1)];
}

/** As if every message had come an hour after the one before: no version guesses a parent by the time then. */
function spread(lines) {
  let n = 0;
  return lines.map(line => (parsed(line).uuid ? edited(line, { timestamp: new Date(Date.UTC(2026, 0, 1) + HOUR_MS * n++).toISOString() }) : line));
}

/** A record of an older version that belongs to no conversation, put before another and followed by it in vain. */
function strangerBefore(lines, at, stranger) {
  const record = parsed(lines[at]), { timestamp, sessionId, cwd } = record;
  const between = { parentUuid: null, isSidechain: false, userType: 'external', cwd, sessionId, version: '2.1.20', ...stranger(record), uuid: GONE.replace('dead', 'beef'), timestamp };
  return replaced(lines, at, `${JSON.stringify(between)}\n`, edited(lines[at], { parentUuid: GONE }));
}

/** Breaks of any transcript, by name. */
export const BREAKS = {
  'prompt lost': (lines, t) => without(lines, t.prompt),
  'answer lost': (lines, t) => without(lines, t.answer),
  'tool call lost': (lines, t) => without(lines, t.call),
  'tool result lost': (lines, t) => without(lines, t.result),
  'prompt, call and result lost': (lines, t) => without(lines, t.prompt, t.call, t.result),
  'whole turn lost': (lines, t) => [...lines.slice(0, t.prompt), ...lines.slice(t.answer + 1)].join(''),
  'first message lost': lines => without(lines, messagesOf(lines)[0]),
  'front half lost': (lines, t) => lines.slice(t.prompt).join(''),
  'foreign parent of a prompt': (lines, t) => withParent(lines, t.prompt, GONE),
  'foreign parent of the last message': lines => withParent(lines, messagesOf(lines).at(-1), GONE),
  'foreign parents of every other message': lines => {
    const every = new Set(messagesOf(lines).filter((_, n) => n % 2));
    return lines.map((line, i) => (every.has(i) ? edited(line, { parentUuid: GONE }) : line)).join('');
  },
  'cycle': (lines, t) => withParent(lines, t.prompt, parsed(lines[t.answer]).uuid),
  'its own parent': (lines, t) => withParent(lines, t.answer, parsed(lines[t.answer]).uuid),
  'record written twice': (lines, t) => replaced(lines, t.answer, lines[t.answer], lines[t.answer]),
  'parent behind its child': (lines, t) => {
    const next = nextMessage(lines, t.result);
    return [...lines.slice(0, t.result), lines[next], ...lines.slice(t.result, next), ...lines.slice(next + 1)].join('');
  },
  'cut in the last message': lines => {
    const last = messagesOf(lines).at(-1);
    return [...lines.slice(0, last), half(lines[last])].join('');
  },
  'cut in an answer': (lines, t) => [...lines.slice(0, t.answer), half(lines[t.answer])].join(''),
  'cut in an answer, then more': (lines, t) => {
    const next = nextMessage(lines, t.answer);
    return [...lines.slice(0, t.answer), half(lines[t.answer]) + lines[next], ...lines.slice(next + 1)].join('');
  },
  'cut in its first string, then more': (lines, t) => {
    const next = nextMessage(lines, t.answer);
    return [...lines.slice(0, t.answer), lines[t.answer].slice(0, 30) + lines[next], ...lines.slice(next + 1)].join('');
  },
  'NULs instead of a prompt': (lines, t) => replaced(lines, t.prompt, `${'\0'.repeat(200)}\n`),
  'NULs before a prompt': (lines, t) => replaced(lines, t.prompt, '\0'.repeat(200) + lines[t.prompt]),
  'garbage behind an answer': (lines, t) => replaced(lines, t.answer, `${bare(lines[t.answer])}\0\0x"}\n`),
  'two records on a line': (lines, t) => glued(lines, t.answer, nextMessage(lines, t.answer)).join(''),
  'call and result on a line': (lines, t) => glued(lines, t.call, t.result).join(''),
  'a whole turn on a line': (lines, t) => [...lines.slice(0, t.prompt), lines.slice(t.prompt, t.answer).map(bare).join(''), ...lines.slice(t.answer)].join(''),
  'two on a line, and a prompt lost': (lines, t) => without(glued(lines, t.call, t.result), t.prompt),
  'answer lost, hours between': (lines, t) => without(spread(lines), t.answer),
  'foreign parent, hours between': (lines, t) => withParent(spread(lines), t.prompt, GONE),
  'two on a line, hours between': (lines, t) => glued(spread(lines), t.answer, nextMessage(lines, t.answer)).join(''),
  'foreign parent behind a progress': (lines, t) => strangerBefore(lines, t.prompt, () => (
    { type: 'progress', data: { type: 'hook_progress', hookEvent: 'PostToolUse', hookName: 'x', command: 'x' }, toolUseID: 'x', parentToolUseID: 'x' })),
  'foreign parent behind a sidechain': (lines, t) => strangerBefore(lines, t.prompt, () => (
    { isSidechain: true, type: 'user', message: { role: 'user', content: 'Sub work' } })),
  'foreign parent behind a sidechain, hours between': (lines, t) => strangerBefore(spread(lines), t.prompt, () => (
    { isSidechain: true, type: 'user', message: { role: 'user', content: 'Sub work' } })),
};

/** Those in which every record is still there: once they are mended, nothing of the whole conversation may be missing. */
export const LOSSLESS = new Set(['foreign parent of a prompt', 'foreign parent of the last message', 'foreign parents of every other message', 'cycle',
  'its own parent', 'record written twice', 'parent behind its child', 'NULs before a prompt', 'garbage behind an answer', 'two records on a line',
  'call and result on a line', 'a whole turn on a line', 'foreign parent, hours between', 'two on a line, hours between', 'foreign parent behind a progress',
  'foreign parent behind a sidechain', 'foreign parent behind a sidechain, hours between']);

function compactionOf(lines) {
  const records = lines.map(parsed), boundary = records.findLastIndex(record => record.subtype === 'compact_boundary');
  const summary = records.findIndex((record, i) => i > boundary && record.isCompactSummary);
  const before = messagesOf(lines).filter(i => i < boundary);
  return { boundary, summary, last: before.at(-1), before: before.at(-3), next: nextMessage(lines, summary) };
}

/** Breaks of one that was compacted. */
export const COMPACTION_BREAKS = {
  'boundary lost': (lines, c) => without(lines, c.boundary),
  'summary lost': (lines, c) => without(lines, c.summary),
  'boundary and summary lost': (lines, c) => without(lines, c.boundary, c.summary),
  'summary lost, hours between': (lines, c) => without(spread(lines), c.summary),
  'boundary and summary on a line': (lines, c) => glued(lines, c.boundary, c.summary).join(''),
  'summary and the next on a line': (lines, c) => glued(lines, c.summary, c.next).join(''),
  'last before and boundary on a line': (lines, c) => glued(lines, c.last, c.boundary).join(''),
  'message behind the summary lost': (lines, c) => without(lines, c.next),
  'foreign parent behind the summary': (lines, c) => withParent(lines, c.next, GONE),
  'foreign parent of the summary': (lines, c) => withParent(lines, c.summary, GONE),
  'foreign parent of the boundary': (lines, c) => withParent(lines, c.boundary, GONE),
  'last before the boundary lost': (lines, c) => without(lines, c.last),
  'foreign parent of the last before the boundary': (lines, c) => withParent(lines, c.last, GONE),
  'foreign parent two before the boundary': (lines, c) => withParent(lines, c.before, GONE),
  'cycle over the boundary': (lines, c) => withParent(lines, c.boundary, parsed(lines[c.next]).uuid),
};

/** [[name, broken text]] of a transcript whose turn `turn` is to suffer. */
export function brokenOnes(text, turn) {
  const lines = text.split(/(?<=\n)/), t = turnOf(lines, turn), c = compactionOf(lines);
  const ordinary = Object.entries(BREAKS).map(([name, of]) => [name, of(lines, t)]);
  const compacted = c.boundary < 0 ? [] : Object.entries(COMPACTION_BREAKS).map(([name, of]) => [name, of(lines, c)]);
  return [['whole', text], ...ordinary, ...compacted];
}
