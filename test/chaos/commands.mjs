// Somebody at a shell: looks at lists and logs, attaches, and closes the window in the middle of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environment, OSTLER } from '../e2e/lib/daemon.mjs';
import { expected, LINE_BYTES } from '../e2e/lib/printer.mjs';

export class CommandUser {
  constructor(world, name) {
    Object.assign(this, { world, random: world.random(name) });
  }

  async run() {
    const acts = [[3, 'ls'], [2, 'status'], [4, 'logs'], [3, 'attach']];
    while (!this.world.ending) {
      const act = this.random.weighted(acts);
      try {
        await this[act]();
      } catch (error) {
        this.world.broken('a command does not crash', error);
      }
      this.world.count(`ostler ${act}`);
      await this.world.pause(this.random.below(400));
    }
  }

  async #ostler(args) {
    const said = await this.world.run(args);
    if (said.signal || said.code > 1) this.world.broken('a command ends as it should', `ostler ${args.join(' ')}: ${said.signal ?? said.code} ${said.stderr}`);
    return said;
  }

  async ls() {
    const { code, stdout } = await this.#ostler(['ls', '--json']);
    if (code === 0) JSON.parse(stdout);
  }

  async status() {
    await this.#ostler(['status']);
  }

  /** Lines that follow one another, whether the daemon is there or not. */
  async logs() {
    const { name, terminalId } = this.random.pick(this.world.actors.printers), { code, stdout } = await this.#ostler(['logs', '--raw', terminalId]);
    if (code !== 0) return;
    const first = /line (\d{9})\r\n/.exec(stdout);
    if (!first) return;
    const from = Number(first[1]) * LINE_BYTES - first.index;
    this.world.count('bytes of logs', stdout.length);
    if (stdout.replace(/last.*$/s, '') !== expected(from, from + stdout.length).slice(0, stdout.replace(/last.*$/s, '').length))
      this.world.broken('a log has every byte', `${name}: ${stdout.length} bytes from ${from} on`);
  }

  async attach() {
    const { terminalId } = this.random.pick(this.world.actors.printers), env = environment(this.world.home, { ...this.world.env, TERM: 'xterm' });
    const child = spawn('script', ['-qefc', `'${OSTLER}' attach ${terminalId}`, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    let said = '';
    const ended = once(child, 'close');
    child.stdin.on('error', () => {});
    child.stdout.setEncoding('latin1').on('data', text => { said = (said + text).slice(-4096); });
    await this.world.pause(this.random.between(20, 1500));
    if (this.random.chance(0.5)) child.kill('SIGKILL');
    else child.stdin.write('\x1dd');
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    await ended;
    if (/Sanitizer|runtime error:|Assertion .* failed/.test(said)) this.world.broken('a command does not crash', said);
  }
}
