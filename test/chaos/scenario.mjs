// One run: who takes part, the storm, the calm after it, and the verdict.
import fs from 'node:fs';
import path from 'node:path';
import { keepers } from '../e2e/lib/daemon.mjs';
import { Around } from './around.mjs';
import { BoardClient } from './boards.mjs';
import { CommandUser } from './commands.mjs';
import { HookWriter } from './hooks.mjs';
import { Life } from './life.mjs';
import { Marks } from './marks.mjs';
import { Person } from './people.mjs';
import { PostWriter } from './posts.mjs';
import { progress, report } from './report.mjs';
import { Transcript } from './transcripts.mjs';
import { allRead, checkAgain, checkDatabase, checkEvents, checkHoldings, checkKeepers, whenQuiet } from './verdict.mjs';
import { Printer, Viewer } from './viewers.mjs';
import { World } from './world.mjs';

const HOOKS = 5, POSTS = 2, PEOPLE = 2, BOARDS = 4;
const PRINTERS = [[0.1, 64], [0.1, 16], [0.05, 8], [0.3, 256], [1.0, 4096]]; // seconds, lines: from a trickle to bursts of 64 KiB
const TRANSCRIPTS = [['reopen', 'long'], ['keep', 'long'], ['reopen', 'short']].map(([descriptor, parents]) => ({ descriptor, parents }));
const CALM_SHARE = 1 / 3, CALM_AFTER_KILLS_MS = 20_000, PROGRESS_MS = 60_000;

export class Run {
  constructor({ seed, minutes, kills }) {
    Object.assign(this, { minutes, wanted: kills, world: new World({ seed }) });
    this.life = new Life(this.world);
    process.on('uncaughtException', error => this.world.broken('nothing unexpected comes', error));
    process.on('unhandledRejection', error => this.world.broken('nothing unexpected comes', error));
  }

  /** True when every invariant holds. */
  async toTheEnd() {
    const { world } = this;
    process.stdout.write(`chaos with seed ${world.seed}: ${this.wanted ? `${this.wanted} kills` : `${this.minutes} minutes`}, ${process.env.OSTLER_BUILD}`
      + `${world.smallDisk ? '' : '; no disk may be mounted here, so none gets full'}\n`);
    try {
      await this.#begin();
      await this.#act();
      if (!world.problems.length) await this.#judge();
    } catch (error) {
      world.broken('nothing unexpected comes', error);
    }
    const kept = world.problems.length ? world.keep() : null;
    report(world, { kills: this.life.kills, stormMs: this.stormMs, kept, log: world.daemon.log });
    this.#leave();
    return !kept;
  }

  async #begin() {
    const { world } = this, { actors } = world, many = (n, make) => Array.from({ length: n }, (_, i) => make(i));
    await this.life.begin();
    actors.directories = many(HOOKS + 1, i => path.join(world.work, `place-${i}`));
    for (const dir of actors.directories) fs.mkdirSync(dir);
    actors.hooks = many(HOOKS, i => new HookWriter(world, `hook-${i}`, actors.directories[i]));
    actors.posts = many(POSTS, i => new PostWriter(world, `post-${i}`));
    actors.resets = new Marks('reset', '/srv/reset');
    actors.printers = [];
    for (const [i, [pause, lines]] of PRINTERS.entries())
      actors.printers.push(await Printer.start(world, `printer-${i}`, { pause, lines, cwd: actors.directories[i % 2 ? HOOKS : i] }));
    actors.viewers = actors.printers.flatMap((printer, i) => [true, false].map(exact => new Viewer(world, `viewer-${i}-${exact}`, printer, { exact })));
    actors.boards = many(BOARDS, i => new BoardClient(world, `board-${i}`, { v1: i % 2 === 0 }));
    actors.people = many(PEOPLE, i => new Person(world, `person-${i}`));
    for (const person of actors.people) await person.begin();
    actors.transcripts = TRANSCRIPTS.map((how, i) => new Transcript(world, `transcript-${i}`, how));
    actors.commands = [new CommandUser(world, 'commands')];
  }

  /** Everybody at once, until the time is over or the kills are done. */
  async #act() {
    const { world, life } = this, { hooks, posts, viewers, boards, people, transcripts, commands } = world.actors;
    const guarded = actor => actor.run().catch(error => world.broken('nothing unexpected comes', error));
    this.watching = [...viewers, ...boards].map(guarded);
    const acting = [...hooks, ...posts, ...people, ...transcripts, ...commands, new Around(world)].map(guarded);
    const told = setInterval(() => process.stdout.write(progress(world, life.kills)), PROGRESS_MS);
    const begun = Date.now(), total = this.minutes * 60_000;
    if (this.wanted) await life.suffer('quick', () => life.kills >= this.wanted);
    else await life.suffer('storm', () => Date.now() - begun > total * (1 - CALM_SHARE));
    this.stormMs = Date.now() - begun;
    const calmUntil = Date.now() + (this.wanted ? CALM_AFTER_KILLS_MS : total * CALM_SHARE);
    await life.suffer('calm', () => Date.now() > calmUntil);
    for (const printer of world.actors.printers) if (!world.problems.length) printer.check();
    world.end();
    clearInterval(told);
    await Promise.all(acting);
  }

  async #judge() {
    const { world } = this, { hooks, posts, resets, printers, viewers, boards, people, transcripts } = world.actors, writers = [...hooks, ...posts];
    for (const actor of [...writers, ...transcripts]) await actor.finish();
    await allRead(world, writers);
    for (const printer of printers) printer.end();
    await Promise.all(this.watching.slice(0, viewers.length));
    for (const viewer of viewers) world.count('bytes compared', viewer.checked);
    for (const person of people) await person.check();
    for (const board of boards) await board.check();
    for (const board of boards) board.leave();
    for (const transcript of transcripts) await transcript.check();
    await this.#judgeDaemon(writers, resets);
  }

  async #judgeDaemon(writers, resets) {
    const { world } = this, { daemon } = world;
    await checkKeepers(world);
    world.tired = await whenQuiet(world);
    const sessions = await daemon.get('/api/sessions'), { lost } = await daemon.get('/api/health');
    await daemon.stop();
    checkEvents(world, writers, resets, lost.events);
    checkDatabase(world);
    await daemon.start();
    await checkAgain(world, sessions);
    world.fresh = await whenQuiet(world);
    checkHoldings(world);
    await daemon.stop();
  }

  #leave() {
    const { world } = this;
    if (world.daemon.running) world.daemon.child.kill('SIGKILL');
    for (const transcript of world.actors.transcripts ?? []) transcript.stop();
    for (const pid of keepers(world.home)) process.kill(pid, 'SIGKILL');
    if (!world.problems.length) world.remove();
  }
}
