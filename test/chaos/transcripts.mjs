// Transcripts that agents go on writing while the daemon and `ostler repair` mend them, and some repairs are killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { environment, OSTLER } from '../e2e/lib/daemon.mjs';
import { besides } from '../e2e/lib/repair.mjs';
import { writerLine } from '../e2e/lib/transcript_writer.mjs';
import { scan, withoutParents } from '../e2e/lib/transcripts.mjs';

const WRITER = path.join(import.meta.dirname, '../e2e/lib/transcript_writer.mjs');
const BACKUP = /\.backup-(\d{13})$/, BACKUP_MS = 3000;
const CRASH = /Sanitizer|runtime error:|Assertion/;
const WRITER_PAUSE_MS = 150;

export class Transcript {
  /** `descriptor`: the writer opens the file for each line or keeps it; `parents`: mended in place (long) or anew (short). */
  constructor(world, name, { descriptor, parents }) {
    const dir = path.join(world.claude, 'projects', `-srv-${name}`);
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    Object.assign(this, { world, name, random: world.random(name), parents, file: path.join(dir, `${world.random(`${name} id`).uuid()}.jsonl`) });
    fs.writeFileSync(this.file, '', { mode: 0o600 });
    this.writer = spawn(process.execPath, [WRITER, this.file, descriptor, parents, String(WRITER_PAUSE_MS)], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.written = '';
    this.writer.stdout.on('data', chunk => { this.written += chunk; });
  }

  async run() {
    while (!this.world.ending) {
      await this.#mend(this.random.chance(0.2) ? this.random.below(40) : null);
      this.#forget();
      await this.world.pause(this.random.below(2000));
    }
  }

  async #mend(killAfter) {
    const child = spawn(OSTLER, ['repair', 'fix', this.file], { env: environment(this.world.home, this.world.env), stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', chunk => { said += chunk; });
    const ended = once(child, 'close');
    if (killAfter !== null) setTimeout(() => child.kill('SIGKILL'), killAfter);
    const [code, signal] = await ended;
    this.world.count('repairs');
    if (CRASH.test(said) || (signal && killAfter === null) || (code !== null && code > 1)) this.world.broken('a repair ends well', `${this.name}: ${signal ?? code} ${said}`);
    return code;
  }

  /** Backups would fill the disk: one each time. */
  #forget() {
    for (const name of besides(this.file)) {
      const made = BACKUP.exec(name)?.[1];
      if (made && Number(made) < Date.now() - BACKUP_MS) fs.rmSync(path.join(path.dirname(this.file), name), { force: true });
    }
  }

  async finish() {
    const closed = once(this.writer, 'close');
    this.writer.stdin.end();
    await closed;
  }

  /** Every line is there, as it was written but for its parent; and nothing is left to mend. */
  async check() {
    const wanted = withoutParents(Buffer.from(Array.from({ length: Number(this.written) }, (_, n) => writerLine(n, this.parents)).join('')));
    const found = withoutParents(fs.readFileSync(this.file)), wrong = wanted.findIndex((line, i) => line !== found[i]);
    this.world.count('transcript lines', wanted.length);
    if (found.length !== wanted.length || wrong >= 0)
      return this.world.broken('no line of a transcript is lost or changed', `${this.file}: ${found.length} of ${wanted.length} lines, the first that differs is ${wrong}`);
    const code = await this.#mend(null), { status } = scan(fs.readFileSync(this.file));
    if (code !== 0 || status !== 'healthy') this.world.broken('a transcript can be mended', `${this.file}: exit status ${code}, ${status}`);
    const left = besides(this.file).filter(name => !BACKUP.test(name));
    if (left.length) this.world.broken('repairs leave nothing behind', left.join(' '));
  }

  /** Whatever happened before. */
  stop() {
    this.writer.kill('SIGKILL');
  }
}
