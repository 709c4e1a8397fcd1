// A viewer of a terminal over `ostler.tty.v1`; open() again goes on where it was.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import WebSocket from 'ws';
import { cleanup } from './cleanup.mjs';

export { WebSocket };
const WAIT_MS = 60_000;
const HEAD_BYTES = 24, OUTPUT = 1, SNAPSHOT = 2;

/** POST /api/terminals: answers { terminalId, sessionId }. */
export async function makeTerminal(daemon, body) {
  const answer = await daemon.fetch('/api/terminals', {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const text = await answer.text();
  assert.equal(answer.status, 200, text);
  return JSON.parse(text);
}

export class Tty extends EventEmitter {
  /** What came as output since the last snapshot, or since `offset` when it was given one. */
  chunks = [];
  snapshots = 0;
  gaps = [];
  messages = [];
  exit = null;

  static async connect(t, daemon, { terminalId, sessionId = terminalId }, options = {}) {
    const { epoch } = await daemon.get(`/api/terminals/${terminalId}`);
    const tty = new Tty(daemon, `/ws/session/${sessionId}/worker/${terminalId}`, { epoch, ...options });
    cleanup(t, () => tty.close());
    await tty.open();
    return tty;
  }

  /** `exact`: every byte, with `offset` 0 from the beginning on. */
  constructor(daemon, where, { exact = false, epoch = null, offset = null, acks = true } = {}) {
    super();
    Object.assign(this, { daemon, where, exact, epoch, offset, acks });
  }

  /** Waits for the hello. */
  async open() {
    const query = new URLSearchParams(this.exact ? { exact: '1' } : {});
    if (this.offset !== null) {
      query.set('epoch', this.epoch);
      query.set('offset', this.offset);
    }
    const ws = this.ws = new WebSocket(`ws://127.0.0.1:${this.daemon.port}${this.where}?${query}`, 'ostler.tty.v1',
      { perMessageDeflate: false });
    ws.on('message', (data, binary) => this.#got(data, binary));
    ws.on('error', () => {});
    ws.on('close', (code, reason) => {
      this.emit('news');
      this.closeCode = code;
      this.closeReason = String(reason);
    });
    await this.until(() => this.hello?.ws === ws || ws.readyState >= WebSocket.CLOSING, 'a hello');
    return this;
  }

  #got(data, binary) {
    if (binary) this.#bytes(data);
    else this.#message(JSON.parse(data));
    this.emit('news');
  }

  #bytes(data) {
    const kind = data[0], epoch = Number(data.readBigUInt64LE(8)), offset = Number(data.readBigUInt64LE(16));
    const bytes = data.subarray(HEAD_BYTES);
    if (kind === SNAPSHOT) {
      this.snapshots++;
      this.snapshot = bytes;
      this.size = [data.readUInt16LE(2), data.readUInt16LE(4)];
      this.chunks = [];
      Object.assign(this, { epoch, offset });
    } else {
      assert.equal(kind, OUTPUT);
      if (this.offset === null) Object.assign(this, { epoch, offset });
      assert.deepEqual([epoch, offset], [this.epoch, this.offset], 'output goes on where it was');
      this.chunks.push(bytes);
      this.offset += bytes.length;
    }
    if (this.acks) this.send({ type: 'ack', offset: this.offset });
  }

  #message(m) {
    this.messages.push(m);
    if (m.type === 'hello') this.hello = { ...m, ws: this.ws };
    if (m.type === 'exit') this.exit = m;
    if (m.type === 'gap') {
      assert.equal(m.from, this.offset, 'a gap begins where the output ended');
      this.gaps.push({ from: m.from, to: m.to });
      this.offset = m.to;
    }
    if (m.type === 'epoch') Object.assign(this, { epoch: m.epoch, offset: 0 });
  }

  /** All bytes that came, as one text. */
  get output() {
    return Buffer.concat(this.chunks).toString('utf8');
  }

  send(message) {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(typeof message === 'object' && !Buffer.isBuffer(message) ? JSON.stringify(message) : message);
  }

  type(text) {
    this.send(Buffer.from(text));
  }

  async until(condition, what) {
    const signal = AbortSignal.timeout(WAIT_MS);
    while (!condition(this)) {
      try {
        await once(this, 'news', { signal });
      } catch {
        assert.fail(`waited in vain for ${what}; got ${JSON.stringify(this.output.slice(-300))} ${JSON.stringify(this.messages.slice(-5))}`);
      }
    }
  }

  /** Waits until the output since the last snapshot contains this. */
  shows(text) {
    return this.until(() => this.output.includes(text), text);
  }

  close() {
    this.ws?.terminate();
  }
}
