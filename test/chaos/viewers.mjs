// Terminals whose programs print bytes that are known, and viewers that compare each of them.
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { alive } from '../e2e/lib/keeper.mjs';
import { expected, lastLine, LINE_BYTES, PRINTER } from '../e2e/lib/printer.mjs';
import { makeTerminal, Tty, WebSocket } from '../e2e/lib/tty.mjs';

const REWIND_BYTES = 64 << 10, NOT_FOUND = 4404, AGAIN_MS = 20;

/** A program in a terminal of ours that must live until it is told to stop. */
export class Printer {
  static async start(world, name, { pause, lines, cwd }) {
    const printer = new Printer(), stop = path.join(world.work, `${name}.stop`);
    const made = await makeTerminal(world.daemon, { argv: ['perl', '-e', PRINTER, stop, String(pause), String(lines)], workingDir: cwd, label: name });
    const { pid, epoch } = await world.daemon.get(`/api/terminals/${made.terminalId}`);
    return Object.assign(printer, { world, name, stop, ...made, pid, epoch, born: startOf(pid), total: null });
  }

  /** Is it the same process, and not stopped? */
  check() {
    if (!alive(this.pid) || startOf(this.pid) !== this.born) this.world.broken('no program is killed', `${this.name} (${this.pid})`);
    else if (/^State:\s+T/m.test(fs.readFileSync(`/proc/${this.pid}/status`, 'utf8'))) this.world.broken('no program is stopped', this.name);
  }

  end() {
    fs.writeFileSync(this.stop, '');
  }
}

/** When a process began, in clock ticks. */
function startOf(pid) {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ')[19];
  } catch {
    return null;
  }
}

/** Follows one terminal over every loss of its connection. `exact`: each byte; otherwise a snapshot may stand for some. */
export class Viewer {
  constructor(world, name, printer, { exact }) {
    Object.assign(this, { world, printer, exact, random: world.random(name), checked: 0, last: null });
    this.tty = new Tty(world.daemon, `/ws/session/${printer.sessionId}/worker/${printer.terminalId}`,
      { exact, epoch: printer.epoch, offset: exact ? 0 : null });
    this.tty.on('news', () => this.#look());
  }

  #wrong(invariant, detail) {
    this.world.broken(invariant, `${this.printer.name}, ${this.exact ? 'every byte' : 'screens'}: ${detail}`);
  }

  /** What came is what the program has printed there. */
  #look() {
    const { tty } = this;
    if (tty.snapshots && this.exact) this.#wrong('who asks for every byte gets no screen instead', `at ${tty.offset}`);
    if (tty.gaps.length) this.#wrong('no byte is lost', `a gap ${JSON.stringify(tty.gaps)}`);
    if (tty.snapshot) this.#lookAtScreen(tty.snapshot);
    tty.snapshot = null;
    let from = tty.offset - tty.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    for (const chunk of tty.chunks.splice(0)) {
      this.#compare(from, chunk.toString('latin1'));
      from += chunk.length;
    }
    tty.messages.splice(0);
    tty.gaps.splice(0);
  }

  #compare(from, text) {
    const at = text.indexOf('last'), body = at < 0 ? text : text.slice(0, at), want = expected(from, from + body.length);
    const tail = at < 0 ? '' : text.slice(at);
    if (at >= 0) this.last = (from + at) / LINE_BYTES;
    this.checked += text.length;
    if (body === want && (this.last === null || lastLine(this.last).includes(tail))) return;
    const wrong = [...body].findIndex((letter, i) => letter !== want[i]);
    this.#wrong('every byte is what was printed, where it was printed',
      `offset ${from + wrong}: ${JSON.stringify(body.slice(wrong, wrong + 80))}, not ${JSON.stringify(want.slice(wrong, wrong + 80))}`);
  }

  #lookAtScreen(bytes) {
    const line = Math.floor(this.tty.offset / LINE_BYTES) - 1;
    this.world.count('screens');
    if (line >= 0 && !bytes.toString('latin1').includes(String(line).padStart(9, '0')))
      this.#wrong('a screen shows what was printed before it', `at offset ${this.tty.offset} not line ${line}`);
  }

  /** What it has seen is all that there will be. */
  get done() {
    return this.last !== null && this.tty.offset === (this.last + 1) * LINE_BYTES;
  }

  async run() {
    while (!this.done && !this.world.problems.length) {
      await this.tty.open();
      if (this.tty.ws.readyState === WebSocket.OPEN) await this.#follow();
      if (this.tty.closeCode === NOT_FOUND) this.#wrong('a terminal that is there is found', this.tty.closeReason);
      this.tty.closeCode = undefined;
      if (this.last === null) this.#forget();
      if (!this.done) await new Promise(resolve => { setTimeout(resolve, AGAIN_MS); });
    }
  }

  /** Until the connection is lost, or there will be no more. */
  async #follow() {
    const { tty, random } = this, { ws } = tty;
    this.world.count('viewers connected');
    if (random.chance(0.3)) tty.send({ type: 'resize', cols: random.between(40, 200), rows: random.between(10, 60) });
    while (!this.done && ws.readyState === WebSocket.OPEN) await once(tty, 'news');
    ws.terminate();
  }

  /** A page that comes back may have lost some of what it had, or all of it. */
  #forget() {
    const { tty, random } = this;
    if (!random.chance(0.2)) return;
    if (this.exact) tty.offset -= Math.min(tty.offset, random.below(REWIND_BYTES));
    else tty.offset = null;
  }

  /** Its connection is lost: the process that had it was killed. */
  drop() {
    this.tty.ws?._socket?.resetAndDestroy();
  }

  /** Reads nothing for so long. */
  async dawdle(ms) {
    const socket = this.tty.ws?._socket;
    socket?.pause();
    await this.world.pause(ms);
    socket?.resume();
  }
}
