// xterm.js without a browser, with the orders and the dump of test/term/vt_driver: what our own terminal is held to.
//
// The public interface does not tell modes, underlines and links, so this looks inside; the version is pinned for that reason too.
import headless from '@xterm/headless';
import { EXCEPTIONS } from './xterm_exceptions.mjs';

const FLAGS = { fg: { inverse: 1 << 26, bold: 1 << 27, underline: 1 << 28, blink: 1 << 29, invisible: 1 << 30, strike: 1 << 31 },
  bg: { italic: 1 << 26, dim: 1 << 27, extended: 1 << 28, overline: 1 << 30 } };
const MODE = { mask: 3 << 24, rgb: 3 << 24 };
const CONTENT = { code: 0x1fffff, combined: 0x200000, widthShift: 22 };
const MOUSE = { NONE: 0, X10: 9, VT200: 1000, DRAG: 1002, ANY: 1003 };
const ENCODING = { DEFAULT: 0, SGR: 1006, SGR_PIXELS: 1016 };
const STYLE = { block: 2, underline: 4, bar: 6 };
const WINDOW = { getWinSizeChars: true, getWinSizePixels: true, getCellSizePixels: true, pushTitle: true, popTitle: true };
const CELL_PIXELS = [16, 8]; /* height and width, as we say */
const SPECIAL = { 256: 10, 257: 11 }; /* the colours that programs ask for, and the numbers they ask with */

/** Widths of every code point, as text of digits: those of our own terminal, since the page's xterm.js is given the same. */
export class Widths {
  constructor(digits) {
    this.version = 'ostler';
    this.table = Uint8Array.from(Buffer.from(digits, 'latin1'), c => (c === 0x2d ? 0 : c - 0x30));
  }

  wcwidth(code) {
    return this.table[code];
  }

  /** Zero-width characters join what is before them, and take over its width. */
  charProperties(code, preceding) {
    const before = (preceding >> 1) & 3, own = this.wcwidth(code);
    const join = own === 0 && preceding !== 0 && before !== 0;
    return (Math.max(own, join ? before : 0) << 1) | (join ? 1 : 0);
  }
}

/** A cell of ours holds so many bytes; marks that are too many are left out. */
const CELL_BYTES = 63;
function fitting(text) {
  let kept = '', bytes = 0;
  for (const c of text) {
    const more = Buffer.byteLength(c);
    if (bytes + more <= CELL_BYTES) [kept, bytes] = [kept + c, bytes + more];
  }
  return kept;
}

const color = (name, value) =>
  (value & MODE.mask) === 0 ? '' :
    (value & MODE.mask) === MODE.rgb ? ` ${name}=#${(value & 0xffffff).toString(16).padStart(6, '0')}` : ` ${name}=${value & 0xff}`;

/** It lost rows of its own screen: nothing can be learnt from it any more. */
export class OracleBroken extends Error {}

export class Oracle {
  #colors;

  constructor(widths) {
    this.widths = widths;
  }

  create(cols, rows, scrollback) {
    this.terminal?.dispose();
    this.terminal = new headless.Terminal({ cols, rows, scrollback, allowProposedApi: true, logLevel: 'off', windowOptions: WINDOW });
    this.core = this.terminal._core;
    this.replies = '';
    this.title = '';
    this.bells = 0;
    this.links = new Map();
    this.#colors = { 256: 0x112233, 257: 0x112234 };
    if (this.widths) {
      this.terminal.unicode.register(this.widths);
      this.terminal.unicode.activeVersion = this.widths.version;
    }
    const { normal, alt } = this.core.buffers; /* its housekeeping complains about slow machines */
    for (const buffer of [normal, alt]) buffer._memoryCleanupQueue.enqueue = () => {};
    this.terminal.onData(data => { this.replies += data; });
    this.terminal.onTitleChange(title => { this.title = title; });
    this.terminal.onBell(() => { this.bells++; });
    this.#rememberLinks();
    this.#answerColors();
    this.core._inputHandler.onRequestWindowsOptionsReport(what => {
      const [height, width] = CELL_PIXELS;
      this.replies += what ? `\x1b[6;${height};${width}t` : `\x1b[4;${this.core.rows * height};${this.core.cols * width}t`;
    });
    for (const { mend } of EXCEPTIONS) mend(this.core);
    this.#check();
    return this;
  }

  /** It forgets a link's target when the line where it began is gone, though its text may still be there. */
  #rememberLinks() {
    const service = this.core._oscLinkService, register = service.registerLink.bind(service);
    service.registerLink = link => {
      const id = register(link);
      this.links.set(id, link.uri);
      return id;
    };
  }

  /** As a browser's xterm.js does it. */
  #answerColors() {
    this.core._inputHandler.onColor(events => {
      for (const { type, index, color: set } of events) {
        if (!(index in SPECIAL)) continue;
        if (type === 1) this.#colors[index] = (set[0] << 16) | (set[1] << 8) | set[2];
        if (type === 0) {
          const hex = this.#colors[index].toString(16).padStart(6, '0').match(/../g).map(pair => pair + pair).join('/');
          this.replies += `\x1b]${SPECIAL[index]};rgb:${hex}\x1b\\`;
        }
      }
    });
  }

  feed(bytes) {
    this.core._writeBuffer.writeSync(bytes);
    this.#check();
  }

  resize(cols, rows) {
    this.terminal.resize(cols, rows);
    this.#check();
  }

  #check() {
    const { active, normal } = this.core.buffers;
    for (const { lines, ybase } of [active, normal]) if (lines.length < ybase + this.core.rows) throw new OracleBroken('rows are missing');
  }

  gap() {
    this.core._inputHandler._parser.reset();
    this.core._inputHandler._utf8Decoder.clear();
  }

  #style(fg, bg, extended) {
    let style = '';
    if (fg & FLAGS.fg.bold) style += ' bold';
    if (bg & FLAGS.bg.dim) style += ' dim';
    if (bg & FLAGS.bg.italic) style += ' italic';
    if (fg & FLAGS.fg.blink) style += ' blink';
    if (fg & FLAGS.fg.inverse) style += ' inverse';
    if (fg & FLAGS.fg.invisible) style += ' invisible';
    if (fg & FLAGS.fg.strike) style += ' strike';
    if (bg & FLAGS.bg.overline) style += ' overline';
    /* Its own getter says "dashed" for every link, and "none" for what is drawn as a single line all the same. */
    const more = bg & FLAGS.bg.extended ? extended : null;
    const underline = fg & FLAGS.fg.underline ? (more && (more._ext >> 26) & 7) || 1 : 0;
    if (underline) style += ` underline=${underline}`;
    style += color('fg', fg) + color('bg', bg);
    if (more && (underline || more.urlId)) style += color('line', more.underlineColor);
    if (more?.urlId) style += ` link=${this.links.get(more.urlId)}`;
    return style;
  }

  #text(content, line, col) {
    const width = content >>> CONTENT.widthShift, code = content & CONTENT.code;
    if (content & CONTENT.combined) return `\x03${width}${fitting(line._combined[col])}\x04`;
    if (code === 0) return width === 1 ? '\x01' : width === 0 ? '\x02' : `\x03${width}\x04`;
    const text = String.fromCodePoint(code);
    return width === 1 ? text : `\x03${width}${text}\x04`;
  }

  #row(lines, index) {
    const line = lines.get(index), row = [index + 1 < lines.length && lines.get(index + 1).isWrapped ? 1 : 0], data = line._data;
    let n = Math.min(line.length, this.core.cols);
    while (n > 0 && data[n * 3 - 3] === 1 << CONTENT.widthShift && this.#style(data[n * 3 - 2], data[n * 3 - 1], line._extendedAttrs[n - 1]) === '') n--;
    let style, text = '';
    for (let col = 0; col < n; col++) {
      const at = col * 3, own = this.#style(data[at + 1], data[at + 2], line._extendedAttrs[col]);
      if (col > 0 && own !== style) {
        row.push(style, text);
        text = '';
      }
      style = own;
      text += this.#text(data[at], line, col);
    }
    if (n > 0) row.push(style, text);
    return row;
  }

  #modes(buffer) {
    const { modes, decPrivateModes: dec } = this.core.coreService, mouse = this.core.coreMouseService;
    return {
      applicationCursor: dec.applicationCursorKeys, applicationKeypad: dec.applicationKeypad, origin: dec.origin, wrap: dec.wraparound,
      insert: modes.insertMode, newline: this.core.options.convertEol, bracketedPaste: dec.bracketedPasteMode, focus: dec.sendFocus,
      synchronized: dec.synchronizedOutput, reverseWrap: dec.reverseWraparound,
      mouse: MOUSE[mouse.activeProtocol], mouseEncoding: ENCODING[mouse.activeEncoding],
      cursorStyle: dec.cursorStyle ? STYLE[dec.cursorStyle] - (dec.cursorBlink ? 1 : 0) : 0,
      scrollTop: buffer.scrollTop, scrollBottom: buffer.scrollBottom,
    };
  }

  /** The scrollback is the main screen's, whichever is shown. */
  dump() {
    const { normal, active } = this.core.buffers, lines = [];
    for (let i = 0; i < normal.ybase; i++) lines.push(this.#row(normal.lines, i));
    for (let i = 0; i < this.core.rows; i++) lines.push(this.#row(active.lines, active.ybase + i));
    return {
      cols: this.core.cols, rows: this.core.rows, cursorCol: active.x, cursorRow: active.y,
      cursorVisible: !this.core.coreService.isCursorHidden, alternate: active !== normal, scrollback: normal.ybase,
      title: this.title, replies: this.replies, bells: this.bells, modes: this.#modes(active), lines,
    };
  }
}
