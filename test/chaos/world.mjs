// Where a run happens: a home on a small disk of its own, a daemon on a port that stays, and what is known of both.
import { spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Daemon, ostler } from '../e2e/lib/daemon.mjs';
import { stream } from './plan.mjs';

const DISK_BYTES = 384 << 20;
const ANSWER_MS = 120_000; // of a daemon that is hung for some seconds, on a machine that is busy
const SMALLEST_PIECE = 4096;

export class World {
  #news = new EventEmitter().setMaxListeners(0);

  constructor({ seed }) {
    const base = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-chaos-'));
    Object.assign(this, { seed, base, home: path.join(base, 'home'), work: path.join(base, 'work'), claude: path.join(base, 'claude') });
    Object.assign(this, { begun: Date.now(), ending: false, listening: false, problems: [], counts: {}, fills: 0, full: false, actors: {} });
    for (const dir of [this.home, this.work, this.claude]) fs.mkdirSync(dir, { mode: 0o700 });
    this.smallDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES},mode=700`, 'none', this.home]).status === 0;
    fs.mkdirSync(path.join(this.home, 'config'), { mode: 0o700 });
    fs.writeFileSync(path.join(this.home, 'config/config.json'), '{"shellEnvironmentSeconds": 0}\n', { mode: 0o600 });
    this.daemon = new Daemon(this.home, { samePort: true, env: this.env });
  }

  get env() {
    return { CLAUDE_CONFIG_DIR: this.claude };
  }

  random(name) {
    return stream(this.seed, name);
  }

  count(name, n = 1) {
    this.counts[name] = (this.counts[name] ?? 0) + n;
  }

  /** An invariant does not hold: the run ends, and fails. */
  broken(invariant, detail) {
    const minute = ((Date.now() - this.begun) / 60_000).toFixed(2);
    this.problems.push({ invariant, minute, detail: detail instanceof Error ? detail.stack : String(detail) });
    this.end();
  }

  end() {
    this.ending = true;
    this.#news.emit('change');
  }

  /** The daemon listens, or does no longer. */
  set up(listening) {
    this.listening = listening;
    this.#news.emit('change');
  }

  /** Waits until the daemon listens; false when the run ends first. */
  async whenUp() {
    while (!this.listening && !this.ending) await once(this.#news, 'change');
    return !this.ending;
  }

  /** Waits for so long, or until the run ends; false then. */
  async pause(ms) {
    if (this.ending) return false;
    const over = new AbortController(), timer = setTimeout(() => over.abort(), ms);
    try {
      for (;;) {
        await once(this.#news, 'change', { signal: over.signal });
        if (this.ending) return false;
      }
    } catch {
      return true;
    } finally {
      clearTimeout(timer);
    }
  }

  /** {status, body} of an answer; null when there was none, so that nobody knows what became of the request. */
  async ask(method, where, { body, headers = {} } = {}) {
    const timeout = AbortSignal.timeout(ANSWER_MS);
    try {
      const answer = await fetch(`http://127.0.0.1:${this.daemon.port}${where}`, { method, signal: timeout,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        body: body === undefined ? undefined : JSON.stringify(body) });
      const text = await answer.text();
      return { status: answer.status, body: text && JSON.parse(text) };
    } catch (error) {
      if (timeout.aborted) this.broken('every request is answered', `${method} ${where}: nothing for ${ANSWER_MS} ms`);
      else if (error instanceof SyntaxError) this.broken('answers are JSON', `${method} ${where}: ${error.message}`);
      return null;
    }
  }

  /** Asks until there is an answer; null when the run ends first. */
  async get(where) {
    for (;;) {
      const answer = await this.ask('GET', where);
      if (answer) return answer;
      if (!await this.whenUp() || !await this.pause(20)) return null;
    }
  }

  run(args, options = {}) {
    return ostler(this.home, args, { ...options, env: { ...this.env, ...options.env } });
  }

  /** Nothing more fits on the disk until the answer is called. */
  fillDisk() {
    const file = path.join(this.home, 'ballast'), fd = fs.openSync(file, 'w', 0o600);
    this.full = true;
    this.fills++;
    for (let piece = 1 << 20; piece >= SMALLEST_PIECE;) {
      try {
        fs.writeSync(fd, Buffer.alloc(piece, 'x'));
      } catch {
        piece /= 4;
      }
    }
    fs.closeSync(fd);
    return () => {
      fs.rmSync(file);
      this.full = false;
    };
  }

  /** Where the home can be looked at when the run is over. */
  keep() {
    const kept = path.join(this.base, 'kept');
    if (this.smallDisk) fs.cpSync(this.home, kept, { recursive: true, filter: name => !fs.lstatSync(name).isSocket() });
    return this.smallDisk ? kept : this.home;
  }

  remove() {
    if (this.smallDisk) spawnSync('umount', ['-l', this.home]);
    fs.rmSync(this.base, { recursive: true, force: true, maxRetries: 5 });
  }
}
