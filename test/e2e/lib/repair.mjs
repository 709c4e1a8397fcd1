// `ostler repair` as the tests use it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';
import { makeHome, ostler } from './daemon.mjs';

/** A directory for transcripts; `inMemory` where thousands of fsyncs are waited for and none of them is the point. */
export function makeSessions(t, { inMemory = false } = {}) {
  const base = inMemory && writable('/dev/shm') ? '/dev/shm' : os.tmpdir();
  const dir = fs.mkdtempSync(path.join(base, 'ostler-sessions-'));
  cleanup(t, () => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function writable(dir) {
  try {
    fs.accessSync(dir, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Runs `ostler repair COMMAND --json ARGS…`: the exit status, and what it said of each file, in its order. */
export async function repairAll(home, command, args, options) {
  const { code, stdout, stderr, signal } = await ostler(home, ['repair', command, '--json', ...args], options);
  assert.equal(signal, null, stderr);
  return { code, stderr, results: stdout.split('\n').filter(Boolean).map(line => JSON.parse(line)) };
}

/** The same for one file that is there: what was said of it. */
export async function repairOne(home, command, file, ...args) {
  const { code, stderr, results } = await repairAll(home, command, [...args, file]);
  assert.equal(results.length, 1, stderr);
  assert.equal(code, 0, `${stderr}${JSON.stringify(results)}`);
  return results[0];
}

/** A home and a file with these bytes in it. */
export function makeSession(t, bytes, { name = '0f8fad5b-d9cb-469f-a165-70867728950e.jsonl', ...options } = {}) {
  const home = makeHome(t), file = path.join(makeSessions(t, options), name);
  fs.writeFileSync(file, bytes, { mode: 0o600 });
  return { home, file, dir: path.dirname(file) };
}

/** Names beside a file that are not its own. */
export function besides(file) {
  return fs.readdirSync(path.dirname(file)).filter(name => name !== path.basename(file)).sort();
}

/** Lines of a transcript from objects. */
export function jsonl(...values) {
  return Buffer.from(values.map(value => (typeof value === 'string' ? value : JSON.stringify(value)) + '\n').join(''));
}
