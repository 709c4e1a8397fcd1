// Agents elsewhere that send their events by HTTP. Who has no answer sends the same again, with the same key.
import { Marks, SURE } from './marks.mjs';

const REPEAT = 0.1; // of those that were answered, as a proxy might
const AGAIN_MS = 30;

export class PostWriter {
  constructor(world, name) {
    Object.assign(this, { world, name, random: world.random(name), marks: new Marks(name, '/srv/posts') });
  }

  /** Sends it until it is taken. False when the run ends before that. */
  async #deliver(payload, key) {
    for (;;) {
      const answer = await this.world.ask('POST', '/api/hooks', { body: payload, headers: { 'idempotency-key': key } });
      if (answer?.status === 200) return true;
      if (answer && ![429, 503].includes(answer.status)) {
        this.world.broken('an event is taken, or refused for a reason', `${key}: ${answer.status} ${JSON.stringify(answer.body)}`);
        return false;
      }
      this.world.count('posts sent again');
      if (this.world.problems.length) return false;
      await new Promise(resolve => { setTimeout(resolve, AGAIN_MS); });
    }
  }

  async run() {
    while (!this.world.ending) {
      const { n, payload } = this.marks.next(), key = `${this.name}-${n}`;
      if (!await this.#deliver(payload, key)) return;
      this.marks.fates[n] = SURE;
      if (this.random.chance(REPEAT)) await this.world.ask('POST', '/api/hooks', { body: payload, headers: { 'idempotency-key': key } });
      this.world.count('events by HTTP');
      await this.world.pause(this.random.below(60));
    }
  }

  finish() {
    return this.#deliver(this.marks.last(), `${this.name}-last`);
  }
}
