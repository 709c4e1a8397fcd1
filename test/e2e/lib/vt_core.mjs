// Our own terminal, as test/term/vt_driver has it at the other end of a pipe. Many orders may be under way at once.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { BUILD } from './daemon.mjs';

const u16 = (...numbers) => {
  const bytes = Buffer.alloc(numbers.length * 2);
  numbers.forEach((n, i) => bytes.writeUInt16LE(n, i * 2));
  return bytes;
};
const u32 = n => Buffer.from([n, n >> 8, n >> 16, n >> 24]);
const ALL_LINES = 1 << 30;

export class Core {
  #child;
  #waiting = [];
  #orders = [];
  #pieces = [];
  #bytes = 0;
  #wanted = null;

  constructor({ program = path.join(BUILD, 'test/term/vt_driver') } = {}) {
    this.#child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', piece => this.#read(piece));
    this.ended = new Promise(resolve => this.#child.on('close', (code, signal) => resolve(signal ?? code)));
    void this.ended.then(how => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error(`vt_driver ended: ${how}`));
    });
  }

  #read(piece) {
    this.#pieces.push(piece);
    this.#bytes += piece.length;
    while (this.#bytes >= (this.#wanted ?? 4)) {
      let all = this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : this.#pieces[0];
      if (this.#wanted === null) {
        this.#wanted = all.readUInt32LE(0);
        all = all.subarray(4);
      } else {
        this.#waiting.shift().resolve(all.subarray(0, this.#wanted));
        all = all.subarray(this.#wanted);
        this.#wanted = null;
      }
      this.#pieces = [all];
      this.#bytes = all.length;
    }
  }

  #order(letter, content = Buffer.alloc(0)) {
    this.#orders.push(Buffer.from(letter), u32(content.length), content);
    return this;
  }

  #ask(letter, content) {
    this.#order(letter, content);
    queueMicrotask(() => this.#send());
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Orders gather until somebody wants to know something. */
  #send() {
    if (this.#orders.length) this.#child.stdin.write(Buffer.concat(this.#orders.splice(0)));
  }

  create(cols, rows, scrollback) { return this.#order('n', Buffer.concat([u16(cols, rows), u32(scrollback)])); }
  feed(bytes) { return this.#order('f', bytes); }
  feedBytes(bytes) { return this.#order('b', bytes); }
  resize(cols, rows) { return this.#order('r', u16(cols, rows)); }
  gap() { return this.#order('g'); }
  restart() { return this.#order('R'); }
  copy(lines = ALL_LINES) { return this.#order('c', u32(lines)); }
  reload() { return this.#order('l'); }
  load(bytes) { return this.#order('L', bytes); }
  save() { return this.#ask('v'); }
  snapshot(lines = ALL_LINES) { return this.#ask('s', u32(lines)); }
  async dump() { return JSON.parse(await this.#ask('d')); }
  async cuts(bytes) { return JSON.parse(await this.#ask('x', bytes)); }
  async memory() { return Number(await this.#ask('m')); }
  async widths() { return (await this.#ask('w')).toString('latin1'); }

  close() {
    this.#child.stdin.end();
    return this.ended;
  }

  kill() {
    this.#child.kill('SIGKILL');
    return this.ended;
  }
}
