// Pages that keep what they know of the sessions, and go on where they were whenever the connection is lost.
import { isDeepStrictEqual } from 'node:util';
import { Board } from '../e2e/lib/board.mjs';

const AGAIN_MS = 20, SETTLE_MS = 15_000, LOOK_MS = 200;

export class BoardClient {
  constructor(world, name, { v1 }) {
    Object.assign(this, { world, name, v1, random: world.random(name), sessions: new Map(), seq: null, leaving: false });
  }

  #connect() {
    const board = Board.open(this.world.daemon, { v1: this.v1, since: this.v1 ? this.seq ?? undefined : undefined }), { socket } = board;
    board.sessions = this.sessions;
    board.seq = this.seq ?? 0;
    socket.on('open', () => {
      this.world.count('boards connected');
      if (!this.v1 && this.seq !== null) board.send({ type: 'replay', sinceSeq: this.seq });
    });
    socket.on('message', () => { // a page keeps the state, not what led to it
      const [message] = board.messages.splice(0);
      board.frames.splice(0);
      board.times.splice(0);
      if (message.type === 'error') this.world.broken('what a board says is understood', message.error);
      this.sessions = board.sessions;
      if (message.seq !== undefined && message.type !== 'welcome') this.seq = message.seq; // a welcome names changes that have yet to come
    });
    return board;
  }

  async run() {
    while (!this.leaving) {
      this.board = this.#connect();
      await this.board.closed;
      if (!this.leaving) await new Promise(resolve => { setTimeout(resolve, AGAIN_MS); });
    }
  }

  drop() {
    this.board?.socket._socket?.resetAndDestroy();
  }

  async dawdle(ms) {
    const socket = this.board?.socket._socket;
    socket?.pause();
    await this.world.pause(ms);
    socket?.resume();
  }

  /** In the end it knows what one that comes now is told. */
  async check() {
    for (const until = Date.now() + SETTLE_MS; ;) {
      const fresh = await Board.connect(null, this.world.daemon, { v1: this.v1 });
      await fresh.until(() => fresh.messages.some(m => m.type === 'snapshot'), 'a snapshot');
      const wrong = differences(comparable(this.sessions), comparable(fresh.sessions));
      await fresh.close();
      if (!wrong.length) return;
      if (Date.now() > until) return this.world.broken('a board that went on knows what a new one is told', `${this.name}\n${wrong.join('\n')}`);
      await new Promise(resolve => { setTimeout(resolve, LOOK_MS); });
    }
  }

  leave() {
    this.leaving = true;
    this.board?.socket.terminate();
  }
}

/** Absent and null mean the same, and what is only told when it is not 0 or false; replacesId is told once. */
function comparable(sessions) {
  const told = (key, value) => ([null, false, 0].includes(value) || key === 'replacesId' ? undefined : value);
  return JSON.parse(JSON.stringify(Object.fromEntries(sessions), told));
}

function differences(got, want) {
  const wrong = [];
  for (const id of new Set([...Object.keys(got), ...Object.keys(want)])) {
    if (!got[id] || !want[id]) wrong.push(`${id} is ${got[id] ? 'only known to it' : 'not known to it'}`);
    else for (const field of new Set([...Object.keys(got[id]), ...Object.keys(want[id])]))
      if (!isDeepStrictEqual(got[id][field], want[id][field])) wrong.push(`${id}.${field} is ${JSON.stringify(got[id][field])}, not ${JSON.stringify(want[id][field])}`);
  }
  return wrong;
}
