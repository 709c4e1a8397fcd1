// Terminals from the command line, by a person at a real terminal.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Agent as FakeAgent, register } from './lib/agents.mjs';
import { Board } from './lib/board.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent, turn } from './lib/payloads.mjs';
import { Person } from './lib/tmux.mjs';

const DETACH = '\x1dd';

async function sitDown(t, { daemon, ...options } = {}) {
  daemon ??= await startDaemon(t);
  return { daemon, person: await Person.sitDown(t, daemon.home, options) };
}

/** The terminals that the daemon knows. */
const terminals = async daemon => (await daemon.get('/api/terminals')).terminals;

/** What a process of the person's writes when it is started; kept in a file so that the screen does not matter. */
const modes = (person, name) => fs.readFileSync(path.join(person.home, name), 'utf8');

test('run: the program has the terminal, and its exit code is ours', async t => {
  const { person } = await sitDown(t);
  const said = await person.runs(`ostler run -- sh -c 'echo "it is $(stty size)"; exit 7'`);
  assert.equal(said.status, 7);
  assert.match(said.text, /it is 24 80/);
  assert.match(said.text, /\[exited with 7\]/);
  assert.equal((await person.runs(`ostler run -- sh -c 'kill -TERM $$'`)).status, 128 + 15);
  assert.match(await person.screen(), /\[killed by SIGTERM\]/);
  assert.equal((await person.runs('ostler run -- true')).status, 0);
});

test('run, type, detach, attach: the screen is as it was, and the program has not noticed', async t => {
  const { daemon, person } = await sitDown(t);
  await person.starts('ostler run --name talk -- cat');
  await person.sees(/detaches/); // the chord is shown
  await person.type('first words\r');
  await person.sees(/first words\nfirst words/);
  const [{ pid }] = await terminals(daemon);

  await person.type(DETACH);
  const [, name] = await person.sees(/\[detached: ostler attach (\w+) brings it back\]/);
  assert.equal((await terminals(daemon))[0].connection, 'live');

  await person.starts(`ostler attach ${name}`);
  await person.sees(/^first words\nfirst words$/m);
  await person.type('more\r');
  await person.sees(/first words\nfirst words\nmore\nmore/);
  assert.equal((await terminals(daemon))[0].pid, pid);
  await person.type('\x04');
  await person.sees(/\[exited with 0\]/);
});

test('the chord: twice sends it, with another key both arrive, ? helps, k asks', async t => {
  const { person } = await sitDown(t);
  await person.starts('ostler run -- sh -c "stty raw -echo; cat -v"');
  await person.sees(/detaches/);
  await person.type('a\x1d\x1db\x1dxc');
  await person.sees(/a\^\]b\^\]xc/);
  await person.type('\x1d?');
  await person.sees(/Ctrl-\], then d: detach, k: kill/);
  await person.type('\x1dk');
  await person.sees(/End this program\? y or n/);
  await person.type('n');
  await person.until(async () => !/End this program/.test(await person.screen()));
  await person.type('still here');
  await person.sees(/a\^\]b\^\]xcstill here/);
  await person.type('\x1dky');
  await person.sees(/\[killed by SIGHUP\]/);
});

test('another chord', async t => {
  const { person } = await sitDown(t);
  await person.starts('ostler run --chord ^A -- cat -v');
  await person.sees(/Ctrl-A d detaches/);
  await person.type('\x1dx\r');
  await person.sees(/\^\]x\n\^\]x/);
  await person.type('\x01d');
  await person.sees(/\[detached/);
  assert.equal((await person.runs('ostler attach --chord x')).status, 2);
});

test('the size follows the window', async t => {
  const { person } = await sitDown(t);
  await person.starts(`ostler run -- sh -c 'trap "stty size" WINCH; stty size; while :; do read line && echo $line; done'`);
  await person.sees(/^24 80$/m);
  await person.resize(100, 30);
  await person.sees(/^30 100$/m);
  await person.resize(70, 20);
  await person.sees(/^20 70$/m);
});

test('kill -9 of the daemon: typing goes on; and again when it is back', async t => {
  const { daemon, person } = await sitDown(t);
  await person.starts('ostler run -- cat');
  await person.sees(/detaches/);
  await person.type('before\r');
  await person.sees(/before\nbefore/);
  await daemon.crash();
  await person.type('while it is away\r');
  await person.sees(/before\nbefore\nwhile it is away\nwhile it is away/);
  await daemon.start();
  await person.type('and after\r');
  await person.sees(/away\nand after\nand after/);
  await person.resize(90, 20);
  await person.type('\x04');
  await person.sees(/\[exited with 0\]/);
});

test('attach without a daemon, from the journal and the keeper', async t => {
  const { daemon, person } = await sitDown(t);
  await person.starts('ostler run --name alone -- cat');
  await person.sees(/detaches/);
  await person.type('kept\r');
  await person.sees(/kept\nkept/);
  await person.type(DETACH);
  await person.sees(/\[detached/);
  await daemon.crash();

  const list = await person.runs('ostler ls');
  assert.equal(list.status, 1);
  assert.match(list.text, /no daemon is running/);
  assert.match(list.text, /^live .* alone/m);

  await person.starts('ostler attach alone');
  await person.sees(/^kept\nkept$/m);
  await person.type('goes on\r');
  await person.sees(/kept\nkept\ngoes on\ngoes on/);
  await person.type(DETACH);
  await person.sees(/\[detached/);
  const { status, text } = await person.runs('ostler kill alone');
  assert.equal(status, 0);
  assert.match(text, /killed by SIGHUP/);
});

test('the terminal is given back as it was, whatever happens', async t => {
  const { person } = await sitDown(t);
  const before = async () => { await person.runs('stty -g > before'); };
  const same = async what => {
    await person.runs('stty -g > after');
    assert.equal(modes(person, 'after'), modes(person, 'before'), what);
  };
  const start = async () => {
    await person.starts('ostler run -- cat');
    await person.sees(/detaches/);
  };
  const pids = () => attached(person.home);
  await before();

  await start();
  await person.type(DETACH);
  await person.sees(/\[detached/);
  await same('after a detach');

  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGKILL', 'SIGABRT']) {
    for (const which of [0, 1]) {
      await start();
      const processes = pids();
      assert.equal(processes.length, 2, 'one that works and one that waits');
      process.kill(processes[which], signal);
      await person.sees(/^>$/m);
      for (let turn = 0; pids().length; turn++) {
        assert.ok(turn < 100, 'they are still there');
        await person.runs('true');
      }
      await same(`after ${signal} to the ${which ? 'second' : 'first'}`);
    }
  }
});

/** The processes of `ostler run` and `ostler attach` in this home, the parent first. */
function attached(home) {
  const found = [];
  for (const pid of fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)))
    try {
      const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const state = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '')[0];
      const ours = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`OSTLER_HOME=${home}`);
      if (ours && state !== 'Z' && args[0].endsWith('ostler') && ['run', 'attach'].includes(args[1])) found.push(Number(pid));
    } catch (error) {
      assert.ok(['ENOENT', 'ESRCH', 'EACCES'].includes(error.code), String(error));
    }
  return found.sort((a, b) => a - b);
}

test('modes that a program has switched on are off again after a detach, and on again after an attach', async t => {
  const { person } = await sitDown(t);
  const flags = '#{alternate_on} #{mouse_any_flag} #{mouse_sgr_flag} #{cursor_flag} #{keypad_flag} #{keypad_cursor_flag} #{insert_flag} #{wrap_flag} #{origin_flag}';
  const on = String.raw`\033[?1049h\033[?1002h\033[?1006h\033[?25l\033=\033[?1h\033[?2004h\033[4h\033[2;10r\033[41mfull scr\145en`;
  await person.starts(`ostler run --name full -- sh -c 'printf "${on}"; exec cat'`);
  await person.sees(/full screen/);
  assert.equal(await person.knows(flags), '1 1 1 0 1 1 1 1 0');
  await person.type(DETACH);
  await person.sees(/\[detached/);
  assert.equal(await person.knows(flags), '0 0 0 1 0 0 0 1 0');
  await person.starts('ostler attach full');
  await person.sees(/full screen/);
  await person.until(async () => await person.knows(flags) === '1 1 1 0 1 1 1 1 0', 'the same modes again');
  await person.type(DETACH);
  await person.sees(/\[detached/);
});

test('a question of the program is answered once', async t => {
  const { daemon, person } = await sitDown(t);
  const ask = `import os, select, sys, termios, tty
old = termios.tcgetattr(0); tty.setraw(0)
os.write(1, b"\\x1b[c\\x1b[6n\\x1b]11;?\\x1b\\\\")
said = b""
while select.select([0], [], [], 1.5)[0]: said += os.read(0, 1000)
termios.tcsetattr(0, termios.TCSANOW, old)
print("answers:", said.count(b"\\x1b[?"), said.count(b"R"), said.count(b"rgb:"))`;
  fs.writeFileSync(path.join(person.home, 'ask.py'), ask);
  await person.starts('ostler run -- python3 ask.py');
  await person.sees(/answers: 1 1 1/);
  await person.starts('ostler run --env "PS1=inside$ " -- bash --norc --noprofile');
  await person.sees(/^inside\$/m);
  await daemon.crash();
  await person.type('python3 ask.py\r');
  await person.sees(/answers: 1 1 1/);
  await person.type('exit\r');
  await person.sees(/\[exited with 0\]/);
});

test('without a terminal run prints the id, and attach says what to do', async t => {
  const daemon = await startDaemon(t);
  const run = await ostler(daemon.home, ['run', '--name', 'quiet', '--cwd', '/', '--', 'cat']);
  assert.deepEqual([run.code, run.stderr], [0, '']);
  const [terminal] = await terminals(daemon);
  assert.equal(run.stdout, `${terminal.terminalId}\n`);
  assert.deepEqual([terminal.title, terminal.command, terminal.workingDir], ['quiet', 'cat', '/']);
  const attach = await ostler(daemon.home, ['attach', 'quiet']);
  assert.equal(attach.code, 1);
  assert.match(attach.stderr, /no terminal; ostler logs -f \w{6}/);
  const json = await ostler(daemon.home, ['run', '-d', '--json', '--env', 'A=b c', '--', 'sh', '-c', 'echo "<$A>"; cat']);
  const { terminalId } = JSON.parse(json.stdout);
  assert.equal((await terminals(daemon))[1].terminalId, terminalId);
  await logs(daemon, terminalId, /^<b c>$/m);
});

/** A terminal's log once the pattern is in it: output takes a moment to the disk, and nobody tells when it is there. */
async function logs(daemon, id, pattern) {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const { code, stdout, stderr } = await ostler(daemon.home, ['logs', id]);
    if (code === 0 && pattern.test(stdout)) return stdout;
    assert.ok(performance.now() < deadline, `no ${pattern} in the log of ${id}: ${stdout}${stderr}`);
  }
}

test('logs: lines as they were meant, the newest, raw, and as they come', async t => {
  const daemon = await startDaemon(t);
  const long = 'word '.repeat(60).trim();
  const script = `printf '\\033[31mred\\033[0m and \\033]0;title\\007plain\\n'; echo '${long}'; echo loading; printf '10%%\\r20%%\\r100%%\\n';
    for i in $(seq 1 200); do echo line $i; done; printf 'token ghp_%s\\n' 0123456789abcdefghijklmnopqrstuvwxyz; echo last; cat`;
  await ostler(daemon.home, ['run', '-d', '--name', 'noisy', '--', 'sh', '-c', script]);
  const text = await logs(daemon, 'noisy', /^last$/m);
  const lines = text.trimEnd().split('\n');
  assert.deepEqual(lines.slice(0, 4), ['red and plain', long, 'loading', '100%']);
  assert.deepEqual(lines.slice(4, 204), Array.from({ length: 200 }, (_, i) => `line ${i + 1}`));
  assert.match(lines[204], /^token [^a-z0-9]*/);
  assert.doesNotMatch(text, /ghp_0123456789|\x1b/);
  assert.equal(lines[205], 'last');

  const tail = await ostler(daemon.home, ['logs', '-n', '3', 'noisy']);
  assert.deepEqual(tail.stdout.split('\n'), ['line 200', lines[204], 'last', '']);
  const raw = await ostler(daemon.home, ['logs', '--raw', 'noisy']);
  assert.ok(raw.stdout.startsWith('\x1b[31mred\x1b[0m and \x1b]0;title\x07plain\r\n'));
  assert.doesNotMatch(raw.stdout, /ghp_0123456789/);
  const rawTail = await ostler(daemon.home, ['logs', '--raw', '-n', '2', 'noisy']);
  assert.match(rawTail.stdout, /^token .*\r\nlast\r\n$/);

  await daemon.crash();
  assert.equal((await ostler(daemon.home, ['logs', 'noisy'])).stdout, text);
});

test('logs -f goes on through the death of the daemon, and ends with the program', async t => {
  const { daemon, person } = await sitDown(t);
  await ostler(daemon.home, ['run', '-d', '--name', 'slow', '--', 'sh', '-c', 'echo one; while read line; do echo "got $line"; done; echo bye']);
  await person.starts('ostler logs -f slow | cat');
  await person.sees(/^one$/m);
  const typist = await Person.sitDown(t, daemon.home);
  await typist.starts('ostler attach slow');
  await typist.sees(/detaches/);
  await typist.type('two\r');
  await person.sees(/^got two$/m);
  await daemon.crash();
  await typist.type('three\r');
  await person.sees(/^got three$/m);
  await typist.type('ghp_0123456789abcdefghijklmnopqrstuvwxyz\r');
  await typist.sees(/got ghp_0123456789abcdefghijklmnopqrstuvwxyz/);
  await typist.type('\x04');
  await typist.sees(/\[exited with 0\]/);
  await person.sees(/^bye\n>$/m);
  assert.doesNotMatch(await person.history(), /ghp_0123/);
});

test('names: unknown, several, and the beginning of one', async t => {
  const daemon = await startDaemon(t);
  // No id has a hyphen in the part that people see: it cannot mean one of these by chance.
  for (const name of ['my-build', 'my-bench', 'other'])
    assert.equal((await ostler(daemon.home, ['run', '-d', '--name', name, '--', 'cat'])).code, 0);
  for (const command of ['attach', 'logs', 'kill']) {
    const unknown = await ostler(daemon.home, [command, 'nobody']);
    assert.deepEqual([unknown.code, unknown.stderr], [1, `ostler ${command}: no terminal is called "nobody": ostler ls lists them\n`]);
    const several = await ostler(daemon.home, [command, 'my-b']);
    assert.equal(several.code, 1);
    assert.match(several.stderr, /"my-b" means 2 terminals/);
    assert.match(several.stdout, /build.*cat[^]*bench.*cat/);
    assert.doesNotMatch(several.stdout, /other/);
  }
  const which = await ostler(daemon.home, ['logs']);
  assert.match(which.stderr, /which one\? 3 terminals are running/);
  assert.equal((await ostler(daemon.home, ['kill', 'oth'])).code, 0);
});

test('kill waits for the end and tells it; what has ended is not killed again', async t => {
  const daemon = await startDaemon(t);
  const start = async (name, script) => ostler(daemon.home, ['run', '-d', '--name', name, '--', 'sh', '-c', script]);
  await start('plain', 'exec cat');
  await start('polite', 'trap "exit 3" HUP; echo up; while :; do read line; done');
  await start('stubborn', 'trap "" HUP; echo up; while :; do read line || exec sleep 1000; done');
  await logs(daemon, 'polite', /up/);
  await logs(daemon, 'stubborn', /up/);
  const { code, stdout } = await ostler(daemon.home, ['kill', '--json', 'plain', 'polite', 'stubborn', 'nobody']);
  assert.equal(code, 1);
  const told = stdout.trim().split('\n').map(line => JSON.parse(line));
  assert.deepEqual(told.map(({ exitCode, signal }) => [exitCode, signal]), [[null, 'SIGHUP'], [3, null], [null, 'SIGKILL']]);
  assert.deepEqual((await terminals(daemon)).map(terminal => terminal.connection), ['ended', 'ended', 'ended']);
  const again = await ostler(daemon.home, ['kill', 'plain']);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /it has ended already/);
});

test('kill of an agent that is only watched asks first', async t => {
  const { daemon, person } = await sitDown(t);
  register.claude(daemon.home);
  const agent = await FakeAgent.start(t, daemon, 'claude', path.join(daemon.home, 'alpha'));
  const board = await Board.connect(t, daemon);
  await board.session(agent.id);
  const refused = await ostler(daemon.home, ['kill', agent.id]);
  assert.deepEqual([refused.code, /left alone: -y/.test(refused.stderr)], [1, true]);
  await person.starts(`ostler kill ${agent.id.slice(0, 12)}`);
  await person.sees(/End the agent .*\[y\/N\]/);
  await person.type('n\r');
  await person.sees(/left alone/);
  assert.equal((await ostler(daemon.home, ['kill', '-y', agent.id])).code, 0);
  assert.deepEqual(await agent.exited, { code: null, signal: 'SIGTERM' });
});

test('ls: one table of sessions and terminals, within 80 columns; all of it as JSON', async t => {
  const { daemon, person } = await sitDown(t);
  await ostler(daemon.home, ['run', '-d', '--name', 'a rather long name for a terminal', '--cwd', daemon.home, '--', 'sh', '-c', 'exec cat']);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.start(), ...turn(agent, 'Mend the fence, please, and paint it in a colour that we like')]);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id, s => s.status === 'waiting');
  await board.close();
  const [terminal] = await terminals(daemon);
  const { text } = await person.runs('ostler ls');
  const [head, ...rows] = text.split('\n').filter(line => /^(STATUS|finished|live)/.test(line));
  assert.match(head, /^STATUS +SINCE ID +PROJECT +TITLE +DETAIL$/);
  assert.equal(rows.length, 2);
  for (const row of rows) assert.ok(row.length <= 80, row);
  assert.match(rows[0], /^finished .* alpha/);
  assert.match(rows[1], new RegExp(`^live .* ${terminal.terminalId.slice(-6)} .* a rather long .* sh -c exec cat`));
  const sessions = Object.values(JSON.parse((await ostler(daemon.home, ['ls', '--json'])).stdout));
  assert.deepEqual(sessions.map(s => [s.terminalId, s.terminal?.terminalId, s.terminal?.connection]).sort(),
    [[terminal.terminalId, terminal.terminalId, 'live'], [null, undefined, undefined]].sort());
});

test('what has ended shows its last screen, and how it ended', async t => {
  const { daemon, person } = await sitDown(t);
  await ostler(daemon.home, ['run', '-d', '--name', 'short', '--', 'sh', '-c', 'echo its last words; exit 4']);
  await logs(daemon, 'short', /last words/);
  const { status, text } = await person.runs('ostler attach short');
  assert.equal(status, 4);
  assert.match(text, /its last words\n\[exited with 4\]/);
});

test('bad words', async t => {
  const daemon = await startDaemon(t);
  for (const [args, code, pattern] of [
    [['run', '--cwd', '/nowhere/at/all', '--', 'cat'], 1, /no directory "\/nowhere\/at\/all"/],
    [['run', '--env', 'novalue', '--', 'cat'], 2, /--env takes NAME=VALUE/],
    [['run', '--chord', 'q', '--', 'cat'], 2, /--chord takes a key with Ctrl/],
    [['run', '--frobnicate'], 2, /unknown option --frobnicate/],
    [['run', '--name'], 2, /a value is missing after --name/],
    [['run', '-d', '--', '/nowhere/program'], 1, /the program \/nowhere\/program was not found/],
    [['attach', 'a', 'b'], 2, /one terminal at a time/],
    [['logs', '-n', 'many', 'x'], 2, /-n takes a number/],
    [['kill'], 2, /which one\?/],
  ]) {
    const said = await ostler(daemon.home, args);
    assert.deepEqual([said.code, said.stdout], [code, ''], args.join(' '));
    assert.match(said.stderr, pattern);
  }
});

test('without a daemon each says so, and how to start one', async t => {
  const home = makeHome(t);
  for (const args of [['run', '--', 'cat'], ['attach', 'x'], ['logs', 'x'], ['kill', 'x']]) {
    const { code, stderr } = await ostler(home, args);
    assert.equal(code, 1);
    assert.match(stderr, /no daemon is running: start it with ostler serve/, args.join(' '));
  }
});
