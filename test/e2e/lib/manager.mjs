// A systemd user manager: the machine's own, or one in namespaces of its own where root may make them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';

const SYSTEMD = '/lib/systemd/systemd';
const HIERARCHIES = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified'];

const answers = socket => new Promise(resolve => {
  const probe = net.connect(socket, () => { probe.destroy(); resolve(true); }).on('error', () => resolve(false));
});

/** Why there is none and none can be made; null when there is a way. */
export async function noManager() {
  const own = process.env.XDG_RUNTIME_DIR;
  if (own && await answers(path.join(own, 'systemd/private'))) return null;
  if (process.getuid() !== 0) return 'no user manager runs, and only root can make one for a test';
  if (fs.existsSync('/run/systemd/system')) return 'systemd runs this machine: its control groups are not for tests';
  if (!fs.existsSync(SYSTEMD)) return 'systemd is not installed';
  return HIERARCHIES.every(dir => fs.existsSync(dir)) ? null : 'the control groups are not laid out as this test knows them';
}

/** What its private namespaces need before it runs: a cgroup root, and the directory that tells it that systemd is there. */
const SETUP = `mount --make-rprivate / && mount -t tmpfs tmpfs /run && mkdir -p -m 700 /run/systemd/system /run/user/0 &&
  mount -t tmpfs tmpfs /sys/fs/cgroup && mkdir ${HIERARCHIES.join(' ')} &&
  mount -t cgroup -o none,name=systemd cgroup ${HIERARCHIES[0]} && mount -t cgroup2 cgroup2 ${HIERARCHIES[1]} &&
  exec ${SYSTEMD} --user --unit=basic.target`;

export class Manager {
  /** `home`: where one that is made for this test looks for units. */
  static async start(t, { home = '/root' } = {}) {
    const own = process.env.XDG_RUNTIME_DIR;
    if (own && await answers(path.join(own, 'systemd/private'))) return Object.assign(new Manager(), { runtime: own, prefix: [] });
    const groups = HIERARCHIES.map(dir => path.join(dir, `ostler-test-${process.pid}`));
    for (const group of groups) fs.mkdirSync(group, { recursive: true });
    cleanup(t, () => groups.forEach(removeGroup));
    const enter = groups.map(group => `echo $$ >${group}/cgroup.procs`).join(' && ');
    const child = spawn('sh', ['-c', `${enter} && exec unshare -mC sh -c "$0"`, SETUP],
      { stdio: ['ignore', 'ignore', 'ignore'], env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: '/run/user/0' } });
    const ended = once(child, 'exit');
    cleanup(t, async () => { child.kill('SIGKILL'); await ended; });
    const socket = `/proc/${child.pid}/root/run/user/0/systemd/private`;
    while (!fs.existsSync(socket) || !await answers(socket)) {
      if (child.exitCode !== null) throw new Error(`the user manager ended with ${child.exitCode}`);
      await new Promise(resolve => { setTimeout(resolve, 10); });
    }
    return Object.assign(new Manager(), { runtime: '/run/user/0', prefix: ['nsenter', '-t', String(child.pid), '-m', '-C', '--'] });
  }

  /** Starts a command where the manager is, as one of its user's. */
  spawn(command, { env = {}, ...options } = {}) {
    const [program, ...args] = [...this.prefix, ...command];
    return spawn(program, args, { ...options, env: { PATH: process.env.PATH, XDG_RUNTIME_DIR: this.runtime, ...env } });
  }

  async run(...command) {
    const child = this.spawn(command, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', chunk => { said += chunk; });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}`);
    return said;
  }

  /** The unit that a process is in, as its manager sees it. */
  async unit(pid) {
    return (await this.run('cat', `/proc/${pid}/cgroup`)).split('\n').find(line => /^(\d+:name=systemd|0:):/.test(line)).split('/').at(-1);
  }
}

/** Ends whoever is left in a control group, and removes it with those below it. */
function removeGroup(dir) {
  if (!fs.existsSync(dir)) return;
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) if (entry.isDirectory()) removeGroup(path.join(dir, entry.name));
  for (let tries = 0; tries < 200; tries++) {
    for (const pid of fs.readFileSync(path.join(dir, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
      try { process.kill(Number(pid), 'SIGKILL'); } catch { /* it has ended */ }
    }
    try {
      fs.rmdirSync(dir);
      return;
    } catch {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
