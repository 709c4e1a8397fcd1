#!/usr/bin/env node
// The real CLIs, from npm by name and version into a cache: install.mjs [--older] prints a line "NAME VERSION PROGRAM" for each.
//
// They are 1.4 GB, so they are fetched once. A directory that has them already may be named instead, in OSTLER_AGENTS: the one
// that holds node_modules. Older Claude Codes are for tests of what a person's settings must survive; each has a directory of
// its own, and OSTLER_AGENTS_OLDER may name where those are, one called claude-VERSION each.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export const VERSIONS = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'versions.json'), 'utf8'));
const CACHE = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'ostler-agents');
const ARCH = { x64: 'x64', arm64: 'arm64' }[process.arch];

/** Where each package has the program that is executed. Where npm's own link is a script that only looks for a binary, the binary. */
const PROGRAMS = {
  claude: modules => [`${modules}/@anthropic-ai/claude-code-linux-${ARCH}/claude`, `${modules}/@anthropic-ai/claude-code/cli.js`],
  codex: modules => [`${modules}/@openai/codex/bin/codex.js`],
  gemini: modules => [`${modules}/@google/gemini-cli/bundle/gemini.js`, `${modules}/@google/gemini-cli/dist/index.js`],
  opencode: modules => [`${modules}/opencode-linux-${ARCH}/bin/opencode`],
  copilot: modules => [`${modules}/@github/copilot/npm-loader.js`],
};

const exists = file => fs.existsSync(file);

/** The version that is installed, or null. */
function installedVersion(modules, name) {
  try {
    return JSON.parse(fs.readFileSync(path.join(modules, name, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}

/** Installs `name@version` below `dir` unless it is there. Another version in a directory that somebody named is an error. */
function install(dir, name, version, { ours }) {
  const modules = path.join(dir, 'node_modules'), have = installedVersion(modules, name);
  if (have === version) return modules;
  if (!ours) throw new Error(`${dir} has ${name} ${have ?? 'not at all'}, but ${version} is pinned in test/real/versions.json`);
  fs.mkdirSync(dir, { recursive: true });
  if (!exists(path.join(dir, 'package.json'))) fs.writeFileSync(path.join(dir, 'package.json'), '{"private":true}\n');
  process.stderr.write(`installing ${name}@${version}\n`);
  execFileSync('npm', ['install', '--prefix', dir, '--save-exact', '--no-audit', '--no-fund', `${name}@${version}`],
    { stdio: ['ignore', 'ignore', 'inherit'] });
  return modules;
}

function programOf(cli, modules) {
  const program = PROGRAMS[cli](modules).find(exists);
  if (!program) throw new Error(`${modules} has no program for ${cli}; npm may have left out its platform package`);
  return program;
}

/** Everything that is pinned: { claude: { version, program }, … }. */
export function installAgents() {
  const dir = process.env.OSTLER_AGENTS || path.join(CACHE, 'current');
  return Object.fromEntries(Object.entries(VERSIONS.agents).map(([cli, { package: name, version }]) =>
    [cli, { version, program: programOf(cli, install(dir, name, version, { ours: !process.env.OSTLER_AGENTS })) }]));
}

/** Claude Codes that people still have: [{ version, program }], the oldest first. */
export function installOlderClaudes() {
  return VERSIONS.olderClaudes.map(version => {
    const base = process.env.OSTLER_AGENTS_OLDER, dir = path.join(base || CACHE, `claude-${version}`);
    return { version, program: programOf('claude', install(dir, VERSIONS.agents.claude.package, version, { ours: !base || !exists(dir) })) };
  });
}

if (process.argv[1] === import.meta.filename) {
  for (const [cli, { version, program }] of Object.entries(installAgents())) console.log(cli, version, program);
  if (process.argv.includes('--older')) for (const { version, program } of installOlderClaudes()) console.log('claude', version, program);
}
