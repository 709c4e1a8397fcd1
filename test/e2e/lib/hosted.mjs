// Agents in terminals of ours: a program called like its CLI, which is told what to do through the terminal.
import fs from 'node:fs';
import path from 'node:path';
import { ROOT } from './daemon.mjs';
import { makeTerminal, Tty } from './tty.mjs';

const PROGRAM = path.join(ROOT, 'test/agents/fake-agent.mjs');

/** A program of that name that is the fake agent, and of a version that can be seen; its path. */
export function installAgent(home, cli) {
  const file = path.join(home, 'versions', cli, '2.1.325'), link = path.join(home, 'bin', cli);
  for (const one of [file, link]) fs.mkdirSync(path.dirname(one), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' ${cli} "$@"\n`, { mode: 0o755 });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(file, link);
  return link;
}

export class HostedAgent {
  /** Starts it in a terminal and waits until it has launched. */
  static async start(t, daemon, cli, body = {}) {
    const program = installAgent(daemon.home, cli);
    const made = await makeTerminal(daemon, { argv: [program], workingDir: daemon.home, cols: 500, ...body });
    return new HostedAgent(await Tty.connect(t, daemon, made), made).launched();
  }

  constructor(tty, made) {
    Object.assign(this, { tty, ...made });
  }

  /** What it says of the step; each once. */
  async #answer(step) {
    const pattern = new RegExp(`\\{"did":"${step}".*?\\}`);
    const text = () => `${this.tty.snapshot ?? ''}${this.tty.output}`;
    await this.tty.until(() => pattern.test(text()), step);
    return JSON.parse(pattern.exec(text())[0]);
  }

  async launched() {
    const { id, pid } = await this.#answer('launch');
    return Object.assign(this, { id, pid });
  }

  do(step, details = {}) {
    this.tty.type(`${JSON.stringify({ do: step, ...details })}\r`);
    return this.#answer(step);
  }
}
