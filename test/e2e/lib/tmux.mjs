// A person at a terminal: a real one, tmux's, whose screen can be read and whose keys can be pressed. Told of every change by
// tmux's control mode, so that nothing here waits for time to pass.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { cleanup } from './cleanup.mjs';
import { BUILD, environment } from './daemon.mjs';

const WAIT_MS = 30_000;

export class Person {
  #answers = []; // commands whose answer has not come
  #answer = null; // lines of the one that is coming
  #changes = 0;
  #wake = new Set();
  #gone = false;

  /** Sits down at a shell in a terminal of this size, in the home's directory. */
  static async sitDown(t, home, { cols = 80, rows = 24, env = {} } = {}) {
    const person = new Person(home, { cols, rows, env });
    cleanup(t, () => person.#leave());
    await person.#ready;
    await person.tmux('set-option -g window-size manual');
    await person.tmux(`resize-window -x ${cols} -y ${rows}`);
    await person.sees(/^>$/m);
    return person;
  }

  #ready;

  constructor(home, { cols, rows, env }) {
    this.home = home;
    const socket = path.join(home, `tmux-${process.pid}-${Math.floor(performance.now() * 1000)}`);
    const shell = ['env', 'PS1=> ', 'HISTFILE=', 'bash', '--norc', '--noprofile'];
    const { TERM, ...rest } = { ...environment(home, env), PATH: `${BUILD}:${process.env.PATH}`, TERM: 'xterm-256color' };
    fs.writeFileSync(path.join(home, 'tmux.conf'), 'set -g default-terminal tmux-256color\nset -g status off\nset -g escape-time 0\n');
    this.child = spawn('tmux', ['-S', socket, '-f', path.join(home, 'tmux.conf'), '-C', 'new-session', '-x', cols, '-y', rows, '-c', home, ...shell],
      { env: { ...rest, TERM }, cwd: home, stdio: ['pipe', 'pipe', 'inherit'] });
    this.exited = new Promise(resolve => this.child.on('exit', resolve));
    this.exited.then(() => { this.#gone = true; this.#changed(); });
    // The session's own command is answered first.
    this.#ready = new Promise(resolve => this.#answers.push(resolve));
    createInterface({ input: this.child.stdout }).on('line', line => this.#take(line));
  }

  #take(line) {
    if (line.startsWith('%begin ')) {
      this.#answer = [];
    } else if (line.startsWith('%end ') || line.startsWith('%error ')) {
      this.#answers.shift()?.({ ok: line.startsWith('%end '), lines: this.#answer });
      this.#answer = null;
    } else if (this.#answer) {
      this.#answer.push(line);
    } else {
      this.#changed();
    }
  }

  #changed() {
    this.#changes++;
    for (const wake of [...this.#wake]) wake();
  }

  /** One of tmux's own commands; answers its lines. */
  async tmux(command) {
    const answer = new Promise(resolve => this.#answers.push(resolve));
    this.child.stdin.write(`${command}\n`);
    const { ok, lines } = await Promise.race([answer, this.exited.then(() => ({ ok: false, lines: ['tmux is gone'] }))]);
    assert.ok(ok, `${command}: ${lines.join('\n')}`);
    return lines;
  }

  /** Presses keys: text as it is, control characters and all. */
  async type(text) {
    const bytes = [...Buffer.from(text)].map(b => b.toString(16).padStart(2, '0'));
    for (let at = 0; at < bytes.length; at += 200) await this.tmux(`send-keys -H ${bytes.slice(at, at + 200).join(' ')}`);
  }

  /** What is on the screen, a line a row, without blanks at the ends. */
  async screen() {
    return (await this.tmux('capture-pane -p')).map(line => line.trimEnd()).join('\n');
  }

  /** With what has scrolled off it, wrapped lines joined. */
  async history() {
    return (await this.tmux('capture-pane -p -J -S -')).join('\n');
  }

  /** What tmux knows of the terminal: sees('#{alternate_on}'). */
  async knows(format) {
    return (await this.tmux(`display-message -p '${format}'`)).join('\n');
  }

  resize(cols, rows) {
    return this.tmux(`resize-window -x ${cols} -y ${rows}`);
  }

  async #nextChange(seen, signal) {
    while (this.#changes === seen) {
      await new Promise((resolve, reject) => {
        const done = () => { this.#wake.delete(done); resolve(); };
        this.#wake.add(done);
        signal.addEventListener('abort', () => { this.#wake.delete(done); reject(new Error('too long')); }, { once: true });
      });
    }
  }

  /** Waits until `look` answers something true; it is asked again whenever the terminal changes. */
  async until(look, what = String(look)) {
    const signal = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      const seen = this.#changes;
      const answer = await look();
      if (answer) return answer;
      assert.ok(!this.#gone, `the terminal went while waiting for ${what}`);
      try {
        await this.#nextChange(seen, signal);
      } catch {
        throw new Error(`no ${what} within ${WAIT_MS} ms; the screen:\n${await this.screen()}`);
      }
    }
  }

  /** Waits until the pattern is on the screen. */
  sees(pattern) {
    return this.until(async () => (await this.screen()).match(pattern), String(pattern));
  }

  /** At the shell's prompt again, with an empty screen. */
  async clears() {
    await this.sees(/^>$/m);
    await this.type('clear\r');
    await this.until(async () => (await this.screen()).trim() === '>', 'an empty screen');
  }

  /** Types a command at the shell, on an empty screen. */
  async starts(command) {
    await this.clears();
    await this.type(`${command}\r`);
  }

  /** Types a command at the shell and waits for its end; answers { status, text } with what the screen then shows. */
  async runs(command) {
    const mark = `m${Math.floor(performance.now() * 1000)}`;
    await this.clears();
    await this.type(`${command}; echo "${mark} $?"\r`);
    const [, status] = await this.sees(new RegExp(`^${mark} (\\d+)$`, 'm'));
    return { status: Number(status), text: await this.history() };
  }

  async #leave() {
    if (!this.#gone) this.child.stdin.write('kill-server\n');
    await this.exited;
  }
}
