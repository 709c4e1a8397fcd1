// Transcripts with everything that may be wrong with one, small and by the thousand. A file is drawn with moods of its own,
// so that many are nearly healthy and some are chaos. Bytes are handled as Latin-1 strings: a character a byte.
import { Buffer } from 'node:buffer';
import { message, metadata, stopHookTail, words } from './claude_lines.mjs';

const bytesOf = text => Buffer.from(text, 'utf8').toString('latin1');

/** JSON that is written as it is, right or wrong. */
class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** An object as a list of members, where a name may come twice. */
class Members {
  constructor(value) {
    this.list = value instanceof Members ? [...value.list] : Object.entries(value);
  }
}

const GAPS = ['', '', '', ' ', ' ', '  ', '\t', '\r', ' \t\r '];

/** Ways to write the same value. */
function styles(random) {
  const plain = { comma: () => ',', colon: () => ':', edge: () => '', escape: 0 };
  return random.weighted([
    [12, plain],
    [2, { ...plain, comma: () => ', ', colon: () => ': ' }], // as Python does
    [1, { ...plain, escape: 0.3 }],
    [1, {
      comma: () => `${random.pick(GAPS)},${random.pick(GAPS)}`, colon: () => `${random.pick(GAPS)}:${random.pick(GAPS)}`,
      edge: () => random.pick(GAPS), escape: 0.05,
    }],
  ]);
}

function escaped(random, char, unit = char.charCodeAt(0).toString(16).padStart(4, '0')) {
  return `\\u${random.chance(0.5) ? unit : unit.toUpperCase()}`;
}

function writeString(random, text, { escape }) {
  const json = bytesOf(JSON.stringify(text));
  if (!escape || json.includes('\\')) return json;
  return json.replace(/[\x20-\x21\x23-\x5b\x5d-\x7e]/g, c => (random.chance(escape) ? (c === '/' ? '\\/' : escaped(random, c)) : c));
}

function write(random, value, style) {
  if (value instanceof Raw) return value.text;
  if (typeof value === 'string') return writeString(random, value, style);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inside = Array.isArray(value)
    ? value.map(item => write(random, item, style))
    : new Members(value).list.filter(([, item]) => item !== undefined)
      .map(([key, item]) => `${key instanceof Raw ? key.text : writeString(random, key, style)}${style.colon()}${write(random, item, style)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return open + style.edge() + inside.join(style.comma()) + style.edge() + close;
}

/* Ids in families whose members are one value or only look like it. */
const FAMILIES = [
  ['"a"', '"\\u0061"', '"A"', '"a "'], ['1', '1.0', '1e0', '10E-1', '"1"', '1.0000000000000001', '0.1e1', '-1'],
  ['true', '"true"'], ['{}', '{"a":1}'], ['[]', '["a"]', '["uuid"]'],
  ['9007199254740992', '9007199254740993', '9007199254740992.0', '9007199254740994'], ['1e400', '1e999', '-1e400', '1' + '0'.repeat(310)],
  ['0.1', '1e-1', '0.10000000000000001', '0.1000000000000000055'], ['5e-324', '4e-324', '2.4e-324', '1e-400'],
  ['"\xc3\xa9"', '"\\u00e9"', '"\\u00E9"', '"e\xcc\x81"', '"\xe9"'],
  ['"\xf0\x9f\x90\x8e"', '"\\ud83d\\udc0e"', '"\\uD83D\\uDC0E"', '"\\ud83d"', '"\\udc0e"', '"\\udc0e\\ud83d"', '"\xed\xa0\xbd\xed\xb0\x8e"'],
  ['"b\xff"', '"b\xfe"', '"b\xc3"', '"b\xe2\x82"', '"b\\ufffd"', '"b\xef\xbf\xbd"', '"b\xf0\x9f\x90"', '"b\xff\xff"', '"b\xc0\x80"', '"b\xf4\x90\x80\x80"'],
  ['"\\""', '"\\u0022"', '"\\\\"', '"\\u005c"', '"/"', '"\\/"', '"\\n"', '"\\u000a"', '"\\u000A"', '"\\t"', '"\\b\\f\\r"'],
  ['"\\u0000"', '"\x7f"', '"\\u007f"', '"\xc2\x80"', '"\xe2\x80\xa8"', '"\\u2028"'],
  ['"__proto__"', '"constructor"', '"toString"', '"uuid"', '"parentUuid"', '"null"', '"0"', '"undefined"'],
  ['"x,y"', '"x:y"', '"{"', '"}"', '"]"', '"\\"uuid\\":\\"x\\""', '"\\\\\\""'],
  ['"abcdefgh"', '"abcdefgi"', '"abcdefg"', '"abcdefgh\\u0000"'], // equal in every 8 bytes that matter
  ['-0.5', '-5e-1', '123456789012345678901234567890', '1.2345678901234568e29', '123456789012345680000000000000'],
];
const FALSY = ['null', '""', '0', '-0', 'false', '0.0', '0e5', '-0.0', '1e-400', '-1e-999'];
export const BAD_VALUES = ['tru', 'nul', 'truee', 'NaN', 'Infinity', '-Infinity', '01', '-01', '00', '1.', '.5', '-.5', '+1', '-', '1e', '1e+', '1.e1', '0x1', '1_0',
  "'a'", '"\\x41"', '"\\u12"', '"\\u12G4"', '"\\"', '"\x01"', '"\x1f"', '"\x00"', '"\t"', '"a', 'undefined', '', '{', '[', '}', ']', '{]', '[}', '[1,]',
  '[,1]', '[1 2]', '{,}', '{"a"}', '{"a":}', '{"a" 1}', '{"a":1,}', '{"a":1 "b":2}', '{a:1}', '{1:1}', '{"b":]}', '[1:2]', '{"a":1:2}', '"a""b"', '1 2',
  'null null', '\xff', '\xc2\xa0', '\x00', '\\"', '//', '/**/1', 'True', 'nULL', '\xef\xbb\xbf1', '[[[[]]]', '{"a":{"b":{"c":[}}}}', '\x0b', '\x0c'];
export const ODD_VALUES = ['"\x7f"', '"\xff"', '"\xed\xa0\x80"', '"\\ud800"', '"\\/\\b\\f"', '-0', '1E5', '1e-5', '0.5E+7', '[ ]', '{ }', '{"":""}', '[[],{}]',
  '{"uuid":"inner","parentUuid":"inner"}', '[{"uuid":"inner"}]', '"\\\\"', '"\\\\\\""', '"}"', '"]}"', '"\\"uuid\\":\\"q\\""', '{"a":"}"}', '{"\\u0075uid":1}',
  '{"a":{"a":{"a":[[[{"uuid":1}]]]}}}', '""', '12345678901234567890', '{"__proto__":{"uuid":"q"}}', '"\\u2028\\u0000"'];

/** An id of the kind this file has, as JSON. */
function newId(random, kind) {
  if (kind === 'uuid') return `"${random.uuid()}"`;
  if (kind === 'short') return JSON.stringify('abcdefghijklmnopqrstuvwxyz'[random.below(26)] + (random.chance(0.5) ? random.below(10) : ''));
  if (kind === 'number') return random.pick([String(random.below(20)), `${random.below(20)}.0`, `${random.below(20)}e0`]);
  if (kind === 'long') return `"${'x'.repeat(random.between(1, 40))}${random.hex(1)}"`;
  return random.pick(random.pick(FAMILIES));
}

function moodOf(random) {
  const dirt = random.pick([0, 0, 0.02, 0.1, 0.3]);
  return {
    ids: random.weighted([[6, 'uuid'], [2, 'short'], [1, 'number'], [1, 'long'], [3, 'family']]),
    lines: random.weighted([[1, 0], [1, 1], [2, 2], [3, 4], [4, 9], [2, 25], [0.5, 80]]),
    orphans: random.pick([0, 0.05, 0.2, 0.6]),
    tangle: random.pick([0, 0, 0.05, 0.3]), // forward references, cycles, branches
    again: random.pick([0, 0, 0.05, 0.3]), // ids that come twice
    lexical: random.pick([0, 0, 0.1, 0.5]), // duplicate names, odd values
    glued: random.pick([0, 0, 0.05, 0.3]), // lines that lost their end
    kept: random.pick([0, 0, 0.2]), // orphans that follow the anchor of what a compaction kept
    dirt,
    crlf: random.chance(0.08),
    metadata: random.pick([0, 0.1, 0.3]),
  };
}

/** Which parent the message at `at` names. */
function parentOf(random, mood, ids, at) {
  if (random.chance(mood.orphans)) return newId(random, mood.ids);
  if (random.chance(mood.tangle)) return random.pick(ids); // itself, a later one, an earlier one
  if (random.chance(0.03)) return random.pick(FALSY);
  return at ? ids[at - 1] : random.pick(['null', 'null', 'null', undefined, newId(random, mood.ids)]);
}

/** Names that are none of ours, and ours once more. */
function disturb(random, members, mood, ids) {
  const { list } = members;
  const token = () => new Raw(random.pick([newId(random, mood.ids), random.pick(ids), random.pick(FALSY), random.pick(ODD_VALUES)]));
  for (let n = random.between(1, 3); n > 0; n--) {
    const at = random.below(list.length + 1);
    const name = random.pick(['uuid', 'parentUuid', 'uuid', 'parentUuid', 'type', 'data', 'toolUseID', 'subtype', 'UUID', 'uui', 'uuidd', 'parentuuid', 'x', '', '__proto__', 'leafUuid']);
    const key = random.chance(0.3) && name ? new Raw(`"${name.replace(random.pick([...name]), c => escaped(random, c))}"`)
      : random.chance(0.05) ? new Raw(random.pick(['"uuid\xff"', '"\\u0075\\u0075\\u0069\\u0064"', '"uuid\\u0000"', '"uu\\id"', '"\\uuid"', 'uuid', '"parent\\u0055uid"'])) : name;
    list.splice(at, 0, [key, token()]);
  }
  if (random.chance(0.3)) random.shuffle(list);
  if (random.chance(0.2)) list.splice(random.below(list.length), 1);
  return members;
}

const NEST = [d => '['.repeat(d) + ']'.repeat(d), d => '{"a":'.repeat(d) + '1' + '}'.repeat(d), d => '[{"uuid":'.repeat(d) + '"q"' + '}]'.repeat(d),
  d => '['.repeat(d) + ']'.repeat(d - 1), d => '['.repeat(d) + '}' + ']'.repeat(d - 1), d => '[{"a":'.repeat(d) + '}]'.repeat(d)];

/** A value put somewhere into a message, at the top or deep inside. */
function plant(random, members, value) {
  const hidden = random.weighted([[3, v => v], [1, v => `{"b":${v}}`], [1, v => `[1,${v}]`], [1, v => `{"a":[{"b":${v}}],"c":"d"}`], [0.5, v => `[${v},{"z":[]}]`]])(value);
  members.list.splice(random.below(members.list.length + 1), 0, [random.pick(['content', 'toolUseResult', 'a', 'data']), new Raw(hidden)]);
  return members;
}

/** Bytes changed as crashes, other writers and disks change them. */
function damage(random, line, other) {
  const at = random.below(line.length + 1), to = Math.min(line.length, at + random.between(1, 6));
  return random.pick([
    () => line.slice(0, at),
    () => line.slice(at),
    () => line.slice(0, at) + other,
    () => line + other,
    () => `{"type":"pr-link","prNu${line}`,
    () => line.slice(0, at) + '\0'.repeat(random.between(1, 70)) + line.slice(to),
    () => '\0'.repeat(random.between(1, 200)) + line,
    () => line.slice(0, at) + String.fromCharCode(random.below(256)) + line.slice(to).replaceAll('\n', ''),
    () => line.slice(0, at) + random.pick([...'{}[],:"\\ \t\r0-.eE+tfn/\x00\x1f\x7f\x80\xc2\xe2\xff']) + line.slice(at),
    () => line.slice(0, at) + line.slice(to),
    () => line.slice(0, at) + line.slice(at).replace(/["{}[\],:]/, ''),
    () => line + random.pick([',', '}', ' x', '\0', '\xc2\xa0', ' ', '\t', '\x0c', '\xef\xbb\xbf', ' {}', ' null']),
    () => random.pick([' ', '\t', '\xc2\xa0', '\x0b', '\xef\xbb\xbf', ',', '[', '\x00', '\r']) + line,
    () => line.replace(/:("[^"\\]*"|\d+|null|true|false)/, `:${random.pick(BAD_VALUES).replaceAll('$', '')}`),
  ])().replaceAll('\n', ' ');
}

/** One message as bytes. */
function messageLine(random, mood, ids, value) {
  let members = new Members(value);
  if (random.chance(mood.lexical)) members = disturb(random, members, mood, ids);
  if (random.chance(mood.lexical * 0.5)) members = plant(random, members, random.pick(ODD_VALUES));
  if (random.chance(mood.dirt * 0.5)) members = plant(random, members, random.pick(BAD_VALUES));
  if (random.chance(0.004)) members = plant(random, members, random.pick(NEST)(random.pick([5, 63, 64, 65, 130, 600, 1030, 5000])));
  return write(random, members, styles(random));
}

/** What the last messages of a turn with a Stop hook look like, or nearly look like. */
function stopHookLines(random, mood, ids, parent) {
  const own = Array.from({ length: random.pick([3, 3, 4]) }, () => new Raw(newId(random, mood.ids)));
  const toolUse = new Raw(random.pick(['"toolu_1"', '"toolu_1"', ...FALSY, '1', 'true', '{}', '[]', ...random.pick(FAMILIES)]));
  const lines = stopHookTail(random, { ids: own, parent: new Raw(parent ?? 'null'), toolUse }).map(value => new Members(value));
  ids.push(...own.map(id => id.text));
  if (random.chance(0.4)) return lines;
  const set = (line, name, value) => {
    const i = line?.list.findIndex(([key]) => key === name) ?? -1;
    if (i >= 0) line.list[i] = [name, value];
  };
  const data = random.pick([null, 'hook_progress', [], ['hook_progress'], 1, {}, { type: 'hook_progress' }, { hookEvent: 'Stop' },
    { type: 'hook_progress', hookEvent: 'SubagentStop' }, { type: 'hook_progress', hookEvent: 'stop' }, { hookEvent: 'Stop', x: { type: 'no' }, type: 'hook_progress' },
    { data: { type: 'hook_progress', hookEvent: 'Stop' } }, { type: ['hook_progress'], hookEvent: 'Stop' }, { type: 'x', hookEvent: 'x', a: { type: 'hook_progress', hookEvent: 'Stop' } },
    new Raw('{"type":"x","type":"hook_progress","hookEvent":"Stop"}'), new Raw('{"type":"hook_progress","type":"x","hookEvent":"Stop"}'),
    new Raw('{"ty\\u0070e":"hook\\u005fprogress","hookEvent":"\\u0053top"}'), new Raw('{ "hookEvent" : "Stop" , "type" : "hook_progress" }'), new Raw('[{"type":"hook_progress","hookEvent":"Stop"}]'),
    new Raw('{"type":"hook_progress","hookEvent":"Stop","type":null}'), new Raw('{"type":"hook_progress","hookEvent":"Stop","hookEvent":{}}')]);
  const same = random.pick(FAMILIES);
  random.pick([
    () => set(lines[1], 'data', data),
    () => set(lines[1], 'data', data),
    () => lines[1].list.push(['data', random.pick([data, { type: 'hook_progress', hookEvent: 'Stop' }])]), // the last one counts
    () => { for (const line of lines.slice(1, 3)) set(line, 'toolUseID', new Raw(random.pick(same))); },
    () => set(lines[2], 'toolUseID', undefined),
    () => set(random.pick(lines), 'type', random.pick(['assistant', 'system', 'progress', 'user', 1, null, new Raw('"\\u0070rogress"'), new Raw('"ass\\u0069stant"'), 'assistant ', ['assistant'], 'assistan'])),
    () => set(random.pick(lines.slice(2)), 'subtype', random.pick(['stop_hook_summary', 'turn_duration', 'stop_hook', null, 1, new Raw('"stop\\u005fhook_summary"'), new Raw('"turn_duratio\\u006e"')])),
    () => set(random.pick(lines), 'parentUuid', new Raw(random.pick([newId(random, mood.ids), random.pick(ids), 'null', '{}']))),
    () => random.pick(lines).list.push(['type', random.pick(['assistant', 'progress', 'system', 'x'])]),
    () => random.pick(lines).list.push([random.pick(['toolUseID', 'subtype']), random.pick(['toolu_1', 'stop_hook_summary', 'turn_duration', null, 1])]),
    () => lines.splice(random.between(1, 2), 0, new Members(message(random, { id: new Raw(newId(random, mood.ids)), parent: own[0] }))),
    () => lines.push(new Members(metadata(random) ?? {})),
    () => lines.push(new Members(message(random, { id: new Raw(newId(random, mood.ids)), parent: own.at(-1) }))),
    () => random.shuffle(lines),
    () => lines.forEach(line => random.shuffle(line.list)),
    () => lines.forEach(line => disturb(random, line, mood, ids)),
    () => lines.splice(random.below(3), 1),
  ])();
  return lines;
}

/** A compaction that kept messages, which it has put behind `anchor`. */
function keptBoundary(random, mood, ids, anchor) {
  const id = newId(random, mood.ids), kept = { anchorUuid: new Raw(anchor) };
  ids.push(id);
  const compactMetadata = random.pick([
    { trigger: 'manual', preservedSegment: { headUuid: 'h', ...kept, tailUuid: 't' } },
    { trigger: 'auto', preservedSegment: { headUuid: 'h', ...kept, tailUuid: 't' }, preservedMessages: { ...kept, uuids: ['h', 't'], allUuids: ['h', 't'] } },
    { preservedMessages: kept }, { preservedMessages: [kept] }, { preservedSegment: 'x', ...kept }, new Raw(`[{"preservedSegment":{"anchorUuid":${anchor}}}]`),
    new Raw(`{"preservedSegment":{"anchorUuid":${anchor}},"preservedSegment":null}`), new Raw(`{ "preserved\\u0053egment" : { "anchorUuid" : ${anchor} } }`),
  ]);
  return new Members({ ...message(random, { id: new Raw(id), parent: null }, 'boundary'), compactMetadata, ...(random.chance(0.1) && { subtype: 'init' }) });
}

const BLANKS = ['', '', ' ', '\t', '\r', '\xc2\xa0', '\xe2\x80\xa8', '\xef\xbb\xbf', '\0', '\0'.repeat(100), '{', '}', '{}', '[]', 'null', '""', '\\', '"', ','];

/** One file. */
export function zooFile(random) {
  const mood = moodOf(random);
  const ids = Array.from({ length: mood.lines }, () => newId(random, mood.ids));
  for (let i = 1; i < ids.length; i++) if (random.chance(mood.again)) ids[i] = ids[random.below(i)];
  const parents = ids.map((_, at) => parentOf(random, mood, ids, at));
  const values = ids.map((id, at) => message(random, { id: new Raw(id), parent: parents[at] === undefined ? undefined : new Raw(parents[at]) }));
  for (const parent of parents)
    if (parent !== undefined && random.chance(mood.kept)) values.splice(random.below(values.length + 1), 0, keptBoundary(random, mood, ids, parent));
  if (random.chance(0.1)) random.shuffle(values);
  if (random.chance(0.25)) values.push(...stopHookLines(random, mood, ids, ids.at(-1)));
  const lines = [];
  for (const value of values) {
    if (random.chance(mood.metadata)) lines.push(write(random, metadata(random), styles(random)));
    if (random.chance(mood.dirt * 0.3)) lines.push(random.pick(BLANKS));
    const line = messageLine(random, mood, ids, value);
    lines.push(random.chance(mood.dirt) ? damage(random, line, lines.at(-1) ?? '') : line);
  }
  if (random.chance(mood.metadata)) lines.push(write(random, metadata(random), styles(random)));
  let text = lines.map(line => line + (random.chance(mood.glued) ? random.pick(['', '', ' ', '\r']) : mood.crlf ? '\r\n' : '\n')).join('');
  if (random.chance(0.1)) text = text.slice(0, -1); // no newline at the end
  if (random.chance(0.05)) text = text.slice(0, random.below(text.length + 1)); // torn
  if (random.chance(0.02)) text = `\xef\xbb\xbf${text}`;
  return Buffer.from(text, 'latin1');
}

/** A file with lines of megabytes, or nested deeper than a stack is. */
export function giantFile(random) {
  const long = `"${'x'.repeat(random.pick([60_000, 65_534, 65_535, 70_000, 200_000, 2_000_000]))}"`; // some are too long for an id
  const ids = Array.from({ length: 6 }, () => (random.chance(0.1) ? long : `"${random.uuid()}"`));
  const lines = ids.map((id, i) => {
    const members = new Members(message(random, { id: new Raw(id), parent: new Raw(random.pick([ids[Math.max(0, i - 1)], ids[0], `"${random.uuid()}"`, 'null'])) }));
    const big = random.pick([
      () => bytesOf(JSON.stringify(words(random, 50).repeat(random.between(1, 20_000)).slice(0, 3_000_000))),
      () => `"${'\\'.repeat(2 * random.between(1, 500_000))}"`,
      () => `"${'\\"'.repeat(random.between(1, 500_000))}"`,
      () => `"${'\xff'.repeat(random.between(1, 300_000))}"`,
      () => random.pick(NEST)(random.between(1, 300_000)),
      () => `[${'1,'.repeat(random.between(1, 300_000))}1]`,
      () => `${' '.repeat(random.between(1, 1_000_000))}1`,
      () => `"${'\0'.repeat(random.between(1, 1_000_000))}"`,
    ])();
    return write(random, random.chance(0.7) ? plant(random, members, big) : members, styles(random));
  });
  const ends = lines.map(line => (random.chance(0.2) ? random.pick(['', ' ', '\0']) : random.chance(0.1) ? line.slice(0, random.below(line.length)) : '\n'));
  return Buffer.from(lines.map((line, i) => line + ends[i]).join('') + (random.chance(0.5) ? '\n' : ''), 'latin1');
}
