// test/agents/flood: many agents at once, each running the real hook for its events.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { cleanup } from './cleanup.mjs';
import { BUILD, environment } from './daemon.mjs';
import { HOOK } from './hook.mjs';

const WAIT_MS = 120_000;

export class Flood {
  #changed = new EventEmitter();

  /** Starts it; nothing happens until allow(). Lane L is the session "flood-L". */
  constructor(t, home, { lanes, events }) {
    Object.assign(this, { total: lanes * events, done: 0, ended: false });
    this.ids = Array.from({ length: lanes }, (_, lane) => `flood-${lane}`);
    this.child = spawn(path.join(BUILD, 'test/agents/flood'), [HOOK, lanes, events].map(String),
      { env: environment(home), stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.child.stdout }).on('line', line => {
      if (line === 'end') this.ended = true;
      else this.done = Number(line);
      this.#changed.emit('change');
    });
    this.child.on('exit', () => this.#changed.emit('change'));
    cleanup(t, () => this.child.kill());
  }

  /** So many events in all may begin. */
  allow(count) {
    this.child.stdin.write(`${Math.min(count, this.total)}\n`);
  }

  async until(condition) {
    const signal = AbortSignal.timeout(WAIT_MS);
    while (!condition()) {
      assert.equal(this.child.exitCode, null, 'a hook failed');
      await once(this.#changed, 'change', { signal });
    }
  }
}
