// What the board said of every session, and when: a page's client that remembers.
import assert from 'node:assert/strict';
import { Board } from '../e2e/lib/board.mjs';

const LATE_MS = 20_000; // for a failure, not for a person: those have waited long before

/** What a person would read off the card; the rest changes too often to be told apart. */
function told(session) {
  const { attention = null, status, tool = null, endedAt = null } = session;
  return { status, ended: endedAt !== null, tool: tool?.tool ?? null,
    attention: attention && { kind: attention.kind, text: attention.text, certain: attention.certain, more: attention.more, since: attention.since } };
}

export class Timeline {
  /** Every change: { at, id, status, ended, tool, attention }. */
  entries = [];
  /** Requests by id, as they were told last. */
  approvals = new Map();
  #last = new Map();
  #taken = 0; // of the board's messages

  static async follow(t, daemon) {
    const timeline = new Timeline();
    await timeline.connect(t, daemon);
    return timeline;
  }

  /** Also after the daemon came back: what was seen before stays. */
  async connect(t, daemon) {
    this.board = await Board.connect(t, daemon, { v1: true });
    this.#taken = 0;
    this.board.socket.prependListener('message', () => queueMicrotask(() => this.#note()));
    this.board.send({ type: 'inbox', on: true });
    await this.board.waitFor(message => message.type === 'inbox', { what: 'the inbox' });
    this.#note();
  }

  /** Waits until one request is like this. */
  async approval(condition, what) {
    let timer;
    const late = new Promise(resolve => { timer = setTimeout(resolve, LATE_MS, null); });
    const look = () => (this.#take(), [...this.approvals.values()].find(condition));
    const found = await Promise.race([this.board.until(look, what).catch(() => null), late]);
    clearTimeout(timer);
    return found ?? assert.fail(`not ${what} within ${LATE_MS} ms; the inbox says:\n${[...this.approvals.values()].map(one => JSON.stringify(one)).join('\n')}\nand the board said:\n${this.story()}`);
  }

  #take() {
    for (; this.#taken < this.board.messages.length; this.#taken++) {
      const message = this.board.messages[this.#taken];
      for (const one of message.type === 'inbox' ? message.approvals : message.type === 'approval' ? [message.approval] : []) this.approvals.set(one.id, one);
    }
  }

  #note() {
    this.#take();
    for (const session of this.board.sessions.values()) {
      const now = told(session), text = JSON.stringify(now);
      if (this.#last.get(session.id) === text) continue;
      this.#last.set(session.id, text);
      this.entries.push({ at: Date.now(), id: session.id, ...now });
    }
  }

  cards() {
    return [...this.board.sessions.values()];
  }

  /** Waits until one card fulfils the condition; answers { card, at }. */
  async until(find, condition, what) {
    const look = () => {
      const found = find(this.cards());
      return found && condition(found) && found;
    };
    let timer;
    const late = new Promise(resolve => { timer = setTimeout(resolve, LATE_MS, null); });
    const card = await Promise.race([this.board.until(look, what).catch(() => null), late]);
    clearTimeout(timer);
    if (!card) assert.fail(`not ${what} within ${LATE_MS} ms; the board says: ${this.describe(find(this.cards()))}\nand said:\n${this.story()}`);
    this.#note();
    const entry = this.entries.findLast(one => one.id === card.id);
    return { card, at: entry?.at ?? Date.now() };
  }

  describe(card) {
    return card ? JSON.stringify({ ...told(card), attention: card.attention ?? null, evidence: card.statusEvidence }) : 'nothing of it';
  }

  /** What was told of a card from `from` on, with what was true at that moment. */
  since(id, from) {
    const own = this.entries.filter(entry => entry.id === id);
    const before = own.findLast(entry => entry.at <= from);
    return [...(before ? [before] : []), ...own.filter(entry => entry.at > from)];
  }

  /** For people: a line a change. */
  story() {
    const begun = this.entries[0]?.at ?? 0;
    return this.entries.map(({ at, id, status, tool, attention }) =>
      `  ${((at - begun) / 1000).toFixed(2).padStart(7)} ${id.slice(0, 8)} ${status.padEnd(10)} ${tool ?? '-'}  ${attention ? `${attention.kind}${attention.certain === false ? '?' : ''}: ${attention.text}` : ''}`).join('\n');
  }
}
