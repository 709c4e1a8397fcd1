// Our terminal and xterm.js through the same steps: where they differ, with the fewest steps that show it.

/** Fed behind each case, since it shows what cannot be seen: the pen, character sets, tabs, the saved cursor, the other screen. */
export const PROBES = [
  '\x1b[6nA中\x0eq\x0fq\x1b[6n\r\t\x1b[6n\t\x1b[6n\t\x1b[6n\t\x1b[6n\x1b[Z\x1b[6n', '\x1b8\x1b[6nB\x0eq\x0fq', '\x1b[?1047lC\x1b[6n\x1b8D\x1b[6n\r\t\t\x1b[6n', '\x1b[!p\x1b[2;2HE',
].map(text => Buffer.from(text));

export const bytesOf = step => Buffer.from(step, 'latin1');

/** Bytes that follow each other are fed at once: xterm.js loses characters that are cut in two (its decoder stops at a zero). */
export function perform(target, steps) {
  let bytes = '';
  const flush = () => {
    if (bytes) target.feed(bytesOf(bytes));
    bytes = '';
  };
  for (const step of steps) {
    if (step !== 'gap' && !step.resize) {
      bytes += step;
      continue;
    }
    flush();
    if (step === 'gap') target.gap();
    else target.resize(...step.resize);
  }
  flush();
}

/** Where to look in between: not inside a character, see above. */
function* stages(steps) {
  const far = Math.max(3, Math.ceil(steps.length / 4));
  for (let from = 0, to = 1; to <= steps.length; to++) {
    const last = steps[to - 1];
    if (to < steps.length && (to - from < far || (typeof last === 'string' && last.charCodeAt(last.length - 1) > 0x7f))) continue;
    yield steps.slice(from, to);
    from = to;
  }
}

/** [where, dump] on the way, at the end of the steps and behind each probe. The dumps of a Core are promises. */
export function watch(target, steps) {
  const seen = [];
  let done = 0;
  for (const stage of stages(steps)) {
    perform(target, stage);
    done += stage.length;
    seen.push([done < steps.length ? `after ${done} steps` : 'at the end', target.dump()]);
  }
  for (const [i, probe] of PROBES.entries()) {
    target.feed(probe);
    seen.push([`behind probe ${i + 1}`, target.dump()]);
  }
  return seen;
}

const FIELDS = ['cols', 'rows', 'cursorCol', 'cursorRow', 'cursorVisible', 'alternate', 'scrollback', 'title', 'replies', 'bells', 'events'];

/** Our name is ours (XTVERSION); what xterm.js says (DECRQSS) of SGR and of the cursor's shape is always the same. */
const told = value => (typeof value === 'string' ? value.replace(/\x1bP>\|ostler\([\w.]+\)\x1b\\/g, '').replace(/\x1bP1\$r[\d;:]*( q|m)\x1b\\/g, '\x1bP1$r$1\x1b\\') : value);

/** What differs between two dumps, as lines for people; none when they are the same. */
export function differences(got, want, { ignore = [], exact = true } = {}) {
  const found = [];
  for (const field of FIELDS)
    if (!ignore.includes(field) && field in got && field in want && told(got[field]) !== told(want[field])) found.push(`${field}: got ${show(got[field])}, xterm.js has ${show(want[field])}`);
  for (const mode of Object.keys(want.modes))
    if (!ignore.includes(mode) && got.modes[mode] !== want.modes[mode]) found.push(`mode ${mode}: got ${show(got.modes[mode])}, xterm.js has ${show(want.modes[mode])}`);
  const rows = Math.max(got.lines.length, want.lines.length);
  for (let i = 0; i < rows; i++) {
    const [a, b] = [got, want].map(({ lines }) => JSON.stringify(exact ? lines.at(i) : shown(lines.at(i))));
    if (a !== b) found.push(`row ${i - want.scrollback}:\n    got      ${showRow(got.lines.at(i))}\n    xterm.js ${showRow(want.lines.at(i))}`);
  }
  for (const [i, text] of (got.texts ?? []).entries())
    if (text !== textOf(got.lines[i])) found.push(`text of row ${i - got.scrollback}: got ${show(text)}, its cells are ${showRow(got.lines[i])}`);
  return found;
}

/** What an empty cell shows of its style: xterm.js draws neither lines nor anything else there. */
const shownOfBlank = style => style.match(/ inverse| bg=\S+/g)?.join('') ?? '';

/** [wraps, [style, text], …] cell by cell, with what cannot be told apart made the same: halves of wide characters without the other half are blanks. */
function shown(row) {
  if (!row) return row;
  const [wraps, ...runs] = row, cells = [];
  for (let i = 0; i < runs.length; i += 2) {
    const text = runs[i + 1].replace(/(\x032[^\x04]*\x04)(\x02)?|\x02/g, (all, left, right) => (left && right ? all : '\x01'));
    for (const [cell] of text.matchAll(/\x03\d[^\x04]*\x04|[^]/gu)) cells.push([cell === '\x01' ? shownOfBlank(runs[i]) : runs[i], cell]);
  }
  while (cells.length && cells.at(-1)[0] === '' && cells.at(-1)[1] === '\x01') cells.pop();
  return [wraps, ...cells];
}

const HALF = /\x032[^\x04]*\x04(?!\x02)|(?<!\x04)\x02/;
export const hasHalves = ({ lines }) => lines.some(row => row.some(text => HALF.test(text)));

const textOf = ([, ...runs]) => runs.filter((_, i) => i % 2).join('').replaceAll('\x01', ' ').replace(/\x02|\x03\d|\x04/g, '').replace(/ +$/, '');

export const show = value => JSON.stringify(value)?.replace(/\\u001b/g, '\\e').replace(/[\u007f-\u009f\u0300-\u036f\u200b-\u200f\ufe00-\ufe0f]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Cells: · is empty, < the right half of a wide one, (2:x) of a width or with more than one character. */
function showRow(row) {
  if (!row) return '(no such row)';
  const [wraps, ...runs] = row, parts = [];
  for (let i = 0; i < runs.length; i += 2) {
    const text = runs[i + 1].replaceAll('\x01', '·').replaceAll('\x02', '<').replace(/\x03(\d)([^\x04]*)\x04/g, '($1:$2)');
    parts.push(runs[i] ? `{${runs[i].trim()}}${text}{}` : text);
  }
  return show(parts.join('')) + (wraps ? ' wraps' : '');
}

export function showCase({ cols, rows, scrollback, steps, cut }) {
  const one = (step, i) => `${cut === i ? '✂ ' : ''}${step === 'gap' ? 'gap' : step.resize ? `resize ${step.resize.join('×')}` : showBytes(step)}`;
  return `${cols}×${rows}, scrollback ${scrollback}: ${steps.map(one).join(' · ')}${cut === steps.length ? ' ✂' : ''}`;
}

/** As printf(1) takes it, characters left as they are. */
function showBytes(step) {
  const text = bytesOf(step).toString('utf8');
  const readable = text.includes('\ufffd') ? step : text;
  return `'${[...readable].map(c => {
    const code = c.codePointAt(0), name = { '\x1b': '\\e', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\x07': '\\a', '\\': '\\\\', "'": "\\'" }[c];
    if (name) return name;
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (readable === step && code > 0x7f) ? `\\x${code.toString(16).padStart(2, '0')}` : /\p{M}|\p{Cf}/u.test(c) ? `\\u{${code.toString(16)}}` : c;
  }).join('')}'`;
}

/** Smaller cases that may still fail: halves, then single steps left out, then shorter steps. */
function* smaller(test) {
  const { steps } = test;
  const without = (from, n) => ({ ...test, steps: [...steps.slice(0, from), ...steps.slice(from + n)],
    ...(test.cut === undefined ? {} : { cut: test.cut <= from ? test.cut : Math.max(from, test.cut - n) }) });
  for (let n = steps.length >> 1; n >= 1; n >>= 1)
    for (let from = 0; from + n <= steps.length; from += n) yield without(from, n);
  for (let i = 0; i < steps.length; i++) {
    if (typeof steps[i] !== 'string' || steps[i] === 'gap') continue;
    const units = steps[i].match(/[\xc2-\xf4][\x80-\xbf]+|[^]/g); /* whole characters, where they are */
    const replaced = step => ({ ...test, steps: steps.map((old, at) => (at === i ? step : old)) });
    for (let n = units.length >> 1; n >= 1; n >>= 1)
      for (let from = 0; from + n <= units.length; from += n) if (n < units.length) yield replaced([...units.slice(0, from), ...units.slice(from + n)].join(''));
  }
  if (test.scrollback > 0) yield { ...test, scrollback: test.scrollback > 5 ? 5 : 0 };
  for (const [cols, rows] of [[test.cols >> 1, test.rows], [test.cols - 1, test.rows], [test.cols, test.rows >> 1], [test.cols, test.rows - 1]])
    if (cols >= 2 && rows >= 1 && (cols !== test.cols || rows !== test.rows)) yield { ...test, cols, rows };
}

/** `fails` tells of a case whether it still shows the difference. */
export async function shrink(test, fails, { tries = 3000 } = {}) {
  for (let again = true; again;) {
    again = false;
    for (const candidate of smaller(test)) {
      if (--tries < 0) return test;
      if (await fails(candidate)) {
        test = candidate;
        again = true;
        break;
      }
    }
  }
  return test;
}
