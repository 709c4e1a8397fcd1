// A stage with a real CLI and the scripted model; everything that the CLI does is recorded.
import fs from 'node:fs';
import path from 'node:path';
import { Model } from './model.mjs';
import { Recorder } from './recorder.mjs';
import { Stage } from './stage.mjs';

const REACH_MS = 60_000;

export class LiveStage extends Stage {
  static async set(t, cli, what) {
    const stage = new LiveStage(t, cli, { live: true });
    await stage.setUp(t, what);
    return stage;
  }

  async setUp(t, { program, version, agents, scenario }) {
    this.agentsDir = agents;
    this.model = await Model.start(t, { home: this.home });
    this.recorder = new Recorder(this, { cli: this.cli.name, scenario, version });
    this.recorder.watch(t);
    await this.prepare({ program, modelUrl: this.model.url });
  }

  /** The hook that is installed is one that records; it finds the real one here. */
  beforeHooks() {
    fs.symlinkSync(path.join(this.build, 'ostler-hook.real'), path.join(this.home, 'hook-tap.program'));
  }

  /** What the model will say to a prompt with this mark. */
  script(mark, turns) {
    this.model.scripts.set(mark, turns);
  }

  async reached(hold) {
    const late = new Promise((resolve, reject) => { setTimeout(reject, REACH_MS, new Error(`the model is not asked for ${hold}`)).unref(); });
    await Promise.race([this.model.scripts.reached(hold), late]);
  }

  release(hold) {
    return this.cue(`release ${hold}`, () => this.model.scripts.release(hold));
  }

  async cue(name, act) {
    this.recorder.cue(name);
    await act();
  }

  deed(name, act) {
    return this.cue(name, act);
  }

  /** The process that calls the hooks, as far as that is known. */
  pidOf(agent) {
    return this.recorder.calls.at(-1)?.pid ?? agent.place.pid;
  }

  over() {}

  /** Time goes by. */
  async pass(ms) {
    await this.cue('pass', () => new Promise(resolve => { setTimeout(resolve, ms); }));
    await this.cue('on', () => {});
  }

  async started(agent) {
    const pid = await agent.place.pid;
    this.recorder.started(pid);
    const { tty, closed } = agent.place;
    if (tty) {
      tty.on('news', () => this.#printed(agent));
      this.#printed(agent);
      tty.until(() => tty.exit, 'its end').then(() => this.recorder.ended(tty.exit.exitCode, tty.exit.signal), () => {});
    }
    closed?.then(([code, signal]) => this.recorder.ended(code, signal));
  }

  #printed(agent) {
    const { tty } = agent.place;
    if (agent.tty !== tty) Object.assign(agent, { tty, taken: 0 });
    for (; agent.taken < tty.chunks.length; agent.taken++) this.recorder.printed(tty.chunks[agent.taken]);
  }

  ended(agent) {
    return agent.place.ended();
  }

  sees(agent, pattern, ms) {
    return agent.place.sees(pattern, ms);
  }

  /** When the CLI called its hook for this event last. */
  askedAt(event) {
    return this.recorder.calls.findLast(call => call.event === event)?.at;
  }

  /** Does the CLI call its hook for this event within so long? Answers the call. */
  calls(event, from, ms) {
    return this.recorder.call(event, from, ms);
  }
}
