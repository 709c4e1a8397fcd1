// Drives real agents through many requests, decides about each, and compares what came of it with what was told.
import { setMaxListeners } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Board } from '../../e2e/lib/board.mjs';
import { CLIS } from '../cli/index.mjs';
import { setAway, waitingHooks } from '../inbox.mjs';
import { Model } from '../model.mjs';
import { call, say, shell } from '../model/script.mjs';
import { Stage } from '../stage.mjs';
import { groupBy } from './figures.mjs';
import { Hand } from './hand.mjs';
import { claudeTruth, codexTruth } from './truth.mjs';

const TRUTH = { claude: claudeTruth, codex: codexTruth };
const PLACES = ['hosted', 'desk'], BATCH = 10, AT_ONCE = 3;
const MEASURED = new Set(['own', 'told']); // who waits for whom is measured without anybody else around
const MARKER = '#!/bin/sh\necho "$1 $(date +%s%3N)" >> ran.txt\n';
const QUIET_MS = 60_000;

/** A stage without a recorder. */
class PlainStage extends Stage {
  deed(name, act) {
    return act();
  }

  cue(name, act) {
    return act();
  }

  async started() {}

  sees(agent, pattern, ms) {
    return agent.place.sees(pattern, ms);
  }

  /** That a prompt was taken is seen on the board. */
  async calls(event, from, ms) {
    const agent = this.agents.find(one => one.prompting), until = Date.now() + ms;
    while (Date.now() < until) {
      if (['prompting', 'working', 'approval', 'input'].includes(agent?.card?.status)) return true;
      await new Promise(resolve => { setTimeout(resolve, 50); });
    }
    return false;
  }
}

export class Driver {
  requests = new Map(); // id → { mark, ends: [state…], told: [answers of the API], keys: […] }
  delays = [];
  killed = 0;
  strangers = [];
  #calls = 0;
  #answeredByApi = 0;
  #outage = null;

  static async set(name, { program }, options) {
    const driver = new Driver();
    const t = driver.t = { name, after: hook => { (driver.hooks ??= []).push(hook); } };
    Object.assign(driver, { name, ...options });
    const stage = driver.stage = new PlainStage(t, CLIS[name], { live: true });
    driver.model = await Model.start(t, { home: stage.home });
    const real = path.join(stage.build, 'ostler-hook.real');
    if (fs.existsSync(real)) fs.symlinkSync(real, path.join(stage.home, 'hook-tap.program'));
    await stage.prepare({ program, modelUrl: driver.model.url });
    fs.writeFileSync(path.join(stage.project, 'mark'), MARKER, { mode: 0o755 });
    await driver.#follow();
    return driver;
  }

  async end() {
    for (const hook of (this.hooks ?? []).toReversed()) await hook();
  }

  keep(dir, phase) {
    const kept = path.join(dir, `answers-${this.name}-${phase}`);
    fs.rmSync(kept, { recursive: true, force: true });
    fs.cpSync(this.stage.home, kept, { recursive: true, filter: file => !fs.lstatSync(file).isSocket() });
    fs.writeFileSync(path.join(kept, 'daemon.log'), this.stage.daemon.log);
    fs.writeFileSync(path.join(kept, 'requests.json'), JSON.stringify([...this.requests.values()], null, 1));
  }

  /** Every request that is told, and every end of one. */
  async #follow() {
    const board = this.board = await Board.connect(this.t, this.stage.daemon, { v1: true });
    let taken = 0;
    const take = () => {
      for (; taken < board.messages.length; taken++) {
        const message = board.messages[taken];
        for (const one of message.type === 'inbox' ? message.approvals : message.type === 'approval' ? [message.approval] : []) this.#told(one);
      }
    };
    board.socket.on('message', () => queueMicrotask(take));
    board.send({ type: 'inbox', on: true });
    await board.waitFor(message => message.type === 'inbox', { what: 'the inbox' });
  }

  #told(one) {
    const mark = /\.\/mark ([\w-]+)/.exec(`${one.text} ${one.detail ?? ''}`)?.[1];
    if (!mark) {
      this.strangers.push(`${one.id} ${one.state} ${one.kind}: ${one.text}`);
      return;
    }
    if (!this.requests.has(one.id)) this.requests.set(one.id, { id: one.id, mark, ends: [], told: [], keys: [], at: Date.now() });
    const request = this.requests.get(one.id);
    request.now = one;
    if (one.state !== 'open' && request.ends.at(-1) !== one.state) request.ends.push(one.state);
    for (const hand of this.hands ?? []) hand.news(request);
  }

  /** Kills the daemon now and then, and brings it back after a while. */
  async #kills(stop) {
    while (!stop.aborted) {
      await this.sleep(this.random.between(3000, 8000), stop);
      if (stop.aborted) return;
      let over;
      this.#outage = new Promise(resolve => { over = resolve; });
      await this.stage.daemon.kill('SIGKILL');
      this.killed++;
      await this.sleep(this.random.chance(0.5) ? 0 : this.random.between(0, 1500));
      await this.stage.daemon.start();
      await this.stage.timeline.connect(this.t, this.stage.daemon);
      await this.#follow();
      for (const { place } of this.stage.agents) await place.attachAgain?.();
      this.#outage = null;
      over();
    }
  }

  sleep(ms, stop) {
    return new Promise(resolve => {
      const timer = setTimeout(resolve, ms);
      stop?.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
    });
  }

  /** Waits until a daemon is there. */
  async thereIsOne() {
    while (this.#outage) await this.#outage;
  }

  async api(where, options) {
    for (;;) {
      await this.thereIsOne();
      try {
        const response = await this.stage.daemon.fetch(where, { ...options, signal: AbortSignal.timeout(20_000) });
        return { status: response.status, body: await response.json() };
      } catch (error) {
        if (options?.once) return { status: 0, body: { error: String(error.cause ?? error) } };
        await this.sleep(50);
      }
    }
  }

  /** Answers a request from here, once. */
  async answer(request, decision) {
    const body = { decision, digest: request.now.digest, ...(decision === 'deny' && { message: `Denied from the inbox: ${request.mark}` }) };
    request.sentAt = Date.now();
    const { status, body: told } = await this.api(`/api/approvals/${request.id}`, { once: true, method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    request.told.push({ decision, status, ...told });
    if (status === 200) this.#answeredByApi++;
    return status;
  }

  /** A script of many calls, some of them several at once. */
  script() {
    const mark = `m${++this.#calls}`, turns = [];
    for (let i = 0; i < BATCH; i++) {
      const several = this.name === 'claude' && !this.alone && this.random.chance(0.2) ? AT_ONCE : 1;
      turns.push(call(...Array.from({ length: several }, (_, n) => shell(`./mark ${mark}-${i}-${n}`, { ask: true }))));
    }
    this.model.scripts.set(mark, [...turns, say('It is all done.')]);
    return mark;
  }

  /** How many count for this phase. */
  done(phase) {
    const ended = [...this.requests.values()].filter(one => one.ends.length);
    if (phase === 'api' || phase === 'told') return this.#answeredByApi;
    if (phase === 'own') return this.#allowedByItself().length;
    if (phase === 'desk') return ended.filter(one => one.ends.at(-1) === 'desk').length;
    return ended.filter(one => one.told.length && one.keys.length).length;
  }

  /** [mark, ms] of what a hook allowed that asks nobody. */
  #allowedByItself() {
    const file = path.join(this.stage.home, 'hook-allowed.txt');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n').map(line => line.split(' ')) : [];
  }

  #measureOwn() {
    const ran = new Map(fs.readFileSync(path.join(this.stage.project, 'ran.txt'), 'utf8').trimEnd().split('\n').map(line => line.split(' ')));
    this.delays = this.#allowedByItself().map(([mark, at]) => Number(ran.get(mark)) - Number(at));
    return { faults: [], counts: { asked: this.delays.length }, seconds: 0 };
  }

  async run(phase, count) {
    const begun = Date.now(), stop = new AbortController();
    setMaxListeners(0, stop.signal); // every wait listens to it
    if (phase !== 'desk' && this.stage.cli.blocks) await setAway(this.stage, true);
    this.hands = [];
    this.alone = MEASURED.has(phase);
    for (const place of MEASURED.has(phase) ? ['desk'] : PLACES) {
      const agent = await this.stage.start(place);
      this.hands.push(new Hand(this, agent, phase));
    }
    const kills = this.kills && !MEASURED.has(phase) ? this.#kills(stop.signal) : null;
    try {
      await Promise.all(this.hands.map(hand => hand.work(count)));
    } finally {
      stop.abort();
      await kills;
    }
    if (phase === 'own') return this.#measureOwn();
    const faults = await this.#check(phase);
    const states = groupBy([...this.requests.values()], one => one.ends.at(-1) ?? 'open');
    const counts = { asked: this.requests.size, counted: this.done(phase), ...Object.fromEntries([...states].map(([state, all]) => [state, all.length])) };
    return { faults, counts, seconds: Math.round((Date.now() - begun) / 1000) };
  }

  async #check(phase) {
    const faults = [...this.strangers.map(one => `a request that nobody made: ${one}`)];
    const { stage } = this, { body: { approvals } } = await this.api('/api/approvals');
    for (const one of approvals) this.#told(one);
    for (const hand of this.hands) if (!await hand.isIdle()) faults.push(`an agent is not at rest:\n${await hand.agent.place.screen()}`);
    const hooks = waitingHooks(stage.home);
    if (hooks.length) faults.push(`hooks that still wait: ${hooks.join()}`);
    const ran = fs.existsSync(path.join(stage.project, 'ran.txt')) ? fs.readFileSync(path.join(stage.project, 'ran.txt'), 'utf8').trimEnd().split('\n').map(line => line.split(' ')) : [];
    const times = groupBy(ran, ([mark]) => mark), truth = await this.#truth();
    const byMark = groupBy([...this.requests.values()], ({ mark }) => mark);
    for (const [mark, all] of times) {
      if (all.length > 1) faults.push(`${mark} ran ${all.length} times`);
      if (!byMark.has(mark)) faults.push(`${mark} ran, and nobody was asked`);
    }
    for (const [mark, all] of byMark) {
      if (all.length > 1) faults.push(`${mark} is ${all.length} requests: ${JSON.stringify(all.map(({ id, ends, told, keys }) => ({ id, ends, told, keys })))}`);
      this.#checkOne(all[0], times.get(mark)?.[0], truth.get(mark), faults, phase);
    }
    return faults;
  }

  /** A record is written a moment later. */
  async #truth() {
    for (let tries = 0; ; tries++) {
      const truth = TRUTH[this.name](this.stage.home);
      if (tries === 20 || [...this.requests.values()].every(({ mark }) => truth.has(mark))) return truth;
      await this.sleep(250);
    }
  }

  #checkOne(request, ran, truth, faults, phase) {
    const { mark, id, ends, told, keys, now } = request, story = () => JSON.stringify({ id, mark, ends, told, keys, by: now.by, truth, ran: ran?.[1] });
    if (ends.length === 0) return faults.push(`it never ended: ${story()}`);
    if (ends.length > 1 && !(ends.length === 2 && ends[1] === 'desk')) faults.push(`it ended more than once: ${story()}`);
    if (!truth) return faults.push(`the record does not know it: ${story()}`);
    if (truth.allowed !== Boolean(ran)) faults.push(`allowed: ${truth.allowed}, ran: ${Boolean(ran)}: ${story()}`);
    const end = ends.at(-1), right = truth.decided === 'desk' ? ['desk'] : truth.decided === 'hook' ? [truth.allowed ? 'allowed' : 'denied'] : ['desk', 'allowed'];
    if (!right.includes(end)) faults.push(`its end is not true: ${story()}`);
    if (told.some(({ status }) => status === 200) && end === 'desk') (this.late ??= []).push(mark);
    if (phase !== 'both' && ran && end === 'allowed' && request.sentAt) this.delays.push(Number(ran[1]) - request.sentAt);
  }
}
