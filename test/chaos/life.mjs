// The daemon's life, and what is done to it. Nobody else starts or ends it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lifeFaults } from './plan.mjs';

const openFiles = pid => fs.readdirSync(`/proc/${pid}/fd`).length;

export class Life {
  constructor(world) {
    this.world = world;
    this.daemon = world.daemon;
    this.kills = 0;
  }

  /** The first start finds a port, the next ones keep it. */
  async begin() {
    await this.daemon.start();
    await this.daemon.stop();
    await this.#start();
  }

  async #start() {
    await this.daemon.start();
    this.world.count('starts');
    this.world.up = true;
  }

  async #kill() {
    this.world.up = false;
    this.kills++;
    await this.daemon.crash();
  }

  /** Faults of this kind until `over()` or the run's end; the daemon is up afterwards. */
  async suffer(kind, over) {
    for (const step of lifeFaults(this.world.seed, kind)) {
      if (this.world.ending || over()) break;
      this.world.count(`fault ${step.fault}`);
      try {
        await this.#meet(step);
      } catch (error) {
        this.world.broken('the daemon comes back, and ends as it is asked to', error);
      }
    }
    if (!this.daemon.running) await this.#start().catch(error => this.world.broken('the daemon comes back', error));
  }

  async #meet(step) {
    if (step.from === 'spawn' && !this.daemon.running) return this.#killStarting(step.ms);
    if (!this.daemon.running) await this.#start();
    if (await this.world.pause(step.ms)) await this[step.fault](step);
  }

  async #killStarting(ms) {
    const started = this.daemon.start().then(() => true, error => error);
    await sleep(ms);
    const early = await Promise.race([started, Promise.resolve(null)]);
    if (early instanceof Error) throw early;
    await this.#kill();
    await started;
  }

  async kill() {
    await this.#kill();
  }

  async hang({ for: ms }) {
    this.daemon.child.kill('SIGSTOP');
    await sleep(ms);
    this.daemon.child.kill('SIGCONT');
  }

  async hangKill({ for: ms }) {
    this.daemon.child.kill('SIGSTOP');
    await sleep(ms);
    await this.#kill();
  }

  async restart() {
    const said = await this.world.run(['restart']);
    if (said.code !== 0) throw new Error(`ostler restart: ${said.stderr}`);
  }

  async term() {
    this.world.up = false;
    await this.daemon.stop();
  }

  async termKill({ for: ms }) {
    this.world.up = false;
    this.daemon.child.kill('SIGTERM');
    await sleep(ms);
    if (this.daemon.running) await this.#kill();
  }

  async diskFull({ for: ms }) {
    if (!this.world.smallDisk) return;
    const free = this.world.fillDisk();
    await sleep(ms);
    free();
  }

  async descriptors({ for: ms, spare }) {
    const { pid } = this.daemon.child, limit = n => execFileSync('prlimit', ['--pid', pid, `--nofile=${n}`]);
    const [, was] = /Max open files\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/limits`, 'utf8'));
    limit(`${openFiles(pid) + spare}:`);
    await sleep(ms);
    limit(`${was}:`);
  }
}
