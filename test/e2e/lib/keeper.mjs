// The real keeper, and peers that speak its frames (src/term/frame.h).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';
import { BUILD, environment, makeHome } from './daemon.mjs';

/** The one that is shipped, and the same with sanitizers where they are built. */
export const KEEPER = path.join(BUILD, 'ostler-keeper');
const SANITIZED = path.join(BUILD, 'src/keeper/ostler-keeper-test');
export const KEEPERS = [KEEPER, SANITIZED].filter(program => fs.existsSync(program));

export const TYPE = { HELLO: 1, FLOW: 2, INPUT: 3, RESIZE: 4, SIGNAL: 5, END: 6, RELEASE: 7,
  WELCOME: 64, OUTPUT: 65, RESIZED: 66, GAP: 67, EXITED: 68, REFUSED: 69, GUESTS: 70, TAKEN: 71 };
export const DAEMON = 1, GUEST = 2;
export const RING_BYTES = 1 << 20, HOLD_MS = 5000, INPUT_WINDOW = 64 << 10;
export const ALL = (1n << 64n) - 1n;
const WAIT_MS = 60_000;

/** Is it there, and not only as a zombie that nobody has reaped? */
export function alive(pid) {
  try {
    return !/^State:\s+[ZX]/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits for a process of somebody else's, which tells nobody when it ends. */
export async function gone(pid) {
  for (const until = Date.now() + WAIT_MS; alive(pid);) {
    assert.ok(Date.now() < until, `process ${pid} does not end`);
    await new Promise(resolve => { setTimeout(resolve, 5); });
  }
}

export function frame(type, ...parts) {
  const payload = Buffer.concat(parts), head = Buffer.alloc(8);
  head.writeUInt32LE(payload.length, 0);
  head.writeUInt16LE(type, 4);
  return Buffer.concat([head, payload]);
}

export function u64(...numbers) {
  const bytes = Buffer.alloc(8 * numbers.length);
  numbers.forEach((n, i) => bytes.writeBigUInt64LE(BigInt(n), 8 * i));
  return bytes;
}

export function hello({ version = 1, role = DAEMON, epoch = 0, offset = 0, limit = ALL } = {}) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(version, 0);
  head.writeUInt32LE(role, 4);
  return frame(TYPE.HELLO, head, u64(epoch, offset, limit));
}

export class Keeper {
  /** Starts one; `argv` is the program. Fails with the sentence that it says. */
  static async start(t, argv, { program = KEEPER, cols = 80, rows = 24, epoch = 1000, cwd, env = {}, home = makeHome(t), socket, stdio = [] } = {}) {
    socket ??= path.join(home, 'keeper.sock');
    const args = ['--socket', socket, '--epoch', epoch, '--cols', cols, '--rows', rows, ...(cwd ? ['--cwd', cwd] : []), '--', ...argv];
    const reports = path.join(home, 'sanitizer');
    const seen = environment(home, { TERM: 'xterm-256color', ...env });
    seen.ASAN_OPTIONS = [seen.ASAN_OPTIONS, `log_path=${reports}`].filter(Boolean).join(':');
    seen.UBSAN_OPTIONS = [seen.UBSAN_OPTIONS, `log_path=${reports}`, 'print_stacktrace=1'].filter(Boolean).join(':');
    const child = spawn(program, args.map(String), { cwd: home, env: seen, stdio: ['ignore', 'pipe', 'inherit', ...stdio] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', chunk => { said += chunk; });
    const [code] = await once(child, 'close');
    const ok = /^ok (\d+) (\d+) (\d+)\n$/.exec(said);
    assert.equal(code, ok ? 0 : 1, said);
    if (!ok) throw new Error(said.replace(/\n$/, ''));
    const keeper = Object.assign(new Keeper(), { socket, home, epoch, pid: Number(ok[1]), child: Number(ok[2]), childStart: Number(ok[3]) });
    cleanup(t, () => keeper.#end(reports));
    return keeper;
  }

  async #end(reports) {
    for (const pid of [this.pid, this.child])
      if (alive(pid)) process.kill(pid, 'SIGKILL');
    await gone(this.pid);
    for (const name of fs.readdirSync(path.dirname(reports)).filter(name => name.startsWith('sanitizer.')))
      assert.fail(fs.readFileSync(path.join(path.dirname(reports), name), 'utf8'));
  }

  get running() {
    return alive(this.pid);
  }

  /** What the kernel counts for it: `utime` and `stime` together, in clock ticks. */
  get ticks() {
    const fields = fs.readFileSync(`/proc/${this.pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[11]) + Number(fields[12]);
  }

  /** A raw connection. Its path may be too long for a socket's address: then it leads through a descriptor. */
  async dial(t) {
    const dir = fs.openSync(path.dirname(this.socket), fs.constants.O_DIRECTORY | 0o10000000 /* O_PATH */);
    try {
      const socket = net.connect(`/proc/self/fd/${dir}/${path.basename(this.socket)}`);
      socket.on('error', () => {});
      cleanup(t, () => socket.destroy());
      await once(socket, 'connect');
      return socket;
    } finally {
      fs.closeSync(dir);
    }
  }

  /** A peer that has said hello. With `slow` it reads nothing. */
  async connect(t, { slow = false, ...options } = {}) {
    const peer = new Peer(await this.dial(t), options);
    if (slow) peer.socket.pause();
    peer.socket.write(hello(options));
    return peer;
  }

  /** The same, once it is welcome. */
  async join(t, options) {
    const peer = await this.connect(t, options);
    await peer.until(() => peer.welcome, 'a welcome');
    return peer;
  }
}

export class Peer {
  #rest = Buffer.alloc(0);
  #changed = new EventEmitter();

  /** With `keep: false` output is counted, and handed to `onOutput`, but not kept. */
  constructor(socket, { keep = true, onOutput } = {}) {
    Object.assign(this, { socket, keep, onOutput, frames: [], sizes: [], gaps: [], pieces: [], first: null, offset: null, input: 0, taken: 0 });
    socket.on('data', bytes => this.#take(bytes));
    this.closed = new Promise(resolve => { socket.on('close', () => { this.ended = true; resolve(); this.#changed.emit('change'); }); });
  }

  #take(bytes) {
    this.#rest = this.#rest.length ? Buffer.concat([this.#rest, bytes]) : bytes;
    for (;;) {
      if (this.#rest.length < 8) break;
      const size = this.#rest.readUInt32LE(0);
      assert.ok(size <= (32 << 10) + 1024, `a frame of ${size} bytes`);
      if (this.#rest.length < 8 + size) break;
      this.#frame(this.#rest.readUInt16LE(4), this.#rest.subarray(8, 8 + size));
      this.#rest = this.#rest.subarray(8 + size);
    }
    this.#changed.emit('change');
  }

  #frame(type, p) {
    const number = at => Number(p.readBigUInt64LE(at));
    if (type !== TYPE.OUTPUT) this.frames.push(type);
    if (type !== TYPE.WELCOME && type !== TYPE.REFUSED) assert.ok(this.welcome, 'nothing comes before the welcome');
    switch (type) {
      case TYPE.WELCOME:
        this.welcome = { version: p.readUInt32LE(0), keeper: p.readInt32LE(4), child: p.readInt32LE(8), exited: p.readUInt32LE(12),
          childStart: number(16), epoch: number(24), oldest: number(32), newest: number(40), acknowledged: number(48),
          answered: number(56), outputMs: number(64), cols: p.readUInt16LE(72), rows: p.readUInt16LE(74) };
        break;
      case TYPE.OUTPUT: this.#output(number(0), p.subarray(8)); break;
      case TYPE.RESIZED:
        this.#at(number(0));
        this.sizes.push({ offset: number(0), cols: p.readUInt16LE(8), rows: p.readUInt16LE(10) });
        break;
      case TYPE.GAP:
        this.#at(number(0));
        assert.ok(number(8) > number(0));
        this.gaps.push({ from: number(0), to: number(8) });
        this.offset = number(8);
        break;
      case TYPE.EXITED:
        this.#at(number(8));
        this.exit = { code: p.readInt32LE(0), signal: p.readInt32LE(4), offset: number(8), atMs: number(16) };
        break;
      case TYPE.REFUSED: this.refused = String(p); break;
      case TYPE.GUESTS: this.guests = p.readUInt32LE(0); break;
      case TYPE.TAKEN: this.taken = number(0); break;
      default: assert.fail(`frame of type ${type}`);
    }
  }

  /** Everything in the stream stands where the last byte ended. */
  #at(offset) {
    this.first ??= offset;
    if (this.offset !== null) assert.equal(offset, this.offset, 'the stream is whole');
    this.offset = offset;
  }

  #output(offset, bytes) {
    this.#at(offset);
    assert.ok(bytes.length > 0);
    this.offset += bytes.length;
    this.onOutput?.(bytes, offset);
    if (this.keep) this.pieces.push(Buffer.from(bytes));
  }

  get output() {
    if (this.pieces.length > 1) this.pieces = [Buffer.concat(this.pieces)];
    return this.pieces[0] ?? Buffer.alloc(0);
  }

  get text() {
    return this.output.toString('utf8');
  }

  async until(condition, what = 'it') {
    const signal = AbortSignal.timeout(WAIT_MS);
    while (!condition()) {
      if (this.ended) throw new Error(`the connection ended before ${what}: ${this.refused ?? this.text.slice(-500)}`);
      try {
        await once(this.#changed, 'change', { signal });
      } catch {
        throw new Error(`waited too long for ${what}; it has ${JSON.stringify(this.text.slice(-500))}`);
      }
    }
    return this;
  }

  says(text) {
    return this.until(() => this.output.includes(text), JSON.stringify(text));
  }

  async exited() {
    await this.until(() => this.exit, 'the exit');
    return this.exit;
  }

  send(type, ...parts) {
    return this.socket.write(frame(type, ...parts));
  }

  /** Types something, in frames, without regard to the window. */
  type(text, answers = 0) {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += 32 << 10) this.send(TYPE.INPUT, u64(answers), bytes.subarray(at, at + (32 << 10)));
    this.input += bytes.length;
  }

  /** Types as much as it likes, and never more than the keeper has a place for. */
  async paste(bytes) {
    for (let at = 0; at < bytes.length;) {
      const n = Math.min(16 << 10, bytes.length - at);
      await this.until(() => this.input + n - this.taken <= INPUT_WINDOW, 'room for input');
      this.type(bytes.subarray(at, at + n));
      at += n;
    }
  }

  acknowledge(offset = this.offset, limit = ALL) {
    this.send(TYPE.FLOW, u64(offset, limit));
  }

  resize(cols, rows) {
    const size = Buffer.alloc(8);
    size.writeUInt16LE(cols, 0);
    size.writeUInt16LE(rows, 2);
    this.send(TYPE.RESIZE, u64(0), size);
  }

  signal(number) {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(number, 0);
    this.send(TYPE.SIGNAL, bytes);
  }

  /** As if it had been killed. */
  kill() {
    this.socket.destroy();
    return this.closed;
  }
}
