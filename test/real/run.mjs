#!/usr/bin/env node
// make test-real: installs the CLIs, goes where there is no network but loopback, and runs the tests of this directory.
//
//     run.mjs [WORD…]     only what has one of these words in its name, such as `claude` or `"claude: Plan"`
//     run.mjs answers …   hundreds of answers from everywhere: answers.mjs
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installAgents, installOlderClaudes } from './install.mjs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BUILD = path.resolve(process.env.OSTLER_BUILD || path.join(ROOT, 'build'));
const ALONE = 'OSTLER_REAL_ALONE'; // the build for recordings, once we are where there is no network
const RECORDED = 'live.test.mjs';

/** The programs as they are built, but with another hook: for recordings, one that writes down what it is called with before it becomes the
 * real one; for measurements, one that allows by itself. */
function buildWith(source) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-real-'));
  for (const [from, to] of [['ostler', 'ostler'], ['ostler-keeper', 'ostler-keeper'], ['ostler-hook', 'ostler-hook.real']])
    fs.copyFileSync(path.join(BUILD, from), path.join(dir, to));
  const tap = path.join(import.meta.dirname, source);
  if (run(['gcc', '-std=gnu17', '-D_GNU_SOURCE', '-O1', '-Wall', '-Wextra', '-Werror', '-o', path.join(dir, 'ostler-hook'), tap])) throw new Error(`${tap} does not compile`);
  return dir;
}

function run(words, env = {}) {
  const { status, error } = spawnSync(words[0], words.slice(1), { stdio: 'inherit', env: { ...process.env, ...env } });
  if (error) throw error;
  return status ?? 1;
}

/** How long a CLI itself takes from its hook's word to the tool. */
const measures = () => process.argv[2] === 'answers' && process.argv.includes('own');

function outside() {
  const agents = installAgents(), older = installOlderClaudes();
  const build = buildWith(measures() ? 'answers/hook_allows.c' : 'hook_tap.c');
  try {
    const root = process.getuid() === 0 ? [] : ['--user', '--map-root-user'];
    return run(['unshare', '--net', ...root, process.execPath, ...process.argv.slice(1)],
      { [ALONE]: build, OSTLER_BUILD: BUILD, OSTLER_REAL_AGENTS: JSON.stringify({ agents, older }) });
  } finally {
    fs.rmSync(build, { recursive: true });
  }
}

/** Scenarios are recorded; the other tests are about what people get, so that their hook is the one that was built. */
function alone(tapped) {
  run(['ip', 'link', 'set', 'lo', 'up']);
  if (process.argv[2] === 'answers')
    return run([process.execPath, path.join(import.meta.dirname, 'answers.mjs'), ...process.argv.slice(3)], { OSTLER_BUILD: measures() ? tapped : BUILD });
  const all = fs.readdirSync(import.meta.dirname).filter(name => name.endsWith('.test.mjs'));
  const runs = [[all.filter(name => name === RECORDED), tapped], [all.filter(name => name !== RECORDED), BUILD]];
  const words = process.argv.slice(2), names = words.flatMap(word => ['--test-name-pattern', word]);
  const failed = runs.map(([tests, build]) => run([process.execPath, '--test', '--test-concurrency=1', '--test-reporter=spec', ...names, ...tests.map(name => path.join(import.meta.dirname, name))],
    { OSTLER_BUILD: build, OSTLER_REAL_WORDS: JSON.stringify(words) }));
  return Math.max(...failed);
}

process.exitCode = process.env[ALONE] ? alone(process.env[ALONE]) : outside();
