// What programs write to terminals, drawn at random: pieces of a grammar, weighted so that they meet where emulators go wrong
// (wide characters at margins, a wrap that is due, scroll regions with origin mode, sizes that change in between).
//
// A case is { cols, rows, scrollback, steps }; a step is bytes to feed, { resize: [cols, rows] }, or 'gap'.

const ESC = '\x1b', CSI = '\x1b[';
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-_#~|`';
const WIDE = ['中', '文', '日', '本', '한', '글', 'あ', 'ア', '！', '😀', '🚀', '🎉', '👍', '⌚', '✅', '❌'];
const NARROW = ['é', 'ß', 'Ω', 'я', '─', '│', '┌', '█', '░', '…', '✓', '⠋', '❯', '�', '\u00a0', '\u{1d400}', 'ﬁ', '©', '🖥', '☃'];
const ZERO = ['\u0301', '\u0308', '\u20dd', '\u200d', '\ufe0f', '\ufe0e', '\u200b', '\u0e31', '\u0610'];
const CLUSTERS = ['e\u0301', '👩\u200d👩\u200d👧', '❤\ufe0f', '🇩🇪', '🇯🇵', '1\ufe0f\u20e3', '👍🏽', '🏳\ufe0f\u200d🌈', 'กำ', '각', 'a\u0300\u0301\u0302\u0303'];
const BAD_UTF8 = ['\xff', '\xfe', '\xc0\x80', '\xc3', '\xe2\x82', '\xf0\x9f', '\xf0\x9f\x98', '\xed\xa0\x80', '\xf5\x80\x80\x80', '\x80', '\xbf', '\xe0\x80\x80', '\xc3(',
  '\xe2\x82(', '\xf4\x90\x80\x80', '\xef\xbb\xbf', '\xc2', '\xf8\x88\x80\x80\x80'];
const PRIVATE_MODES = [1, 3, 5, 6, 6, 7, 7, 7, 12, 25, 45, 45, 66, 9, 1000, 1002, 1003, 1004, 1006, 1016, 1048, 1049, 1049, 47, 1047, 2004, 2026];
const ASKED_MODES = [1, 2, 4, 6, 7, 8, 9, 12, 20, 25, 45, 47, 66, 67, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1047, 1048, 1049, 2004, 2026, 9999];
const URIS = ['http://a.example/', 'file:///tmp/x', 'http://b.example/?q=1;2', 'mailto:me@example.org'];

const utf8 = text => Buffer.from(text, 'utf8').toString('latin1');

/** Steps hold bytes as Latin-1 text: one character a byte, easy to print and to cut. */
export class Streams {
  constructor(random) {
    this.random = random;
  }

  one() {
    const { random } = this;
    this.cols = random.weighted([[6, random.between(2, 12)], [2, random.between(13, 40)], [1, 80]]);
    this.rows = random.weighted([[6, random.between(1, 6)], [2, random.between(7, 15)], [1, 24]]);
    const scrollback = random.weighted([[1, 0], [4, random.between(1, 20)], [2, 1000]]);
    const cols = this.cols, rows = this.rows, steps = random.chance(0.7) ? this.fill() : [];
    for (let n = random.weighted([[4, random.between(1, 12)], [4, random.between(12, 40)], [1, random.between(40, 150)]]); n > 0; n--) steps.push(this.step());
    return { cols, rows, scrollback, steps };
  }

  /** A screen with something on it, so that what moves and erases can be seen. */
  fill() {
    const { random } = this;
    const line = () => random.weighted([[3, () => this.letters(random.between(1, this.cols))], [3, () => this.letters(this.cols)], [1, () => this.letters(this.cols * 2 + 1)],
      [2, () => utf8(Array.from({ length: this.cols >> 1 }, () => random.pick(WIDE)).join(''))], [1, () => `x${utf8(Array.from({ length: this.cols >> 1 }, () => random.pick(WIDE)).join(''))}`],
      [1, () => this.style()], [1, () => this.text()]])();
    const lines = Array.from({ length: this.rows + random.below(6) }, line);
    return [lines.join('\r\n'), random.pick(['', '\x1b[H', this.move(), this.move()])].filter(Boolean);
  }

  step() {
    const { random } = this;
    return random.weighted([
      [30, () => this.text()], [10, () => this.newline()], [14, () => this.move()], [10, () => this.erase()], [8, () => this.edit()],
      [7, () => this.scroll()], [10, () => this.style()], [9, () => this.mode()], [5, () => this.save()], [5, () => this.tab()],
      [4, () => this.repeat()], [3, () => this.charset()], [3, () => this.osc()], [3, () => this.query()], [4, () => this.odd()],
      [1, () => this.reset()], [4, () => this.resize()], [0.3, () => 'gap'],
    ])();
  }

  text() {
    const { random } = this;
    return random.weighted([
      [6, () => this.letters(random.between(1, 8))], [3, () => this.letters(random.between(1, this.cols * 3))],
      [3, () => this.letters(Math.max(1, this.cols + random.between(-2, 2)))],
      [4, () => utf8(random.pick(WIDE))], [2, () => utf8(Array.from({ length: random.between(1, this.cols) }, () => random.pick(WIDE)).join(''))],
      [2, () => utf8(random.pick(NARROW))], [2, () => utf8(random.pick(ZERO))], [2, () => utf8(random.pick(CLUSTERS))],
      [2, () => utf8(Array.from({ length: random.between(1, 9) }, () => random.pick([...WIDE, ...NARROW, ...ZERO, ...CLUSTERS, 'x', 'y'])).join(''))],
      [1, () => random.pick(BAD_UTF8)], [0.5, () => random.pick(BAD_UTF8) + this.letters(2)],
    ])();
  }

  letters(n) {
    return Array.from({ length: n }, () => LETTERS[this.random.below(LETTERS.length)]).join('');
  }

  newline() {
    return this.random.weighted([[5, '\r\n'], [3, '\n'], [3, '\r'], [3, '\b'], [0.5, '\v'], [0.5, '\f'], [1, `${ESC}D`], [1, `${ESC}E`], [2, `${ESC}M`],
      [0.5, utf8('\x84')], [0.5, utf8('\x85')], [0.3, '\x07'], [0.3, '\x00'], [0.3, '\x7f']]);
  }

  /** A number near the borders of the screen, mostly. */
  number(size = this.cols) {
    const { random } = this;
    return random.weighted([[3, ''], [1, 0], [4, 1], [3, 2], [3, random.between(1, Math.max(1, size))], [2, size], [1, size - 1], [1, size + 1], [0.5, 99]]);
  }

  /** Or a huge one: not for what is done again and again, where xterm.js would not come back. */
  anyNumber(size) {
    return this.random.chance(0.05) ? this.random.pick([65535, 2147483647, 2147483648, '99999999999999999999']) : this.number(size);
  }

  move() {
    const { random } = this, row = () => this.anyNumber(this.rows), col = () => this.anyNumber(this.cols);
    return random.weighted([
      [5, () => `${CSI}${row()};${col()}${random.pick('HHHf')}`], [2, () => `${CSI}${row()}H`], [4, () => CSI + row() + random.pick('ABEFde')],
      [4, () => CSI + col() + random.pick('CDG`a')],
    ])();
  }

  erase() {
    const { random } = this;
    return random.weighted([[4, () => `${CSI}${random.pick(['', 0, 1, 2, 3])}J`], [4, () => `${CSI}${random.pick(['', 0, 1, 2])}K`], [3, () => `${CSI}${this.anyNumber()}X`],
      [0.6, () => `${CSI}?${random.pick(['', 0, 1, 2])}${random.pick('JK')}`], [0.6, () => `${CSI}${random.pick([0, 1, 1, 2])}"q`], [0.3, () => `${CSI}7J`]])();
  }

  edit() {
    const { random } = this;
    return random.weighted([[3, () => `${CSI}${this.anyNumber()}@`], [3, () => `${CSI}${this.anyNumber()}P`], [3, () => `${CSI}${this.number(this.rows)}L`],
      [3, () => `${CSI}${this.number(this.rows)}M`], [0.7, () => `${CSI}${this.number()}'${random.pick('}~')}`], [0.7, () => `${CSI}${this.number()} ${random.pick('@A')}`]])();
  }

  scroll() {
    const { random } = this;
    const top = random.between(1, this.rows), bottom = random.between(1, this.rows);
    return random.weighted([[4, () => `${CSI}${Math.min(top, bottom)};${Math.max(top, bottom)}r`], [1, () => `${CSI}r`], [1, () => `${CSI}${this.anyNumber(this.rows)};${this.anyNumber(this.rows)}r`],
      [2, () => `${CSI}${this.number(this.rows)}S`], [2, () => `${CSI}${this.number(this.rows)}T`], [2, () => '\n'.repeat(random.between(1, this.rows + 2))]])();
  }

  style() {
    const { random } = this, byte = () => random.pick([0, 1, 9, 127, 255, 256, 300, '']);
    const one = () => random.weighted([
      [4, () => random.pick([0, '', 1, 2, 3, 4, 5, 7, 8, 9, 21, 22, 23, 24, 25, 27, 28, 29, 39, 49, 53, 55, 59])],
      [2, () => random.pick([30, 90, 40, 100]) + random.below(8)],
      [1, () => `${random.pick([38, 48, 58])};5;${byte()}`], [1, () => `${random.pick([38, 48, 58])};2;${byte()};${byte()};${byte()}`],
      [0.7, () => `${random.pick([38, 48, 58])}:5:${byte()}`], [0.7, () => `${random.pick([38, 48, 58])}:2:${random.pick(['', ':', '1:'])}${byte()}:${byte()}:${byte()}`],
      [1, () => `4:${random.pick([0, 1, 2, 3, 4, 5, 6, ''])}`], [0.3, () => random.pick(['38', '48;5', '38;2;1', '38;7;1', '58:2', '38:2:1:2', '4:3:2', '6', '10', '73', '1:2', '38;5', '999'])],
    ])();
    return `${CSI}${Array.from({ length: random.weighted([[5, 1], [3, 2], [1, random.between(3, 8)], [0.1, 40]]) }, one).join(';')}m`;
  }

  mode() {
    const { random } = this;
    const screen = () => `${CSI}?${random.pick([1049, 1049, 47, 1047])}${random.pick('hl')}`;
    return random.weighted([[4, () => `${CSI}?${random.pick(PRIVATE_MODES)}${random.pick('hl')}`], [1, () => `${CSI}?${random.pick(PRIVATE_MODES)};${random.pick(PRIVATE_MODES)}${random.pick('hl')}`],
      [2, () => `${CSI}4${random.pick('hhl')}`], [1, () => `${CSI}20${random.pick('hl')}`], [3, screen], [1, () => `${CSI}?7${random.pick('hl')}`], [1, () => `${CSI}?6${random.pick('hl')}`],
      [0.5, () => ESC + random.pick('=>')], [0.7, () => `${CSI}${random.pick(['', 0, 1, 2, 3, 4, 5, 6])} q`]])();
  }

  save() {
    return this.random.weighted([[3, `${ESC}7`], [3, `${ESC}8`], [1, `${CSI}s`], [1, `${CSI}u`]]);
  }

  tab() {
    const { random } = this;
    return random.weighted([[5, '\t'], [2, `${ESC}H`], [1, `${CSI}g`], [0.7, `${CSI}3g`], [1.5, `${CSI}${this.number(5)}I`], [1.5, `${CSI}${this.number(5)}Z`], [0.3, utf8('\x88')]]);
  }

  /** REP means the last character, and only when nothing came in between: so one is printed first, mostly. */
  repeat() {
    const { random } = this;
    const before = random.weighted([[4, this.letters(1)], [2, utf8(random.pick(WIDE))], [1, utf8(random.pick(CLUSTERS))], [1, '\r'], [1, '']]);
    return `${before}${CSI}${this.number()}b`;
  }

  charset() {
    const { random } = this;
    return random.weighted([[3, `${ESC}(${random.pick('00B0BA')}`], [2, `${ESC})${random.pick('0B')}`], [2, '\x0e'], [2, '\x0f'], [1, `${ESC}(0lqqk${ESC}(B`],
      [0.5, ESC + random.pick('no|}~')], [0.3, `${ESC}%${random.pick('@G')}`], [0.3, `${ESC}${random.pick('*+-.')}${random.pick('0BA')}`]]);
  }

  osc() {
    const { random } = this, end = random.pick(['\x07', `${ESC}\\`, utf8('\x9c'), '\x18', '']);
    return random.weighted([[2, () => `${ESC}]${random.pick([0, 2])};${this.letters(random.below(10))}${end}`], [2, () => `${ESC}]8;${random.pick(['', 'id=a', 'id=b:x=y'])};${random.pick(URIS)}${end}`],
      [2, () => `${ESC}]8;;${end}`], [0.5, () => `${ESC}]2;${utf8('ünï中')}${end}`], [0.5, () => `${ESC}]${random.pick(['', '0', 'x', '2', ';', '999;q', '4;1;red', '10;#ff0000', '11;?', '10;?;?', '8', '52;c;aGk=', '7;file:///x'])}${end}`],
      [0.5, () => `${ESC}]133;${random.pick(['A', 'B', 'C', 'D', 'D;0', 'D;127', 'A;cl=m', 'x'])}${end}`]])();
  }

  /** Not those that xterm.js does not answer, or always in the same way: the pen, the cursor's style, the size of the display. */
  query() {
    const { random } = this;
    return random.weighted([[3, `${CSI}6n`], [1, `${CSI}5n`], [1, `${CSI}?6n`], [1, `${CSI}c`], [0.5, `${CSI}0c`], [0.5, `${CSI}>c`], [2, `${CSI}?${random.pick(ASKED_MODES)}$p`],
      [0.7, `${CSI}${random.pick([2, 4, 12, 20, 99])}$p`], [1, `${ESC}P$q${random.pick(['r', '"q', '"p', 'x'])}${ESC}\\`]]);
  }

  /** What a parser must survive, and come out of at the same byte. */
  odd() {
    const { random } = this;
    return random.weighted([
      [1, () => `${CSI}${random.pick(['\n', '\r', '\b', '\t', '\x00', '\x7f', '\x18', '\x1a'])}${this.number()}${random.pick('ABCDHJKm')}`],
      [1, () => `${CSI}1${random.pick(['\n', '\r', '\x1b', '\x7f'])};2${random.pick('HCm')}`], [1, () => `${ESC}${ESC}[1mA`], [1, () => `${CSI}<=>?1;2m`], [1, () => `${CSI}1 2m`],
      [1, () => `${CSI}${';'.repeat(random.between(1, 60))}1m`], [1, () => `${CSI}1${':1'.repeat(random.between(1, 60))}m`], [1, () => `${CSI}?1;${'2;'.repeat(40)}25l`],
      [1, () => `${ESC}P1;2|${this.letters(9)}${random.pick([`${ESC}\\`, '\x18', '\x1a', utf8('\x9c'), ''])}`], [1, () => `${ESC}Pq#0;2;0;0;0~~@@vv$-${ESC}\\`],
      [1, () => `${ESC}${random.pick('_^X')}${this.letters(6)}${random.pick([`${ESC}\\`, '\x07', '\x18', ''])}`], [1, () => `${CSI}${random.pick('!$#&\'"')}${random.pick('pqrstuvwxyz')}`],
      [1, () => `${CSI}${utf8('é')}m`], [1, () => `${ESC}#${random.pick('34567')}`], [1, () => utf8(String.fromCharCode(random.between(0x80, 0x9f)))],
      [1, () => `${CSI}${random.pick(['18', '22;0', '22;2', '23;0', '23;2', '23', '8;5;5', '14', '16', '21'])}t`], [1, () => `${ESC}${random.pick(' !"#$%&*+-./0123456789:;<Q')}`],
      [0.5, () => utf8('\x9b') + `1${random.pick('Am')}`], [0.5, () => utf8('\x9d') + '2;t\x07'], [0.5, () => `${CSI}>4;2m`], [0.5, () => `${CSI}=1u${CSI}>1u${CSI}<u${CSI}?u`],
    ])();
  }

  reset() {
    return this.random.weighted([[1, `${ESC}c`], [3, `${CSI}!p`], [1, `${CSI}m${ESC}]8;;\x07${CSI}?6l${ESC}#8`]]); /* its E take half of the pen, and the wrong rows, in xterm.js */
  }

  resize() {
    const { random } = this;
    this.cols = random.weighted([[1, this.cols], [4, random.between(2, 14)], [1, random.between(15, 80)]]);
    this.rows = random.weighted([[2, this.rows], [4, random.between(1, 8)], [1, random.between(9, 30)]]);
    return { resize: [this.cols, this.rows] };
  }
}
