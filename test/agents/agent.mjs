// What the three agents have in common: a conversation, a tool at a time with a real process, and hooks that they wait for.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export class FakeAgent {
  /** `home` and `cwd` are those of the person who started it. */
  constructor({ home, cwd, id, resumed = false }) {
    Object.assign(this, { home, cwd, id, resumed, calls: 0, call: null, prompts: [], said: '', ran: 0 });
  }

  /** Runs every handler of an event side by side, and waits for all of them. */
  async fire(event, fields = {}, subject = '') {
    const payload = JSON.stringify(this.payload(event, fields));
    await Promise.all(this.handlers(event, subject).map(handler => this.#run(handler, payload)));
  }

  /** The same, but nobody waits: it is enough that they have been told. */
  async fireAndForget(event, fields = {}, subject = '') {
    const payload = JSON.stringify(this.payload(event, fields));
    await Promise.all(this.handlers(event, subject).map(handler => this.#start(handler, payload).written));
  }

  #start(handler, payload) {
    const [program, ...args] = this.command(handler);
    const child = spawn(program, args, {
      cwd: this.cwd, env: { ...process.env, ...this.environment(), ...handler.env }, stdio: ['pipe', 'pipe', 'pipe'],
      detached: this.ownSession,
    });
    this.ran++;
    child.stdin.on('error', () => {});
    return { child, written: new Promise(resolve => child.stdin.end(payload, resolve)) };
  }

  /** What a hook prints, an agent reads: as a decision, as context for the model, or as a complaint. */
  async #run(handler, payload) {
    const { child } = this.#start(handler, payload);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => { this.said += text; });
    const timer = setTimeout(() => child.kill('SIGKILL'), this.timeoutMs(handler));
    const [code, signal] = await once(child, 'close');
    clearTimeout(timer);
    if (code !== 0) this.said += `hook ended with ${signal ?? code}`;
  }

  /** Begins a tool call: with `run`, a real process as long as it lasts. With `ask`, a person must answer first. */
  async tool({ name, input, run, ask = false }) {
    this.call = { name, input, run, id: this.nextCallId(++this.calls), begun: Date.now() };
    await this.beforeTool(this.call);
    if (ask) await this.askPermission(this.call);
    else this.#runTool();
  }

  #runTool() {
    const [program, ...args] = this.call.run ?? [];
    if (program) this.call.child = spawn(program, args, { cwd: this.cwd, stdio: 'ignore' });
  }

  /** The person answered in the terminal. No CLI has an event for that. */
  async answer({ allow }) {
    if (allow) this.#runTool();
    else this.call = null;
  }

  /** The tool is done; its process, if it still runs, has been ended. */
  async finish({ output = '', error } = {}) {
    const { call } = this;
    this.call = null;
    if (call.child && call.child.exitCode === null && call.child.signalCode === null) {
      call.child.kill();
      await once(call.child, 'exit');
    }
    await this.afterTool({ ...call, took: Date.now() - call.begun }, output, error);
  }
}
