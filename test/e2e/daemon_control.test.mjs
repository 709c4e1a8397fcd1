// Daemons in the background: started, stopped, started anew, replaced. Terminals live on through all of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { detach, holder, info, log, makeHomeWithDaemon, PORT_0, words } from './lib/background.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD, environment, makeHome, OSTLER, ostler, startDaemon } from './lib/daemon.mjs';
import { alive, gone } from './lib/keeper.mjs';
import { makeTerminal } from './lib/tty.mjs';

const sleeper = daemon => makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/' });
const pidOf = async (daemon, { terminalId }) => (await daemon.get(`/api/terminals/${terminalId}`)).pid;

/** Waits until an ostler has this file open. */
async function untilOpened(file) {
  const has = pid => {
    try {
      return fs.readlinkSync(`/proc/${pid}/exe`) === OSTLER && fs.readdirSync(`/proc/${pid}/fd`).some(fd => fs.readlinkSync(`/proc/${pid}/fd/${fd}`) === file);
    } catch {
      return false; // it has ended, or is another user's
    }
  };
  while (!fs.readdirSync('/proc').some(has)) await new Promise(resolve => { setTimeout(resolve, 2); });
}

/* serve --detach */

test('--detach comes back when it listens: no terminal, a session of its own, a log for its owner', async t => {
  const home = makeHomeWithDaemon(t), daemon = await detach(home);
  assert.match(daemon.said.stdout, new RegExp(`http://localhost:${daemon.port} \\(pid ${daemon.pid}\\)`));
  assert.equal((await daemon.get('/api/health')).pid, daemon.pid);
  assert.equal(holder(home), daemon.pid);
  const [, parent, group, session, tty] = fs.readFileSync(`/proc/${daemon.pid}/stat`, 'utf8').split(') ')[1].split(' ').map(Number);
  assert.deepEqual([group, tty], [session, 0]);
  assert.notEqual(session, daemon.pid, 'it leads no session, so that it can never get a terminal');
  assert.notEqual(parent, process.pid);
  assert.equal(fs.readlinkSync(`/proc/${daemon.pid}/cwd`), '/');
  assert.equal(fs.readlinkSync(`/proc/${daemon.pid}/fd/0`), '/dev/null');
  assert.equal(fs.statSync(path.join(home, 'ostler.log')).mode & 0o777, 0o600);
  assert.match(log(home), /watches on/);
});

test('--detach that does not start says why, and leaves nothing behind', async t => {
  const other = http.createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
  cleanup(t, () => other.close());
  await once(other, 'listening');
  const home = makeHomeWithDaemon(t), port = String(other.address().port);
  const said = await ostler(home, ['serve', '--detach', '--port', port]);
  assert.deepEqual([said.code, said.stdout], [1, '']);
  assert.match(said.stderr, new RegExp(`^ostler serve: port ${port} is taken by .*pid ${process.pid}.*--port`));
  assert.equal(alive(holder(home)), false);

  fs.rmSync(home, { recursive: true });
  fs.writeFileSync(home, 'no directory');
  const nowhere = await ostler(home, ['serve', '--detach', ...PORT_0], { env: { HOME: '/' } });
  fs.rmSync(home);
  fs.mkdirSync(home, { mode: 0o700 });
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /Not a directory/);
});

test('a second one for the same home is refused with the pid of the first', async t => {
  const home = makeHomeWithDaemon(t), { pid, url } = await detach(home);
  for (const args of [['serve', '--detach', ...PORT_0], ['serve', '--no-open', ...PORT_0]]) {
    const { code, stderr } = await ostler(home, args);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`already runs here \\(pid ${pid}\\).*${url.replace('127.0.0.1', 'localhost')}.*--replace`));
  }
  assert.ok(alive(pid));
});

test('the log turns over, and --daemon shows both parts and what is added', async t => {
  const home = makeHomeWithDaemon(t), file = path.join(home, 'ostler.log');
  fs.writeFileSync(file, `an old line\n${'x'.repeat(1023)}\n`.repeat(4200), { mode: 0o600 });
  await detach(home);
  assert.ok(fs.statSync(file).size < 4096, 'a new one was begun');
  assert.ok(fs.statSync(`${file}.1`).size > 4 << 20);
  const last = await ostler(home, ['logs', '--daemon', '-n', '3']);
  assert.deepEqual([last.code, last.stderr], [0, '']);
  assert.match(last.stdout, /^x{1023}\n.*watches on .*\n.*nothing is set up yet.*\n$/);

  const follower = spawn(OSTLER, ['logs', '--daemon', '-f', '-n', '2'], { env: environment(home), stdio: ['ignore', 'pipe', 'inherit'] });
  cleanup(t, () => follower.kill());
  let seen = '';
  const until = async pattern => { for await (const chunk of follower.stdout.iterator({ destroyOnReturn: false })) if (pattern.test(seen += chunk)) return; };
  await until(/watches on/);
  fs.renameSync(file, `${file}.1`); // as the daemon does when it is full
  fs.writeFileSync(file, 'of the new file\n');
  await until(/of the new file/);
});

test('logs --daemon without a log says where it is', async t => {
  const home = makeHome(t);
  const { code, stderr } = await ostler(home, ['logs', '--daemon']);
  assert.equal(code, 1);
  assert.match(stderr, /--detach.*journalctl/);
  assert.equal((await ostler(home, ['logs', '--daemon', 'x'])).code, 2);
});

/* stop */

test('stop waits for the end, and terminals go on; nobody to stop is fine', async t => {
  const home = makeHomeWithDaemon(t), daemon = await detach(home);
  const made = await sleeper(daemon), pid = await pidOf(daemon, made);
  const stopped = await ostler(home, ['stop']);
  assert.equal(alive(daemon.pid), false);
  assert.equal(stopped.code, 0);
  assert.match(stopped.stdout, new RegExp(`pid ${daemon.pid}\\) has stopped`));
  assert.equal(fs.existsSync(path.join(home, 'run/daemon.json')), false);
  assert.ok(alive(pid));
  assert.deepEqual(await ostler(home, ['stop']).then(r => [r.code, r.stdout]), [0, 'No daemon is running.\n']);

  const again = await detach(home);
  assert.equal(await pidOf(again, made), pid, 'it is adopted');
});

test('one that does not stop: said after the time, killed with --force', async t => {
  const home = makeHomeWithDaemon(t), daemon = await detach(home);
  process.kill(daemon.pid, 'SIGSTOP');
  const patient = await ostler(home, ['stop', '--timeout', '0']);
  assert.equal(patient.code, 1);
  assert.match(patient.stderr, /has not ended.*--force/);
  const forced = await ostler(home, ['stop', '--timeout', '0', '--force']);
  assert.equal(forced.code, 0, forced.stderr);
  assert.match(forced.stdout, /killed/);
  await daemon.ended();
});

test('a pid that somebody else has by now is left alone', async t => {
  const home = makeHome(t), child = spawn('sleep', ['1000']);
  cleanup(t, () => child.kill());
  fs.writeFileSync(path.join(home, 'lock'), `${child.pid} 12345\n`);
  for (const text of [`${child.pid} 12345\n`, `${child.pid} 0\n`, `${child.pid}\n`, '-1 -1\n', '1 1\n', '', 'x'.repeat(1000)]) {
    fs.writeFileSync(path.join(home, 'lock'), text);
    assert.deepEqual(await ostler(home, ['stop', '--force', '--timeout', '0']).then(r => [r.code, r.stdout]), [0, 'No daemon is running.\n']);
  }
  assert.ok(alive(child.pid));
});

test('a lock that a killed daemon left with a program that just begins is waited for', async t => {
  const home = makeHomeWithDaemon(t), file = path.join(home, 'lock');
  fs.writeFileSync(file, '4194303 1\n', { mode: 0o600 }); // nobody who lives
  const left = spawn('flock', [file, 'sh', '-c', 'echo held; read -r line'], { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanup(t, () => left.stdin.end());
  await once(left.stdout, 'data');
  const starting = ostler(home, ['serve', '--detach', ...PORT_0]);
  await Promise.race([untilOpened(file), starting]);
  left.stdin.end('\n');
  const said = await starting;
  assert.equal(said.code, 0, said.stderr);
});

/* restart */

test('restart: the same process and options, terminals and their output stay', async t => {
  const home = makeHomeWithDaemon(t), daemon = await detach(home, ['--port', '0', '--max-terminals', '7', '--debug']);
  const made = await sleeper(daemon), pid = await pidOf(daemon, made), before = info(home);
  const said = await ostler(home, ['restart']);
  assert.equal(said.code, 0, said.stderr);
  const after = info(home);
  assert.equal(after.pid, before.pid);
  assert.match(said.stdout, new RegExp(`is back at ${after.url} \\(pid ${after.pid}\\)`));
  assert.deepEqual(words(daemon.pid), ['ostler', 'serve', '--port', '0', '--max-terminals', '7', '--debug', '--no-open', '--no-setup', '--log', path.join(home, 'ostler.log')]);
  const health = await (await fetch(`http://127.0.0.1:${after.port}/api/health`)).json();
  assert.equal(health.pid, daemon.pid);
  const terminal = await (await fetch(`http://127.0.0.1:${after.port}/api/terminals/${made.terminalId}`)).json();
  assert.equal(terminal.pid, pid);
  assert.ok(alive(pid));
  assert.match(log(home), /to start anew[\s\S]*watches on/);
});

test('programs have the umask of who started the daemon, after a restart, too', async t => {
  const home = makeHomeWithDaemon(t), before = process.umask(0o026);
  try {
    await detach(home);
  } finally {
    process.umask(before);
  }
  assert.equal(fs.statSync(path.join(home, 'ostler.db')).mode & 0o777, 0o600, 'its own files are for its owner all the same');
  for (const name of ['first', 'again']) {
    const out = path.join(home, name);
    const { port } = info(home), daemon = { fetch: (where, init) => fetch(`http://127.0.0.1:${port}${where}`, init) };
    const watcher = fs.watch(home);
    await makeTerminal(daemon, { argv: ['sh', '-c', `umask >${out}.new && mv ${out}.new ${out}`], workingDir: '/' });
    while (!fs.existsSync(out)) await once(watcher, 'change');
    watcher.close();
    assert.equal(Number.parseInt(fs.readFileSync(out, 'utf8'), 8), 0o026, name);
    assert.equal((await ostler(home, ['restart'])).code, 0);
  }
});

test('restart of one in the foreground keeps it there; without one it is refused', async t => {
  const daemon = await startDaemon(t), pid = daemon.child.pid;
  assert.equal((await ostler(daemon.home, ['restart'])).code, 0);
  assert.deepEqual([info(daemon.home).pid, daemon.running], [pid, true]);
  assert.equal(daemon.log.match(/watches on/g).length, 2, 'in the same terminal');
  await daemon.stop();
  const none = await ostler(daemon.home, ['restart']);
  assert.deepEqual([none.code, /no daemon is running/.test(none.stderr)], [1, true]);
});

test('restart runs the program that is installed now', async t => {
  const home = makeHomeWithDaemon(t), bin = path.join(home, 'bin'), program = path.join(bin, 'ostler');
  fs.mkdirSync(bin);
  for (const name of ['ostler', 'ostler-keeper', 'ostler-hook']) fs.copyFileSync(path.join(BUILD, name), path.join(bin, name));
  const child = spawn(program, ['serve', '--detach', ...PORT_0], { env: environment(home), stdio: 'inherit' });
  assert.deepEqual(await once(child, 'exit'), [0, null]);
  const { pid } = info(home), inode = () => fs.statSync(`/proc/${pid}/exe`).ino, first = inode();
  fs.copyFileSync(OSTLER, `${program}.new`);
  fs.renameSync(`${program}.new`, program);
  assert.equal((await ostler(home, ['restart'])).code, 0);
  assert.equal(inode(), fs.statSync(program).ino);
  assert.notEqual(inode(), first);
  assert.equal(fs.readlinkSync(`/proc/${pid}/exe`), program);

  fs.rmSync(program); // nothing to start anew: it says so in its log and is gone
  const lost = await ostler(home, ['restart']);
  assert.equal(lost.code, 1);
  assert.match(lost.stderr, /not come back/);
  assert.match(log(home), /cannot start .*ostler anew/);
  await gone(pid);
});

/* --replace */

test('--replace takes the place of the daemon of this home, terminals included', async t => {
  const home = makeHomeWithDaemon(t), first = await detach(home);
  const made = await sleeper(first), pid = await pidOf(first, made);
  const second = await detach(home, ['--replace', '--port', String(first.port)]);
  assert.deepEqual([second.port, second.pid === first.pid, alive(first.pid)], [first.port, false, false]);
  assert.equal(await pidOf(second, made), pid);
});

test('--replace takes the port of another ostler of ours', async t => {
  const there = makeHomeWithDaemon(t), first = await detach(there), here = makeHomeWithDaemon(t);
  const refused = await ostler(here, ['serve', '--detach', '--port', String(first.port)]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`port ${first.port} is served by another ostler \\(pid ${first.pid}\\).*--replace`));
  const second = await detach(here, ['--replace', '--port', String(first.port)]);
  assert.equal(second.port, first.port);
  await first.ended();
});

test('--replace leaves every other program alone, and then our own daemon, too', async t => {
  const other = http.createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
  cleanup(t, () => other.close());
  await once(other, 'listening');
  const home = makeHomeWithDaemon(t), daemon = await detach(home), port = other.address().port;
  const { code, stderr } = await ostler(home, ['serve', '--replace', '--no-open', '--port', String(port)]);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`pid ${process.pid}.*no ostler of yours`));
  assert.equal((await fetch(`http://127.0.0.1:${port}`)).status, 200);
  assert.ok(alive(daemon.pid));
});

test('ports that are none', async t => {
  const home = makeHome(t);
  for (const port of ['-1', '65536', '70000', '1e3', '', ' 1', '0x10', '99999999999999999999']) {
    const { code, stderr } = await ostler(home, ['serve', '--no-open', '--port', port]);
    assert.equal(code, 2, port);
    assert.match(stderr, /--port takes a number from 0 to 65535/);
  }
  assert.equal((await ostler(home, ['serve', '--no-open'], { env: { PORT: '70000' } })).code, 2);
});

/* open */

test('open prints the address where there is no desktop, and hands it to the desktop where there is one', async t => {
  const daemon = await startDaemon(t), url = `${daemon.info.url}\n`;
  assert.deepEqual(await ostler(daemon.home, ['open']).then(r => [r.code, r.stdout]), [0, url]);
  const bin = path.join(daemon.home, 'bin'), told = path.join(daemon.home, 'opened');
  fs.mkdirSync(bin);
  fs.mkdirSync(told);
  fs.writeFileSync(path.join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" >'${told}/new' && mv '${told}/new' '${told}/url'\n`, { mode: 0o755 });
  const watcher = fs.watch(told), env = { DISPLAY: ':0', PATH: `${bin}:${process.env.PATH}` };
  assert.deepEqual(await ostler(daemon.home, ['open'], { env }).then(r => [r.code, r.stdout]), [0, '']);
  while (!fs.existsSync(path.join(told, 'url'))) await once(watcher, 'change');
  watcher.close();
  assert.equal(fs.readFileSync(path.join(told, 'url'), 'utf8'), url);
  assert.deepEqual(await ostler(daemon.home, ['open', '--print'], { env }).then(r => [r.code, r.stdout]), [0, url]);
  await daemon.stop();
  assert.equal((await ostler(daemon.home, ['open'])).code, 1);
});
