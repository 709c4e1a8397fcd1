// A WebSocket client of the board's channel, plain or ostler.board.v1, that keeps what a page would keep.
import assert from 'node:assert/strict';
import WebSocket from 'ws';
import { cleanup } from './cleanup.mjs';

export const SUBPROTOCOL = 'ostler.board.v1';
const WAIT_MS = 60_000;

export class Board {
  /** Begins to connect. */
  static open(daemon, { v1 = false, since, path = '/ws', headers = {} } = {}) {
    const url = `ws://127.0.0.1:${daemon.port}${path}${since === undefined ? '' : `?since=${since}`}`;
    return new Board(new WebSocket(url, v1 ? [SUBPROTOCOL] : [], { headers }), v1);
  }

  /** Connects and waits for the first message. */
  static async connect(t, daemon, options) {
    const board = Board.open(daemon, options);
    cleanup(t, () => board.close());
    await board.until(() => board.messages.length > 0, 'a first message');
    return board;
  }

  constructor(socket, v1) {
    Object.assign(this, { socket, v1, messages: [], frames: [], times: [], seq: 0, waiters: new Set() });
    this.sessions = new Map(); // by stable id: whole sessions, or merged summaries
    this.closed = new Promise(resolve => socket.on('close', (code, reason) => {
      this.closeCode = code;
      resolve({ code, reason: String(reason) });
      this.#wake();
    }));
    socket.on('error', error => { this.error = error; });
    socket.on('message', (data, binary) => this.#take(String(data), binary));
  }

  #take(frame, binary) {
    assert.equal(binary, false, 'the board speaks text');
    const message = JSON.parse(frame);
    this.times.push(performance.now());
    this.frames.push(frame);
    this.messages.push(message);
    if (message.seq !== undefined) {
      if (['session_update', 'session_removed'].includes(message.type))
        assert.ok(message.seq > 0 && Number.isSafeInteger(message.seq), `seq ${message.seq}`);
      this.seq = message.seq;
    }
    this.#apply(message);
    this.#wake();
  }

  #apply(message) {
    if (message.type === 'snapshot') {
      this.sessions = new Map(Object.values(message.sessions).map(session => [session.id, session]));
    } else if (message.type === 'session_update') {
      const id = this.v1 ? message.id : message.session.id;
      this.sessions.set(id, this.v1 ? { ...this.sessions.get(id), ...message.patch } : message.session);
    } else if (message.type === 'session_removed') {
      this.sessions.delete(message.id);
    }
  }

  #wake() {
    for (const check of [...this.waiters]) check();
  }

  /** The session with this sessionId now. */
  find(sessionId) {
    return [...this.sessions.values()].find(session => session.sessionId === sessionId);
  }

  send(message) {
    this.socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  /** Waits until the condition holds; looked at again after each message. Answers what the condition answered. */
  until(condition, what = String(condition)) {
    return new Promise((resolve, reject) => {
      const finish = (settle, value) => {
        clearTimeout(timer);
        this.waiters.delete(check);
        settle(value);
      };
      const check = () => {
        let value;
        try {
          value = condition();
        } catch (error) {
          return finish(reject, error);
        }
        if (value) return finish(resolve, value);
        if (this.closeCode !== undefined)
          finish(reject, new Error(`closed with ${this.closeCode} while waiting for ${what} ${this.error ?? ''}`));
      };
      const timer = setTimeout(() => finish(reject, new Error(
        `no ${what} within ${WAIT_MS} ms; ${this.messages.length} messages, the last: ${this.frames.at(-1)?.slice(0, 600)}`)), WAIT_MS);
      this.waiters.add(check);
      check();
    });
  }

  /** The first message, from index `from` on, for which the predicate holds. */
  waitFor(predicate, { from = 0, what } = {}) {
    return this.until(() => this.messages.slice(from).find(predicate), what ?? String(predicate));
  }

  /** Waits until the session exists and the predicate holds for it. */
  session(sessionId, predicate = () => true, what = `session ${sessionId}: ${predicate}`) {
    return this.until(() => {
      const session = this.find(sessionId);
      return session && predicate(session) && session;
    }, what);
  }

  async close() {
    this.socket.close();
    if (this.socket.readyState !== WebSocket.CLOSED) await this.closed;
  }
}
