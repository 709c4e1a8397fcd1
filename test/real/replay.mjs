// A stage with a recording instead of a CLI: a process that does what the CLI did, told by the test over a socket. Hook, keeper and daemon
// are the real ones, and so are the assertions.
//
// Time is shortened: a gap in the recording is waited for, but no longer than the scenario's `gapMs`. Where that is long, because the
// scenario is about time that passes, no step takes longer than that as a whole.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import zlib from 'node:zlib';
import { cleanup } from '../e2e/lib/cleanup.mjs';
import { VERSIONS } from './install.mjs';
import { Stage } from './stage.mjs';

export const RECORDINGS = path.join(import.meta.dirname, 'recordings');
const PLAYER = path.join(import.meta.dirname, 'player.mjs');
const GAP_MS = 250;

export const recordingFile = (cli, scenario) => path.join(RECORDINGS, cli, `${scenario}.jsonl`);
const key = ({ start, depth }) => `${start}:${depth}`;

/** A line of a record says when it was written, and what is older than its session is no news. */
const writtenNow = line => line.timestamp ? { ...line, timestamp: new Date().toISOString() } : line;

export class ReplayStage extends Stage {
  #segments;
  #next = 0;
  #playing = Promise.resolve();
  #actors = new Map(); // key → Promise of an Actor
  #starts = 0;

  static async set(t, cli, { name, gapMs = GAP_MS }) {
    const stage = new ReplayStage(t, cli, { live: false });
    stage.gapMs = gapMs;
    stage.#read(recordingFile(cli.id, name));
    await stage.#listen();
    const program = path.join(stage.home, 'player');
    fs.writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${PLAYER}' ${cli.name} "$@"\n`, { mode: 0o755 });
    await stage.prepare({ program, modelUrl: 'http://127.0.0.1:9' });
    return stage;
  }

  #read(file) {
    const places = { $HOME: this.home, $DASHED: this.home.replace(/[^A-Za-z0-9]/g, '-'), $BUILD: this.build, $AGENTS: '/usr/lib/node_modules', $MODEL: '127.0.0.1:9' };
    const text = fs.readFileSync(file, 'utf8').replace(/\$(HOME|DASHED|BUILD|AGENTS|MODEL)\b/g, name => places[name]);
    const [head, ...segments] = text.trimEnd().split('\n').map(line => JSON.parse(line));
    const pinned = VERSIONS.agents[head.cli].version;
    assert.equal(head.version, pinned, `${path.basename(file)} was recorded with ${head.cli} ${head.version}, pinned is ${pinned}: make test-real records it again`);
    this.#segments = segments;
  }

  async #listen() {
    const server = net.createServer(socket => this.#connected(socket)).listen(path.join(this.home, 'player.sock'));
    await once(server, 'listening');
    cleanup(this.t, () => { server.close(); });
  }

  async #connected(socket) {
    socket.on('error', () => {});
    const lines = createInterface({ input: socket });
    const [first] = await once(lines, 'line');
    const { actor, pid } = JSON.parse(first);
    const name = actor ?? key({ start: this.#starts++, depth: 0 });
    this.#actor(name).arrive(new Actor(socket, lines, pid));
  }

  #actor(name) {
    if (!this.#actors.has(name)) {
      const entry = {};
      entry.here = new Promise(resolve => { entry.arrive = resolve; });
      this.#actors.set(name, entry);
    }
    return this.#actors.get(name);
  }

  /** The process that plays this part; one that is not the started one is started by that. */
  async #part(part) {
    const name = key(part), known = this.#actors.has(name), entry = this.#actor(name);
    if (part.depth !== 0 && !known) await (await this.#part({ ...part, depth: 0 })).ask({ do: 'spawn', actor: name, alone: part.depth < 0 });
    return entry.here;
  }

  async #play({ events, ms, terminal }) {
    const bytes = terminal ? zlib.inflateRawSync(Buffer.from(terminal, 'base64')) : Buffer.alloc(0);
    const scale = this.gapMs > GAP_MS ? Math.min(1, this.gapMs / ms) : 1;
    let now = 0, printed = 0;
    for (const event of [...events, { ms }]) {
      const gap = Math.min((event.ms - now) * scale, this.gapMs);
      if (gap > 0) await new Promise(resolve => { setTimeout(resolve, gap); });
      now = event.ms;
      if (event.printed) {
        const part = bytes.subarray(printed, printed += event.printed);
        await (await this.#part(event.actor)).ask({ do: 'print', data: part.toString('base64') });
      } else if (event.actor) {
        await this.#perform(event);
      }
    }
  }

  async #perform({ actor, hook, environment, plugin, args, file, ended, record, anew, lines, document, text }) {
    if (record) return this.#write(record, lines.map(line => `${JSON.stringify(writtenNow(line))}\n`).join(''), anew ? 'w' : 'a');
    if (document) return this.#write(document, text, 'w');
    const part = await this.#part(actor);
    if (hook !== undefined) {
      const marks = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value === '$PID' ? String(part.pid) : value]));
      await part.ask({ do: 'hook', payload: hook, environment: marks });
    } else if (plugin) {
      await part.ask({ do: 'plugin', name: plugin, args });
    } else if (ended) {
      await part.ask({ do: 'end', ...ended });
    } else {
      this.#writeStatus(part.pid, file);
    }
  }

  /** Conversations that CLIs keep grow line by line, or are written anew; plans are written whole. */
  #write(name, text, flag) {
    const file = path.join(this.home, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { flag });
  }

  /** As Claude Code does it: in place. */
  #writeStatus(pid, file) {
    const name = path.join(this.home, '.claude/sessions', `${pid}.json`);
    if (!file) return fs.rmSync(name, { force: true });
    const { agoMs = 0, ...status } = file, at = Date.now() - agoMs;
    fs.mkdirSync(path.dirname(name), { recursive: true, mode: 0o700 });
    const [, ...stat] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    fs.writeFileSync(name, JSON.stringify({ pid, procStart: stat[18], ...status, startedAt: at, updatedAt: at, ...(status.status && { statusUpdatedAt: at }) }));
  }

  script() {}
  async reached() {
    await this.#playing;
  }

  release(hold) {
    return this.cue(`release ${hold}`);
  }

  async #begin(name) {
    await this.#playing;
    const segment = this.#segments[this.#next++];
    assert.equal(segment?.cue, name, 'the scenario is not what it was when this was recorded: make test-real records it again');
    return segment;
  }

  /** What a person did: the recording tells what came of it. */
  async cue(name) {
    const segment = await this.#begin(name);
    this.#playing = this.#play(segment);
    this.#playing.catch(() => {});
  }

  /** What happens to recorded agents as it does to real ones. */
  async deed(name, act) {
    const segment = await this.#begin(name);
    let begin;
    this.#playing = new Promise(resolve => { begin = resolve; }).then(() => this.#play(segment));
    this.#playing.catch(() => {});
    this.begin = begin;
    await act();
    begin();
  }

  /** A new agent is there: it begins. */
  async started() {
    await this.#actor(key({ start: this.agents.length - 1, depth: 0 })).here;
    this.begin();
  }

  async pass() {
    await this.cue('pass');
    await this.#playing;
    await this.cue('on');
  }

  sees() {
    return this.#playing;
  }

  async ended(agent) {
    await this.#playing;
    await agent.place.ended();
  }

  askedAt() {
    return undefined;
  }

  /** Everything that was recorded has been played. */
  async over() {
    await this.#playing;
    assert.equal(this.#next, this.#segments.length, 'the recording goes on');
  }

  pidOf() {
    return this.#actor(key({ start: this.agents.length - 1, depth: 0 })).here.then(({ pid }) => pid);
  }
}

/** The test's end of a player. */
class Actor {
  #asked = 0;
  #answers = new Map();

  constructor(socket, lines, pid) {
    Object.assign(this, { socket, pid });
    lines.on('line', line => {
      const { id, error } = JSON.parse(line), answer = this.#answers.get(id);
      this.#answers.delete(id);
      answer?.(error);
    });
    socket.on('close', () => {
      this.gone = true;
      for (const answer of this.#answers.values()) answer();
    });
  }

  /** Waits until it is done, or the process has gone. */
  async ask(order) {
    if (this.gone) return;
    const id = ++this.#asked;
    const answered = new Promise(resolve => { this.#answers.set(id, resolve); });
    this.socket.write(`${JSON.stringify({ id, ...order })}\n`);
    const error = await answered;
    assert.equal(error, undefined);
  }
}
