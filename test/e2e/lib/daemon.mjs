// The real daemon, in a home of its own. Waits for what happens, never for time to pass.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';

export const ROOT = path.resolve(import.meta.dirname, '../../..');
export const BUILD = path.resolve(process.env.OSTLER_BUILD || path.join(ROOT, 'build-asan'));
export const OSTLER = path.join(BUILD, 'ostler');
const START_MS = 30_000;
const REPORT = /ERROR: (Address|Leak|Thread)Sanitizer|runtime error:|Assertion .* failed/;

/** A temporary OSTLER_HOME that goes away with the test. */
export function makeHome(t) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-e2e-'));
  cleanup(t, () => {
    for (const pid of keepers(home)) process.kill(pid, 'SIGKILL');
    fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  return home;
}

/** The pids of the keepers of a home: they outlive every daemon. */
export function keepers(home) {
  return fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return path.basename(words[0]).startsWith('ostler-keeper') && words[words.indexOf('--socket') + 1].startsWith(`${home}/`);
    } catch {
      return false;
    }
  }).map(Number);
}

/** What our programs see: nothing of the machine's own ostler or of an agent that runs these tests. */
export function environment(home, extra = {}) {
  const { PATH, ASAN_OPTIONS, UBSAN_OPTIONS } = process.env;
  const base = { PATH, HOME: home, OSTLER_HOME: home, ASAN_OPTIONS, UBSAN_OPTIONS, ...extra };
  return Object.fromEntries(Object.entries(base).filter(([, value]) => value !== undefined));
}

/** Runs `ostler ARGS…` to its end. */
export async function ostler(home, args, { input = '', env = {} } = {}) {
  const child = spawn(OSTLER, args, { env: environment(home, env), stdio: ['pipe', 'pipe', 'pipe'] });
  const out = collect(child.stdout), err = collect(child.stderr);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code, signal] = await once(child, 'close');
  assert.doesNotMatch(err.text, REPORT);
  return { code, signal, stdout: out.text, stderr: err.text };
}

function collect(stream) {
  const kept = { text: '' };
  stream.setEncoding('utf8').on('data', chunk => { kept.text += chunk; });
  return kept;
}

export class Daemon {
  #logged = new EventEmitter();

  /** With `samePort` it comes back where it was, for clients that reconnect by themselves. With `ownPort` it finds its port itself. It
   * may have `nofile` descriptors, and is run by the words `under`. */
  constructor(home, { args = [], env = {}, samePort = false, ownPort = false, nofile = 0, under = [] } = {}) {
    Object.assign(this, { home, args, env, samePort, ownPort, nofile, under, port: 0, log: '' });
  }

  /** Starts it and waits until run/daemon.json names this process. */
  async start() {
    const run = path.join(this.home, 'run');
    fs.mkdirSync(run, { recursive: true, mode: 0o700 });
    const changed = new Changes(run);
    try {
      const { gone } = await this.#spawn();
      const timeout = AbortSignal.timeout(START_MS);
      for (;;) {
        const info = readInfo(path.join(run, 'daemon.json'));
        if (info?.pid === this.child.pid) {
          const scheme = info.url.split(':')[0];
          Object.assign(this, { port: info.port, url: `${scheme}://127.0.0.1:${info.port}`, info });
          return this;
        }
        await Promise.race([changed.next(timeout), gone]);
      }
    } finally {
      changed.close();
    }
  }

  /** Answers { gone }: a promise that fails when the process ends. */
  async #spawn() {
    const port = this.ownPort ? [] : ['--port', String(this.samePort ? this.port : 0)];
    const args = ['serve', ...port, '--no-open', ...this.args];
    const limit = this.nofile ? ['prlimit', `--nofile=${this.nofile}:${this.nofile}`] : [];
    const words = [...limit, ...this.under, OSTLER, ...args];
    this.child = spawn(words[0], words.slice(1), { env: environment(this.home, this.env), stdio: ['ignore', 'pipe', 'pipe'] });
    if (this.child.pid === undefined) throw (await once(this.child, 'error'))[0]; // a kill() now would hit our whole group
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.setEncoding('utf8').on('data', chunk => { this.log += chunk; this.#logged.emit('data'); });
    this.exited = once(this.child, 'exit').then(([code, signal]) => ({ code, signal }));
    const gone = this.exited.then(({ code, signal }) => {
      throw new Error(`ostler serve ended with ${signal ?? code} before it listened:\n${this.log}`);
    });
    gone.catch(() => {});
    return { gone };
  }

  get running() {
    return this.child?.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  kill(signal = 'SIGKILL') {
    this.child.kill(signal);
    return this.exited;
  }

  /** As if the machine had taken it away. */
  async crash() {
    await this.kill('SIGKILL');
    this.checkLog();
  }

  /** Asks it to stop; it must do so cleanly. */
  async stop(signal = 'SIGTERM') {
    if (this.running) {
      const end = await this.kill(signal);
      this.checkLog();
      assert.deepEqual(end, { code: 0, signal: null }, `the daemon did not stop cleanly:\n${this.log}`);
    }
    this.checkLog();
  }

  checkLog() {
    assert.doesNotMatch(this.log, REPORT);
  }

  /** Waits until the log says so. */
  async says(pattern) {
    const signal = AbortSignal.timeout(START_MS);
    while (!pattern.test(this.log)) await once(this.#logged, 'data', { signal });
  }

  fetch(where, options = {}) {
    return fetch(this.url + where, options);
  }

  async get(where) {
    const answer = await this.fetch(where);
    assert.equal(answer.status, 200, `GET ${where}`);
    return answer.json();
  }

  post(payload, headers = {}) {
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    return this.fetch('/api/hooks', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
  }

  get rss() {
    return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${this.child.pid}/status`, 'utf8'))[1]) * 1024;
  }
}

function readInfo(file) {
  try {
    const st = fs.lstatSync(file);
    if (!st.isFile() || st.size > 1 << 20) return null; // a FIFO would be waited for, a terabyte would be read
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Changes in a directory, remembered between two calls of next(). */
class Changes {
  #seen = false;
  #wake = null;

  constructor(dir) {
    this.watcher = fs.watch(dir, () => {
      this.#seen = true;
      this.#wake?.();
    });
  }

  async next(signal) {
    if (!this.#seen)
      await new Promise((resolve, reject) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => reject(new Error(`nothing happened for ${START_MS} ms`)), { once: true });
      });
    this.#seen = false;
    this.#wake = null;
  }

  close() {
    this.watcher.close();
  }
}

/** A running daemon for one test; stopped, and held to a clean stop, when the test ends. */
export async function startDaemon(t, { home = makeHome(t), ...options } = {}) {
  const daemon = new Daemon(home, options);
  cleanup(t, () => daemon.stop());
  return daemon.start();
}
