// What is done to everything around the daemon: connections, hooks, viewers, directories.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../e2e/lib/random.mjs';
import { aroundFaults } from './plan.mjs';

const HEAD = 'Host: localhost\r\n';
const UPGRADE = `GET /ws HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;
const PLACES_MAX = 40; // connections that are held at once

const bytes = (random, n) => Buffer.from(Array.from({ length: n }, () => random.below(256)));

export class Around {
  #held = new Set();

  constructor(world) {
    this.world = world;
  }

  async run() {
    for (const { fault, after, draw } of aroundFaults(this.world.seed)) {
      if (!await this.world.pause(after)) break;
      if (this.#held.size > PLACES_MAX) continue;
      this.world.count(`fault ${fault}`);
      const held = this[fault](new Random(draw)).catch(error => this.world.broken('the driver does what it means to', error));
      this.#held.add(held);
      held.then(() => this.#held.delete(held));
    }
    await Promise.all(this.#held);
  }

  /** A connection to the daemon, which may refuse or cut it: nothing of that is an error here. */
  #connect(where = { port: this.world.daemon.port, host: '127.0.0.1' }) {
    const socket = net.connect({ ...where, allowHalfOpen: true });
    socket.on('error', () => {});
    socket.on('data', () => {});
    socket.ended = new Promise(resolve => { socket.on('close', resolve); });
    return socket;
  }

  async dropViewer(random) {
    random.pick(this.world.actors.viewers).drop();
  }

  async dropBoard(random) {
    random.pick(this.world.actors.boards).drop();
  }

  async slowViewer(random) {
    await random.pick(this.world.actors.viewers).dawdle(random.between(100, 2000));
  }

  async slowBoard(random) {
    await random.pick(this.world.actors.boards).dawdle(random.between(100, 2000));
  }

  async killHook(random) {
    random.pick(this.world.actors.hooks).killNext = { half: random.chance(0.3), ms: random.below(5) };
  }

  /** The directory of an agent, or of programs in terminals, has another name for a while. */
  async rename(random) {
    const dir = random.pick(this.world.actors.directories);
    if (!fs.existsSync(dir)) return;
    fs.renameSync(dir, `${dir}.moved`);
    await this.world.pause(random.between(10, 1500));
    fs.renameSync(`${dir}.moved`, dir);
  }

  async reset(random) {
    const socket = this.#connect(), whole = `GET /api/sessions HTTP/1.1\r\n${HEAD}\r\n`;
    socket.write(random.chance(0.5) ? whole : whole.slice(0, random.below(whole.length)));
    await sleep(random.below(20));
    socket.resetAndDestroy();
  }

  /** Says that it has no more to say, and still wants its answer. */
  async halfClosed(random) {
    const socket = this.#connect();
    socket.end(`GET /api/${random.pick(['sessions', 'terminals', 'health', 'nothing'])} HTTP/1.1\r\n${HEAD}\r\n`);
    await Promise.race([socket.ended, this.world.pause(random.between(100, 3000))]);
    socket.destroy();
  }

  async garbage(random, where) {
    const socket = this.#connect(where);
    for (let piece = random.between(1, 5); piece > 0; piece--) {
      socket.write(bytes(random, random.between(1, 2000)));
      await sleep(random.below(10));
    }
    socket.destroy();
  }

  async garbageOwner(random) {
    await this.garbage(random, { path: path.join(this.world.home, 'run/ostler.sock') });
  }

  async upgradeJunk(random) {
    const socket = this.#connect();
    socket.write(UPGRADE);
    socket.write(bytes(random, random.between(1, 500)));
    await Promise.race([socket.ended, this.world.pause(random.between(10, 500))]);
    socket.resetAndDestroy();
  }

  async slowRequest(random) {
    const socket = this.#connect();
    for (const letter of `POST /api/hooks HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n`) {
      socket.write(letter);
      if (!await this.world.pause(random.below(40))) break;
    }
    socket.destroy();
  }

  /** An event whose sender is gone before the answer: applied once, or not. */
  async resetPost() {
    const { payload } = this.world.actors.resets.next(), body = JSON.stringify(payload), socket = this.#connect();
    socket.write(`POST /api/hooks HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    await sleep(1);
    socket.resetAndDestroy();
  }
}
