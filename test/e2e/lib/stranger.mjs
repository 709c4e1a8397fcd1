// Another user of this machine, who means harm: a real account, made for the run and removed behind it. That takes root.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';

const run = (...words) => execFileSync(words[0], words.slice(1), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 }).trim();

/** Why there can be none here; '' when there can. */
export const noStranger = () => (process.getuid() === 0 ? '' : 'taking on another user takes root');

/** The account of this run. `leave()` when all is over. */
export class Account {
  constructor() {
    this.name = `ostler-e2e-${process.pid}`;
    for (let tries = 0; ; tries++) {
      try {
        run('useradd', '--system', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/sh', this.name);
        break;
      } catch (error) { // another run has the file of accounts locked
        if (tries === 50 || error.status !== 1) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      }
    }
    [this.uid, this.gid] = [Number(run('id', '-u', this.name)), Number(run('id', '-g', this.name))];
  }

  leave() {
    run('userdel', this.name);
  }
}

/** A process of that account, which does what attacks.mjs has; it may have `nofile` descriptors. */
export class Stranger {
  static async arrive(t, account, { nofile } = {}) {
    const stranger = new Stranger();
    const limited = nofile ? { execPath: 'prlimit', execArgv: [`--nofile=${nofile}:${nofile}`, process.execPath] } : {};
    stranger.child = fork(path.join(import.meta.dirname, 'attacks.mjs'), [String(account.uid), String(account.gid)], { cwd: '/', stdio: ['ignore', 'inherit', 'inherit', 'ipc'], ...limited });
    cleanup(t, async () => {
      const gone = stranger.child.exitCode === null && stranger.child.signalCode === null ? once(stranger.child, 'exit') : null;
      stranger.child.kill('SIGKILL');
      await gone;
    });
    const [who] = await once(stranger.child, 'message');
    if (who.uid !== account.uid) throw new Error(`the stranger is ${who.uid}, not ${account.uid}`);
    return stranger;
  }

  /** Answers what the attack of that name answers. */
  async does(name, options) {
    this.child.send({ name, options });
    const [{ result, error }] = await once(this.child, 'message');
    if (error) throw new Error(error);
    return result;
  }
}
