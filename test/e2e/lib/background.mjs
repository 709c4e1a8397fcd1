// Daemons that nobody waits for: started by `ostler serve --detach`, known by the lock of their home.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';
import { makeHome, ostler } from './daemon.mjs';
import { gone } from './keeper.mjs';

export const PORT_0 = ['--port', '0'];

/** The process that has the lock, living or not. */
export function holder(home) {
  try {
    return Number(fs.readFileSync(path.join(home, 'lock'), 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

export const info = home => JSON.parse(fs.readFileSync(path.join(home, 'run/daemon.json'), 'utf8'));
export const words = pid => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
export const log = home => fs.readFileSync(path.join(home, 'ostler.log'), 'utf8');

/** A home whose daemon, if a test leaves one, ends with the test. */
export function makeHomeWithDaemon(t) {
  const home = makeHome(t);
  cleanup(t, async () => {
    const end = await ostler(home, ['stop', '--force']);
    assert.equal(end.code, 0, end.stderr);
  });
  return home;
}

/** `ostler serve --detach`; what a client needs of it. */
export async function detach(home, args = PORT_0, options = {}) {
  const said = await ostler(home, ['serve', '--detach', ...args], options);
  assert.equal(said.code, 0, said.stderr);
  const { port, pid } = info(home), url = `http://127.0.0.1:${port}`;
  return { home, said, port, pid, url,
    fetch: (where, init = {}) => fetch(url + where, init),
    get: async where => (await fetch(url + where)).json(),
    ended: () => gone(pid) };
}
