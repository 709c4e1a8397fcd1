// The real hook program, run as an agent would run it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';
import { BUILD, environment } from './daemon.mjs';

export const HOOK = path.join(BUILD, 'ostler-hook');

/** Runs the hook with the payload on stdin. It must end with 0 and say nothing, whatever it is given. */
export async function runHook(home, payload, { args = [], env = {}, program = HOOK } = {}) {
  const child = spawn(program, args, { env: environment(home, env), stdio: ['pipe', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', chunk => { said += chunk; });
  child.stderr.on('data', chunk => { said += chunk; });
  child.stdin.on('error', () => {}); // it may be done before it has read everything
  child.stdin.end(typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload));
  const [code, signal] = await once(child, 'close');
  assert.deepEqual({ code, signal, said }, { code: 0, signal: null, said: '' }, 'a hook must never disturb its agent');
}

/** Runs the hook for each payload, one after the other. */
export async function runHooks(home, payloads, options) {
  for (const payload of payloads) await runHook(home, payload, options);
}

/** A process that calls the hook and lives on; it ends by SIGTERM only if it is polite. */
export async function startAgent(t, home, payloads, { polite }) {
  const script = `const { spawnSync } = require('node:child_process');
    process.on('SIGTERM', () => { if (${polite}) process.exit(0); });
    for (const payload of ${JSON.stringify(payloads)}) spawnSync(${JSON.stringify(HOOK)}, { input: JSON.stringify(payload) });
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', script], { env: environment(home), stdio: ['ignore', 'pipe', 'inherit'] });
  child.ended = once(child, 'exit');
  cleanup(t, () => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}
