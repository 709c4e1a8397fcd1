// Agents that run the real hook for each of their events; some of these hooks are killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { environment } from '../e2e/lib/daemon.mjs';
import { HOOK, runHook } from '../e2e/lib/hook.mjs';
import { FULL, Marks, MAYBE, NEVER, SURE } from './marks.mjs';

export class HookWriter {
  constructor(world, name, cwd) {
    Object.assign(this, { world, random: world.random(name), marks: new Marks(name, cwd), killNext: null });
  }

  async run() {
    while (!this.world.ending) {
      const { n, payload } = this.marks.next(), kill = this.killNext, fills = this.world.fills, full = this.world.full;
      this.killNext = null;
      if (kill) this.marks.fates[n] = await this.#killed(payload, kill);
      else {
        await runHook(this.world.home, payload);
        this.marks.fates[n] = full || fills !== this.world.fills ? FULL : SURE;
      }
      this.world.count('events by hook');
      await this.world.pause(this.random.below(30));
    }
  }

  /** A hook that is killed before it has read everything, or somewhere on its way. */
  async #killed(payload, { half, ms }) {
    const child = spawn(HOOK, [], { env: environment(this.world.home), stdio: ['pipe', 'ignore', 'ignore'] }), text = JSON.stringify(payload);
    const ended = once(child, 'close');
    child.stdin.on('error', () => {});
    if (half) child.stdin.write(text.slice(0, text.length / 2));
    else child.stdin.end(text);
    await sleep(ms);
    child.kill('SIGKILL');
    await ended;
    return half ? NEVER : MAYBE;
  }

  finish() {
    return runHook(this.world.home, this.marks.last());
  }
}
