// Where an agent runs: in a terminal of ostler's, at a desk (a terminal that ostler knows nothing of), or without any.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once, setMaxListeners } from 'node:events';
import { cleanup } from '../e2e/lib/cleanup.mjs';
import { environment } from '../e2e/lib/daemon.mjs';
import { Person } from '../e2e/lib/tmux.mjs';
import { makeTerminal, Tty } from '../e2e/lib/tty.mjs';

export const COLS = 120, ROWS = 40;
const WAIT_MS = 60_000;

/** Waits until `look` answers something true, asked again whenever `changed` resolves; null when it never did. */
async function until(look, changed, ms = WAIT_MS) {
  const signal = AbortSignal.timeout(ms);
  setMaxListeners(0, signal); // it is listened to with every change
  for (;;) {
    const change = changed(signal);
    change.catch(() => {});
    const answer = await look();
    if (answer) return answer;
    try {
      await change;
    } catch {
      return null;
    }
  }
}

/** What a promise answers, or null when that takes too long. */
function inTime(promise, ms) {
  const late = new Promise(resolve => { setTimeout(resolve, ms, null).unref(); });
  return Promise.race([late, promise.catch(() => null)]);
}

/** A terminal of ostler's. */
export class Hosted {
  kind = 'hosted';

  static async open(t, stage, words) {
    const made = await makeTerminal(stage.daemon, { argv: words, workingDir: stage.project, cols: COLS, rows: ROWS });
    const place = new Hosted(stage, made);
    await place.attach(t);
    return place;
  }

  constructor(stage, { terminalId, sessionId }) {
    Object.assign(this, { stage, terminalId, sessionId });
  }

  /** Every byte from the first on. */
  async attach(t) {
    this.tty = await Tty.connect(t, this.stage.daemon, this, { exact: true, offset: 0 });
  }

  /** The daemon was gone. */
  async attachAgain() {
    await this.tty.open();
  }

  get pid() {
    return this.stage.daemon.get(`/api/terminals/${this.terminalId}`).then(terminal => terminal.pid);
  }

  async screen() {
    const { lines } = await this.stage.daemon.get(`/api/terminals/${this.terminalId}/screen`);
    return lines.join('\n');
  }

  type(text) {
    this.tty.type(text);
  }

  /** Waits until it is on the screen. With `ms`: null when that takes longer. */
  async sees(pattern, ms) {
    const found = await until(async () => (await this.screen()).match(pattern), signal => once(this.tty, 'news', { signal }), ms);
    return found || ms ? found : assert.fail(`no ${pattern} within ${WAIT_MS} ms; the screen:\n${await this.screen()}`);
  }

  /** Is the pattern gone from the screen within so long? */
  loses(pattern, ms) {
    return until(async () => !pattern.test(await this.screen()), signal => once(this.tty, 'news', { signal }), ms);
  }

  /** Does its program end within so long? */
  leaves(ms) {
    return inTime(this.ended().then(() => true), ms);
  }

  ended() {
    return this.tty.until(() => this.tty.exit, 'its end');
  }
}

/** A terminal of somebody else's: tmux. */
export class Desk {
  kind = 'desk';

  static async open(t, stage, words) {
    const person = await Person.sitDown(t, stage.home, { cols: COLS, rows: ROWS, env: stage.environment });
    await person.starts(`cd ${stage.project} && ${words.map(word => `'${word}'`).join(' ')}; echo "it ended: $?"`);
    return new Desk(person);
  }

  constructor(person) {
    this.person = person;
  }

  get pid() {
    return this.person.knows('#{pane_pid}').then(Number); // the shell: the agent is below it
  }

  screen() {
    return this.person.screen();
  }

  type(text) {
    return this.person.type(text);
  }

  sees(pattern, ms) {
    const found = this.person.sees(pattern);
    return ms ? inTime(found, ms) : found;
  }

  loses(pattern, ms) {
    return inTime(this.person.until(async () => !pattern.test(await this.screen()), `${pattern} gone`), ms);
  }

  ended() {
    return this.person.sees(/^it ended: \d+$/m);
  }
}

/** No terminal at all: a program that a script has started. */
export class Headless {
  kind = 'headless';

  static async open(t, stage, words) {
    const [program, ...args] = words;
    const child = spawn(program, args, { cwd: stage.project, env: { ...environment(stage.home, stage.environment) }, stdio: ['ignore', 'pipe', 'pipe'] });
    const place = new Headless(child);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => { place.output += text; });
    cleanup(t, () => { child.kill('SIGKILL'); });
    return place;
  }

  output = '';

  constructor(child) {
    this.child = child;
    this.closed = once(child, 'exit');
  }

  get pid() {
    return Promise.resolve(this.child.pid);
  }

  screen() {
    return Promise.resolve(this.output);
  }

  ended() {
    return this.closed;
  }
}
