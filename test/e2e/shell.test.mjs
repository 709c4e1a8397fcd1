// What is made of the command table, in the hands of those it is made for: shells, and man.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { environment, makeHome, OSTLER, ostler, startDaemon } from './lib/daemon.mjs';
import { Person } from './lib/tmux.mjs';
import { makeTerminal } from './lib/tty.mjs';

const names = execFileSync(OSTLER, ['help', '--names'], { env: environment('/tmp'), encoding: 'utf8' }).trim().split('\n');
const has = program => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const needs = program => ({ skip: has(program) ? false : `${program} is not installed` });

/* Completion. [typed, then the line reads] */

const LINES = [
  ['ostler vers\t', 'ostler version'],
  ['ostler repair f\t', 'ostler repair fix'],
  ['ostler repair fix --dr\t', 'ostler repair fix --dry-run'],
  ['ostler run --cwd /proc/sys/ker\t', 'ostler run --cwd /proc/sys/kernel'],
  ['ostler attach keep\t', 'ostler attach keepme'],
  ['ostler logs -n 5 keep\t', 'ostler logs -n 5 keepme'],
  ['ostler run -- /proc/sys/ker\t', 'ostler run -- /proc/sys/kernel'],
];

const SHELLS = {
  bash: { setUp: 'source <(ostler completion bash)' },
  zsh: { start: "PS1='> ' exec zsh -f", setUp: 'autoload -Uz compinit; compinit -u -D; source <(ostler completion zsh)' },
  fish: { start: "exec fish --no-config -C 'function fish_prompt; echo -n \"> \"; end; function fish_right_prompt; end; set -g fish_greeting; set -g fish_autosuggestion_enabled 0'",
    setUp: 'ostler completion fish | source' },
};

for (const [shell, { start, setUp }] of Object.entries(SHELLS))
  test(`the Tab key in ${shell}`, needs(shell), async t => {
    const daemon = await startDaemon(t);
    await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/', sessionTitle: 'keepme' });
    const person = await Person.sitDown(t, daemon.home, { cols: 120, env: { HOME: daemon.home } });
    if (start) {
      await person.type(`clear; ${start}\r`);
      await person.sees(/^>$/m);
    }
    await person.type(`${setUp}\rclear; echo re''ady\r`);
    await person.sees(/^ready\n>$/m);
    for (const [typed, line] of LINES) {
      await person.type(typed);
      await person.sees(new RegExp(`^> ${line.replace(/[.*+?^$()[\]{}|\\/]/g, '\\$&')}[ /]?$`, 'm'));
      await person.type('\x15clear\r'); // Ctrl-U: an empty line
      await person.sees(/^\s*>\s*$/);
    }
  });

test('bash: every command and every option is offered, and nothing a terminal is called is executed', needs('bash'), async t => {
  const daemon = await startDaemon(t), evil = path.join(daemon.home, 'evil');
  for (const name of [`$(touch ${evil})`, `\`touch ${evil}\``, 'two words', 'plain-1.x'])
    await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/', sessionTitle: name });
  const script = (await ostler(daemon.home, ['completion', 'bash'])).stdout;
  const complete = (...words) => execFileSync('bash', ['--norc', '-c', `${script}
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); compopt() { :; }; _ostler; printf '%s\\n' "\${COMPREPLY[@]}"`, 'bash', ...words],
    { env: { ...environment(daemon.home), PATH: `${path.dirname(OSTLER)}:${process.env.PATH}` }, encoding: 'utf8' }).split('\n').filter(Boolean);
  assert.deepEqual(complete('ostler', ''), [...names, '--help', '--version']);
  for (const name of names) assert.ok(complete('ostler', name, '-').includes('--help'), name);
  const offered = complete('ostler', 'attach', '');
  assert.ok(offered.includes('plain-1.x'));
  assert.equal(offered.length, 5, 'an id for each, and the name that needs no quotes');
  assert.equal(fs.existsSync(evil), false);
});

test('terminals are completed quickly or silently', async t => {
  const home = makeHome(t);
  const none = await ostler(home, ['completion', 'terminals']);
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', '']);
  const daemon = await startDaemon(t);
  const { terminalId } = await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/', sessionTitle: 'keepme' });
  const ids = `${terminalId.split('-').at(-1)}\nkeepme\n`;
  assert.equal((await ostler(daemon.home, ['completion', 'terminals'])).stdout, ids);
  daemon.child.kill('SIGSTOP'); // it accepts, and never answers
  const stuck = await ostler(daemon.home, ['completion', 'terminals']);
  daemon.child.kill('SIGCONT');
  assert.deepEqual([stuck.code, stuck.stdout, stuck.stderr], [1, '', '']);
  await daemon.stop();
  assert.equal((await ostler(daemon.home, ['completion', 'terminals'])).stdout, ids, 'it lives on');
});

/* The manual */

const page = async (home, name) => {
  const { code, stdout } = await ostler(home, ['help', '--man', ...name ? [name] : []]);
  assert.equal(code, 0);
  const file = path.join(home, `${name || 'main'}.1`);
  fs.writeFileSync(file, stdout);
  return file;
};

test('every page of the manual renders without a warning', needs('man'), async t => {
  const home = makeHome(t);
  for (const name of ['', ...names]) {
    const file = await page(home, name);
    const man = spawnSync('man', ['--warnings', '-E', 'UTF-8', '-l', file], { encoding: 'utf8', env: { ...environment(home), LC_ALL: 'C.UTF-8', MANWIDTH: '100' } });
    assert.deepEqual([man.status, man.stderr], [0, ''], name);
    assert.match(man.stdout, new RegExp(`^NAME\\n +ostler${name ? `-${name}` : ''} - `, 'm'));
    if (has('mandoc')) assert.equal(spawnSync('mandoc', ['-Tlint', '-Wstyle', file], { encoding: 'utf8' }).stdout, '', name);
  }
});

test('the manual has what --help has', needs('man'), async t => {
  const home = makeHome(t);
  for (const name of names) {
    const help = (await ostler(home, ['help', name])).stdout;
    const text = execFileSync('man', ['-E', 'UTF-8', '-l', await page(home, name)], { encoding: 'utf8', env: { ...environment(home), LC_ALL: 'C.UTF-8', MANWIDTH: '1000' } });
    const bare = s => s.replace(/\s+/g, ' ');
    for (const option of help.match(/^ {2}(?:-\w, )?--[\w-]+/gm)) assert.ok(text.includes(option.trim()), `${name}: ${option}`);
    const about = bare(help.split('\n\n')[1]);
    assert.ok(bare(text).includes(about), `${name}: ${about}`);
  }
});

/* Help, and words that are not quite right */

test('help of commands and actions, and what was meant', async t => {
  const home = makeHome(t), say = async (...args) => ostler(home, args);
  assert.equal((await say('help', 'serve')).stdout, (await say('serve', '--help')).stdout);
  assert.equal((await say('help', 'repair', 'fix')).stdout, (await say('repair', 'fix', '--help')).stdout);
  assert.match((await say('help')).stdout, /Agents and terminals\n {2}approve[\s\S]*The daemon\n[\s\S]*Set-up\n[\s\S]*Transcripts\n/);
  for (const [args, pattern] of [
    [['sttaus'], /^ostler: there is no command "sttaus"; did you mean ostler status\?\n$/],
    [['ser'], /did you mean ostler serve or ostler service\?/],
    [['frobnicate'], /there is no command "frobnicate"; ostler help lists them/],
    [['repair', 'fxi'], /is not scan, fix, all or undo; did you mean fix\?/],
    [['help', 'repiar'], /did you mean ostler repair\?/],
    [['help', 'repair', 'sacn'], /did you mean scan\?/],
    [['help', 'ls', 'what'], /has no actions/],
    [['help', 'a', 'b', 'c'], /one command at a time/],
    [['serve', '--prot', '1'], /unknown option --prot; did you mean --port\?/],
    [['archive', 'ls', '--jsno'], /did you mean --json\?/],
    [['archive', 'on', '--jsno'], /unknown option --jsno; see ostler archive --help/], // which does not take it
    [['serve', '--no-open=yes'], /--no-open takes no value/],
    [['logs', '-z'], /unknown option -z/],
    [['\u001b[31mred'], /^ostler: there is no command "\uFFFD\[31mred"/],
  ]) {
    const { code, stdout, stderr } = await say(...args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, pattern);
  }
});

test('version --json: what was built, and of what', async t => {
  const home = makeHome(t), { code, stdout } = await ostler(home, ['version', '--json']);
  assert.equal(code, 0);
  const { version, commit, date, protocols, libraries } = JSON.parse(stdout);
  assert.equal((await ostler(home, ['version'])).stdout, `ostler ${version}\n`);
  assert.match(commit, /^([0-9a-f]{40})?$/);
  assert.match(date, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(protocols, { board: 'ostler.board.v1', boardSchema: 1, terminal: 'ostler.tty.v1', keeper: 1, keeperOldest: 1 });
  assert.deepEqual(Object.keys(libraries), ['libuv', 'sqlite', 'openssl', 'llhttp', 'wslay', 'zstd', 'pcre2']);
  for (const [name, number] of Object.entries(libraries)) assert.match(number, /^\d+\.\d+/, name);
});
