// What a scenario is played on: a home of its own with a daemon, and a CLI in it that is real or recorded.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { cleanup } from '../e2e/lib/cleanup.mjs';
import { BUILD, makeHome, ostler, startDaemon } from '../e2e/lib/daemon.mjs';
import { gone } from '../e2e/lib/keeper.mjs';
import { Agent } from './agent.mjs';
import { Desk, Headless, Hosted } from './places.mjs';
import { Timeline } from './timeline.mjs';

const PLACES = { hosted: Hosted, desk: Desk, headless: Headless };

export class Stage {
  /** Times that were measured: { what, ms }. */
  measures = [];
  agents = [];

  constructor(t, cli, { live }) {
    const home = makeHome(t);
    Object.assign(this, { t, cli, live, home, project: path.join(home, 'project'), build: BUILD });
    fs.mkdirSync(path.join(home, 'bin'));
    fs.mkdirSync(this.project);
  }

  /** The CLI's settings, the hooks, the daemon and who watches it. `program` is what runs under the CLI's name. */
  async prepare({ program, modelUrl }) {
    execFileSync('git', ['-C', this.project, 'init', '-q']);
    this.environment = { ...this.cli.environment(modelUrl), TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/bash',
      PATH: `${path.join(this.home, 'bin')}:${this.build}:${process.env.PATH}` };
    this.program = path.join(this.home, 'bin', this.cli.name);
    fs.symlinkSync(program, this.program);
    this.cli.settings(this, modelUrl);
    this.beforeHooks?.();
    const installed = await ostler(this.home, ['hooks', 'install', '--cli', this.cli.name, '--density', 'high'], { env: this.environment });
    if (installed.code !== 0) throw new Error(`hooks install: ${installed.stdout}${installed.stderr}`);
    this.daemon = await startDaemon(this.t, { home: this.home, env: this.environment, samePort: true });
    this.timeline = await Timeline.follow(this.t, this.daemon);
    cleanup(this.t, () => this.#endEverything());
  }

  /** What the CLIs leave behind (servers of their own, background sessions) ends with the scenario. */
  async #endEverything() {
    const killed = [];
    for (const name of fs.readdirSync('/proc')) {
      if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
      try {
        const environment = fs.readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
        const program = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8');
        if (environment.includes(`HOME=${this.home}`) && !/ostler(-keeper)?\0/.test(program) && !program.startsWith('tmux')) {
          process.kill(Number(name), 'SIGKILL');
          killed.push(Number(name));
        }
      } catch {
        // it was gone already
      }
    }
    await Promise.all(killed.map(gone));
  }

  /** Starts the CLI; `mode` is one of its permission modes, `words` more arguments. */
  async start(where = 'hosted', { mode = 'asking', words = [], mark, waits = where !== 'headless' } = {}) {
    const line = [this.program, ...this.cli.modes[mode], ...words, ...(where === 'headless' ? this.cli.headless(`Please work on script-${mark}`) : [])];
    let agent;
    await this.deed(`start ${where}`, async () => {
      const place = await PLACES[where].open(this.t, this, line);
      agent = new Agent(this, place);
      this.agents.push(agent);
      await this.started(agent);
      if (waits) await this.cli.ready(agent);
    });
    return agent;
  }

  /** The agent that has a card, but was not started by the scenario itself. */
  elsewhere() {
    const agent = new Agent(this, { kind: 'elsewhere' }), known = new Set(this.agents.map(({ id }) => id));
    agent.find = cards => cards.find(card => !known.has(card.id));
    return agent;
  }

  /** Brings an agent back that has ended, as the board's button does; answers when. */
  async resume(agent) {
    let at;
    await this.deed('resume', async () => {
      at = Date.now();
      const answer = await this.daemon.fetch(`/api/sessions/${agent.id}/resume`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
      if (answer.status !== 200) throw new Error(`resume: ${await answer.text()}`);
      this.agents.push(agent);
      await agent.place.attach(this.t);
      await this.started(agent);
      await this.cli.ready(agent);
    });
    return at;
  }

  /** The daemon is killed and started again. */
  crash() {
    return this.deed('crash', async () => {
      await this.daemon.crash();
      await this.daemon.start();
      await this.timeline.connect(this.t, this.daemon);
      for (const { place } of this.agents) await place.attachAgain?.();
    });
  }

  /** The agent's process is killed. */
  kill(agent) {
    let at;
    return this.deed('kill', async () => {
      at = Date.now();
      process.kill(await this.pidOf(agent), 'SIGKILL');
    }).then(() => at);
  }

  measured(what, ms) {
    this.measures.push({ what, ms });
  }

  /** Nobody should have had to wait longer than this. Only for real CLIs: a replay has other things to do at the same time. */
  checkTimes() {
    const { shown, gone } = this.cli.limits;
    for (const { what, ms } of this.measures) assert.ok(ms <= (/gone|rest/.test(what) ? gone : shown), `${what}: ${ms} ms`);
  }
}
