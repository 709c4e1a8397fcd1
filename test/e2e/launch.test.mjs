// Programs are started as the person would start them: their environment, their options.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { keepers, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { HostedAgent, installAgent } from './lib/hosted.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const BASH = { env: { SHELL: '/bin/bash' } };

/** A program that writes its environment to a file, says so, and waits. */
const TELLS = ['sh', '-c', 'env -0 > told && echo "it is told"; read line'];
const told = home => Object.fromEntries(fs.readFileSync(path.join(home, 'told'), 'utf8').split('\0').filter(Boolean).map(variable => {
  const at = variable.indexOf('=');
  return [variable.slice(0, at), variable.slice(at + 1)];
}));

async function tells(t, daemon, made) {
  const tty = await Tty.connect(t, daemon, made);
  await tty.until(() => `${tty.snapshot ?? ''}${tty.output}`.includes('it is told'), 'its environment');
  return told(daemon.home);
}

/** The environment of a program that the board starts. */
async function environmentOf(t, daemon) {
  return tells(t, daemon, await makeTerminal(daemon, { argv: TELLS, workingDir: daemon.home }));
}

const commandLine = async (daemon, terminalId) => {
  const { pid } = await daemon.get(`/api/terminals/${terminalId}`);
  return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
};
const resume = async (daemon, id) => (await daemon.fetch(`/api/sessions/${id}/resume`, { method: 'POST' })).json();
const report = async daemon => (await daemon.fetch('/api/shell-environment', { method: 'POST' })).json();
const write = (home, file, text) => {
  fs.mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
  fs.writeFileSync(path.join(home, file), text);
};

/** Everything below a directory that a text is in. */
function filesWith(directory, text) {
  return fs.readdirSync(directory, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath ?? entry.path, entry.name)).filter(file => fs.readFileSync(file).includes(text));
}

test('ostler run: the whole environment of who runs it, and nothing of their terminal', async t => {
  const daemon = await startDaemon(t, { env: { ONLY_THE_DAEMON: '1' } });
  const big = 'x'.repeat(100_000); // a program can be given 128 KiB in one variable
  const env = { VIRTUAL_ENV: '/venvs/one', PATH: `/venvs/one/bin:${process.env.PATH}`, MY_TOKEN: 'tok-Ver7Secret', INNOCENT: 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    DATABASE_URL: 'postgres://me:hunter2pass@db/x', 'BASH_FUNC_x%%': '() { echo "ü\n"; }', BIG: big, BIGGER: big, EMPTY: '', NO_COLOR: '1',
    CLAUDE_CODE_USE_BEDROCK: '1', CLAUDECODE: '1', KITTY_WINDOW_ID: '7', TERM_PROGRAM: 'kitty', TERM: 'xterm-kitty', OSTLER_WORKER: 'somebody else' };
  const { code, stdout, stderr } = await ostler(daemon.home, ['run', '--cwd', daemon.home, '--env', 'ADDED=1', '--json', '--', ...TELLS], { env });
  assert.equal(code, 0, stderr);
  const made = JSON.parse(stdout), got = await tells(t, daemon, made);
  for (const name of ['VIRTUAL_ENV', 'PATH', 'MY_TOKEN', 'INNOCENT', 'DATABASE_URL', 'BIG', 'BIGGER', 'EMPTY', 'NO_COLOR', 'CLAUDE_CODE_USE_BEDROCK'])
    assert.equal(got[name], env[name], name);
  assert.deepEqual([got.ADDED, got.TERM, got.OSTLER_WORKER, got.PWD], ['1', 'xterm-256color', made.terminalId, daemon.home]);
  for (const name of ['ONLY_THE_DAEMON', 'CLAUDECODE', 'KITTY_WINDOW_ID', 'TERM_PROGRAM']) assert.equal(got[name], undefined, name);

  // The disk has what a restart needs, and no secret: by its name, or by what it looks like.
  fs.rmSync(path.join(daemon.home, 'told'));
  for (const secret of [env.MY_TOKEN, env.INNOCENT, 'hunter2pass']) assert.deepEqual(filesWith(daemon.home, secret), [], secret);
  assert.equal(fs.statSync(path.join(daemon.home, 'terminals', made.terminalId, 'environment')).mode & 0o777, 0o600);
  await daemon.crash();
  for (const pid of keepers(daemon.home)) process.kill(pid, 'SIGKILL');
  await daemon.start();
  const board = await Board.connect(t, daemon);
  await board.session(made.sessionId, s => s.status === 'ended');
  assert.equal((await resume(daemon, made.sessionId)).ok, true);
  await Tty.connect(t, daemon, made).then(tty => tty.until(() => tty.output.includes('it is told') || fs.existsSync(path.join(daemon.home, 'told')), 'its environment'));
  await board.until(() => Object.keys(told(daemon.home)).length > 5, 'all of it');
  const again = told(daemon.home);
  for (const name of ['VIRTUAL_ENV', 'PATH', 'BIG', 'EMPTY', 'NO_COLOR']) assert.equal(again[name], env[name], name);
  for (const name of ['MY_TOKEN', 'INNOCENT', 'DATABASE_URL', 'ONLY_THE_DAEMON']) assert.equal(again[name], undefined, name);
});

test('ostler run: as much environment as a program can be given, and a sentence for more', async t => {
  const daemon = await startDaemon(t);
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`V${i}`, 'y'.repeat(120_000)]));
  const most = await ostler(daemon.home, ['run', '-d', '--', 'true'], { env: many });
  assert.deepEqual([most.code, most.stderr], [0, '']);
  const body = environment => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ argv: ['true'], workingDir: daemon.home, environment }) });
  const refused = async environment => {
    const answer = await daemon.fetch('/api/terminals', body(environment));
    return [answer.status, (await answer.json()).error];
  };
  assert.deepEqual(await refused({ A: 'z'.repeat(3 << 20) }), [400, 'environment is too long (max 8192 variables, 2097152 bytes)']);
  assert.deepEqual(await refused({ '': 'x' }), [400, 'environment: "" is no name for a variable here']);
  assert.deepEqual(await refused({ A: 1 }), [400, 'environment.A must be a string without NUL']);
  assert.deepEqual(await refused([]), [400, 'environment must be an object of strings']);
});

/** What each shell reads, and how it is told there to set a variable. */
const SHELLS = {
  bash: { file: '.bashrc', set: (name, value) => `export ${name}="${value}"\n`, login: '.bash_profile', source: '. ~/.bashrc\n' },
  zsh: { file: '.zshrc', set: (name, value) => `export ${name}="${value}"\n` },
  fish: { file: '.config/fish/config.fish', set: (name, value) => `set -gx ${name} "${value}"\n` },
};
const READ = { bash: 'read -p "go on? " answer', zsh: 'read "answer?go on? "', fish: 'read -P "go on? " answer' };

/** A daemon of somebody who uses this shell, with these lines in the file that it reads. */
async function live(t, name, lines, { seconds = 20, env = {} } = {}) {
  const home = makeHome(t), { file, login, source } = SHELLS[name];
  write(home, file, lines);
  if (login) write(home, login, source);
  write(home, 'config/config.json', JSON.stringify({ shellEnvironmentSeconds: seconds }));
  return startDaemon(t, { home, env: { SHELL: `/usr/bin/${name}`, ...env } });
}

/** The processes that files of this home left waiting. */
const sleepers = home => fs.readdirSync('/proc').filter(pid => /^\d+$/.test(pid)).filter(pid => {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') === 'sleep\x004711\0' && fs.readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home);
  } catch {
    return false;
  }
});

for (const [name, { set }] of Object.entries(SHELLS)) {
  test(`${name}: the board's terminals have the interactive shell's environment, whatever its files print or ask`, async t => {
    const daemon = await live(t, name, [
      'echo "welcome back"; echo "PATH=/not/this"; printf "half a line"\n', `${READ[name]}\n`, set('FROM_RC', 'yes ü'),
      set('PATH', '$HOME/bin:/usr/bin:/bin'), 'echo "and some more"\n'].join(''), { env: { NO_COLOR: '1' } });
    const got = await environmentOf(t, daemon);
    assert.deepEqual([got.FROM_RC, got.PATH, got.TERM], ['yes ü', `${daemon.home}/bin:/usr/bin:/bin`, 'xterm-256color']);
    for (const variable of ['TMUX', 'NO_COLOR', 'OSTLER_RESOLVE_WITH', 'OSTLER_RESOLVE_MARK', 'OSTLER_RESOLVING_ENVIRONMENT', 'VSCODE_RESOLVING_ENVIRONMENT'])
      assert.equal(got[variable], undefined, variable);
    const { shell, from, pathFrom, problem, resolving } = await report(daemon);
    assert.deepEqual([shell, from, pathFrom, problem, resolving], [`/usr/bin/${name}`, 'interactive', 'shell', null, false]);
    const { stdout } = await ostler(daemon.home, ['doctor']);
    assert.match(stdout, new RegExp(`^ok {4}environment +terminals get that of your shell, /usr/bin/${name} \\(\\d+ ms\\); PATH is the shell's$`, 'm'));

    // A file that changes is read again for the next terminal.
    fs.appendFileSync(path.join(daemon.home, SHELLS[name].file), set('FROM_RC', 'changed'));
    fs.rmSync(path.join(daemon.home, 'told'));
    assert.equal((await environmentOf(t, daemon)).FROM_RC, 'changed');

    // And an agent that is only found by that PATH runs, with its hooks, as its terminal's own process.
    installAgent(daemon.home, 'claude');
    const made = await makeTerminal(daemon, { command: 'claude', workingDir: daemon.home, cols: 500 });
    const agent = await new HostedAgent(await Tty.connect(t, daemon, made), made).launched();
    const board = await Board.connect(t, daemon);
    const card = await board.session(agent.id, s => s.status === 'idle');
    assert.deepEqual([card.terminalId, card.cachedPid], [made.terminalId, agent.pid]);
  });

  test(`${name}: one that is replaced by tmux, or waits for ever`, async t => {
    const inTmux = name === 'fish' ? 'if not set -q TMUX; exec tmux; end\n' : '[ -z "$TMUX" ] && exec tmux\n';
    const guarded = await live(t, name, `${inTmux}${set('FROM_RC', 'behind tmux')}`);
    assert.equal((await environmentOf(t, guarded)).FROM_RC, 'behind tmux');

    // Without a terminal tmux ends at once. A login shell that is not interactive is asked then.
    const only = name === 'bash' ? 'case $- in *i*) exec tmux;; esac\n' : name === 'fish' ? 'status is-interactive; and exec tmux\n' : 'exec tmux\n';
    const replaced = await live(t, name, `${only}${set('FROM_RC', 'no')}`);
    await environmentOf(t, replaced);
    const after = await report(replaced);
    assert.equal(after.from, 'login');
    assert.match(after.problem, new RegExp(`^/usr/bin/${name} -lic ended without having told its environment$`));

    const hangs = await live(t, name, `sleep 4711 &\nsleep 4711\n${set('FROM_RC', 'never')}`, { seconds: 1, env: { ONLY_THE_DAEMON: '1' } });
    const own = await environmentOf(t, hangs);
    assert.deepEqual([own.FROM_RC, own.ONLY_THE_DAEMON], [undefined, '1']);
    const late = await report(hangs);
    assert.match(late.problem, new RegExp(`^/usr/bin/${name} -lic did not answer within 1 s$`));
    const { stdout } = await ostler(hangs.home, ['doctor']);
    assert.match(stdout, /^warn  environment +\/usr\/bin\/\w+ -lic did not answer within 1 s: terminals get that of /m);
    assert.deepEqual(sleepers(hangs.home), [], 'all of it was killed');
  });
}

test('a daemon that stops while the shell is asked leaves nothing behind', async t => {
  const daemon = await live(t, 'bash', 'echo begun > begun; sleep 4711\n', { seconds: 60 });
  const made = daemon.fetch('/api/terminals', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ argv: ['true'], workingDir: daemon.home }) });
  const changes = fs.promises.watch(daemon.home);
  for await (const { filename } of changes) if (filename === 'begun') break;
  await daemon.stop();
  assert.equal((await made).status, 503);
  while (sleepers(daemon.home).length) await new Promise(resolve => setTimeout(resolve, 20)); // what is killed takes a moment to go
});

test('a shell that is not asked, and one that nobody knows', async t => {
  const off = await live(t, 'bash', 'export FROM_RC=yes\n', { seconds: 0, env: { ONLY_THE_DAEMON: '1' } });
  const got = await environmentOf(t, off);
  assert.deepEqual([got.FROM_RC, got.ONLY_THE_DAEMON], [undefined, '1']);
  assert.equal((await report(off)).from, null);

  const home = makeHome(t);
  write(home, '.profile', 'export FROM_PROFILE=yes\n');
  fs.writeFileSync(path.join(home, 'nu'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const odd = await startDaemon(t, { home, env: { SHELL: path.join(home, 'nu') } });
  assert.equal((await environmentOf(t, odd)).FROM_PROFILE, 'yes');
  const { from, problem } = await report(odd);
  assert.deepEqual([from, problem], ['login', `${home}/nu is a shell that is not known here`]);
});

test('a resume says the options again, and never the prompt', async t => {
  const daemon = await startDaemon(t, BASH);
  const board = await Board.connect(t, daemon);
  const program = installAgent(daemon.home, 'codex');
  const agent = await HostedAgent.start(t, daemon, 'codex', { argv: [program, '-m', 'gpt-5', '--yolo', 'fix the gate'], cols: 500 });
  await agent.do('prompt', { text: 'fix the gate' });
  await board.session(agent.id, s => s.status === 'prompting');
  await agent.do('exit');
  await board.session(agent.id, s => s.status === 'ended' && s.terminalId === null);
  const words = async () => (await commandLine(daemon, agent.terminalId)).filter(word => !/^(-c|hooks\..*)$/s.test(word)).slice(-6);
  for (const when of ['by the same daemon', 'by another one']) {
    if (when === 'by another one') {
      await daemon.crash();
      for (const pid of keepers(daemon.home)) process.kill(pid, 'SIGKILL');
      await daemon.start();
      const other = await Board.connect(t, daemon);
      await other.session(agent.id, s => s.status === 'ended' && s.terminalId === null);
    }
    const answer = await resume(daemon, agent.id);
    assert.deepEqual([answer.ok, answer.fresh, answer.message], [true, false, undefined]);
    assert.deepEqual((await words()).slice(-5), ['resume', agent.id, '-m', 'gpt-5', '--yolo'], when);
  }
});

test('an agent that never had a conversation starts fresh, with its options, and the answer says so', async t => {
  const daemon = await startDaemon(t, BASH);
  const board = await Board.connect(t, daemon);
  const program = path.join(daemon.home, 'bin/gemini');
  write(daemon.home, 'bin/gemini', '#!/bin/sh\necho "$@"; read line\n');
  fs.chmodSync(program, 0o755);
  const made = await makeTerminal(daemon, { argv: [program, '-m', 'pro', '-i', 'first words'], workingDir: daemon.home });
  await board.session(made.sessionId, s => s.status === 'idle');
  await daemon.fetch(`/api/terminals/${made.terminalId}`, { method: 'DELETE' });
  await board.session(made.sessionId, s => s.status === 'ended' && s.terminalId === null);
  const answer = await resume(daemon, made.sessionId);
  assert.deepEqual([answer.ok, answer.fresh, answer.message], [true, true, 'There is no conversation to go on with: it starts fresh.']);
  assert.deepEqual((await commandLine(daemon, made.terminalId)).slice(-3), [program, '-m', 'pro']);
});

test('model and effortLevel reach the agent, or are refused in words', async t => {
  const daemon = await startDaemon(t, BASH);
  const program = path.join(daemon.home, 'bin/claude');
  write(daemon.home, 'bin/claude', '#!/bin/sh\nread line\n');
  fs.chmodSync(program, 0o755);
  const made = await makeTerminal(daemon, { argv: [program, 'hello'], model: 'opus', effortLevel: 'high', workingDir: daemon.home });
  const words = await commandLine(daemon, made.terminalId);
  assert.deepEqual(words.slice(words.indexOf('--model')), ['--model', 'opus', '--effort', 'high', 'hello']);
  for (const [body, error] of [
    [{ command: 'gemini', effortLevel: 'high' }, 'effortLevel: gemini cannot be told one on its command line'],
    [{ command: 'claude', effortLevel: 'huge' }, 'effortLevel: claude knows low, medium, high, xhigh, max'],
    [{ command: 'claude --model x', model: 'y' }, 'model: the command line has one already'],
    [{ command: 'ls', model: 'y' }, 'model is for agents, and the command is none that is known'],
    [{ model: 7 }, 'model must be a string']]) {
    const answer = await daemon.fetch('/api/terminals', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    assert.deepEqual([answer.status, await answer.json()], [400, { success: false, error }]);
  }
});

test('a program that is not there is said before anything is shown', async t => {
  const daemon = await startDaemon(t, BASH);
  const { code, stderr } = await ostler(daemon.home, ['run', '-d', '--', 'no-such-program']);
  assert.equal(code, 1);
  assert.match(stderr, /the program no-such-program was not found: install it, or give its whole path/);
  assert.deepEqual(await daemon.get('/api/terminals'), { terminals: [] });
  assert.deepEqual(await daemon.get('/api/sessions'), {});
});
