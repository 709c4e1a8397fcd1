// ostler doctor, with something broken each time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD, environment, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { installClaude } from './lib/settings.mjs';
import { Person } from './lib/tmux.mjs';

/** What it says, by check. */
async function examine(home, options) {
  const { code, stdout, stderr } = await ostler(home, ['doctor', '--json'], options);
  assert.equal(stderr, '');
  const lines = stdout.trim().split('\n').map(line => JSON.parse(line));
  for (const { check, state, what, todo } of lines) {
    assert.ok(['ok', 'warn', 'bad'].includes(state) && what, check);
    assert.equal(todo !== undefined, state !== 'ok', `${check}: what is not well comes with what to do`);
  }
  assert.equal(code, lines.some(line => line.state === 'bad') ? 1 : 0);
  return Object.fromEntries(lines.map(line => [line.check, line]));
}

async function stopped(t) {
  const daemon = await startDaemon(t);
  await runHook(daemon.home, new Agent().start());
  await daemon.stop();
  return daemon.home;
}

test('a machine on which all is well', async t => {
  const daemon = await startDaemon(t), checks = await examine(daemon.home);
  assert.deepEqual(Object.keys(checks), ['state directory', 'configuration', 'files', 'disk space', 'database', 'spool', 'events', 'hook', 'hooks', 'keeper', 'daemon', 'environment', 'port', 'other users', 'clock',
    'file watches', 'open files', 'user manager', 'terminal']);
  for (const name of ['state directory', 'database', 'spool', 'events', 'hook', 'keeper', 'daemon', 'environment', 'port', 'other users', 'clock', 'file watches'])
    assert.equal(checks[name].state, 'ok', JSON.stringify(checks[name]));
  assert.match(checks.daemon.what, new RegExp(`${daemon.info.url} \\(pid ${daemon.child.pid}\\)`));
  assert.equal(checks.database.what, 'sound');
  assert.match(checks.keeper.what, /ostler-keeper, which confines itself once its program runs$/); // keeper_bad.test.mjs: and it does
  const { stdout } = await ostler(daemon.home, ['doctor']);
  assert.match(stdout, /^ok {4}database +sound$/m);
  assert.doesNotMatch(stdout, /\x1b/);
});

test('a CLI that became another one', async t => {
  const home = makeHome(t);
  assert.equal((await examine(home)).hooks.what, 'none are installed');
  installClaude(home, '2.1.85');
  await ostler(home, ['hooks', 'install', '--cli', 'claude', '--density', 'high']);
  assert.deepEqual([(await examine(home)).hooks.state, (await examine(home)).hooks.what], ['ok', 'up to date with 1 of the agents\' CLIs']);
  installClaude(home, '2.1.325');
  const updated = (await examine(home)).hooks;
  assert.equal(updated.state, 'warn');
  assert.match(updated.todo, /ostler hooks install brings it up to date/);
  await ostler(home, ['hooks', 'install', '--cli', 'claude']);
  installClaude(home, '2.1.85');
  const older = (await examine(home)).hooks;
  assert.equal(older.state, 'bad');
  assert.match(older.what, /Claude Code does not know all events that are registered/);
});

test('before the first start there is nothing wrong but that no daemon runs', async t => {
  const home = path.join(makeHome(t), 'not/yet'), checks = await examine(home, { env: { OSTLER_HOME: home } });
  assert.deepEqual(Object.values(checks).filter(c => c.state === 'bad'), []);
  assert.equal(checks.daemon.state, 'warn');
  assert.match(checks.daemon.todo, /ostler serve/);
  assert.equal(fs.existsSync(home), false, 'a look makes nothing');
});

test('a directory that is open, or closed, or somebody else\'s, or none', async t => {
  const home = await stopped(t), spool = path.join(home, 'spool');
  fs.chmodSync(home, 0o755);
  const open = await examine(home);
  assert.deepEqual([open['state directory'].state, open['state directory'].todo], ['warn', `chmod 700 ${home}`]);
  fs.chmodSync(home, 0o700);
  fs.rmSync(spool, { recursive: true });
  fs.writeFileSync(spool, 'in the way');
  assert.equal((await examine(home)).spool.state, 'bad');
  fs.rmSync(spool);
  fs.mkdirSync(spool, { mode: 0o700 });
  if (process.getuid() === 0) {
    fs.chownSync(spool, 12345, 12345);
    const { spool: line } = await examine(home);
    assert.deepEqual([line.state, /12345/.test(line.what), /chown/.test(line.todo)], ['bad', true, true]);
  } else {
    fs.chmodSync(spool, 0o500);
    assert.match((await examine(home)).spool.what, /cannot be written/);
    fs.chmodSync(spool, 0o700);
  }
});

test('a configuration that is none, and the port that it names', async t => {
  const home = makeHome(t), file = (await ostler(home, ['config', 'path'])).stdout.trim();
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  fs.writeFileSync(file, '{"port": 4711}');
  const well = await examine(home);
  assert.deepEqual([well.configuration.state, well.configuration.what], ['ok', file]);
  assert.match(well.port.what, /^4711 /);
  fs.writeFileSync(file, '{\n  "port": oops\n}');
  const { configuration } = await examine(home);
  assert.equal(configuration.state, 'bad');
  assert.match(configuration.what, /line 2|:2:/);
});

test('a damaged database', async t => {
  const home = await stopped(t), file = path.join(home, 'ostler.db'), whole = fs.readFileSync(file);
  fs.writeFileSync(file, Buffer.concat([whole.subarray(0, 5000), Buffer.alloc(8192, 0x55), whole.subarray(5000 + 8192)]));
  const torn = (await examine(home)).database;
  assert.deepEqual([torn.state, torn.what.includes(file)], ['bad', true]);
  fs.writeFileSync(file, 'a diary');
  assert.match((await examine(home)).database.what, /not a database|cannot be/);
  fs.writeFileSync(file, whole);
  assert.equal((await examine(home)).database.state, 'ok');
});

test('a full disk', async t => {
  const home = makeHome(t), disk = path.join(home, 'disk');
  fs.mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0700', 'tmpfs', disk], { stdio: 'pipe' });
  } catch {
    return t.skip('mounting a small file system takes root');
  }
  cleanup(t, () => execFileSync('umount', ['-l', disk]));
  const { 'disk space': space } = await examine(disk, { env: { OSTLER_HOME: disk } });
  assert.deepEqual([space.state, /1\.0 MB left/.test(space.what)], ['bad', true]);
});

test('a port that somebody has, a clock that was set back, a daemon that hangs or is of another version', async t => {
  const other = http.createServer((_, answer) => answer.end('hello')).listen(0, '127.0.0.1');
  cleanup(t, () => other.close());
  await once(other, 'listening');
  const daemon = await startDaemon(t), { home } = daemon;
  const announced = path.join(home, 'run/daemon.json'), text = fs.readFileSync(announced, 'utf8');
  fs.writeFileSync(announced, text.replace(/"version":"[^"]*"/, '"version":"0.0.1"'));
  const old = (await examine(home)).daemon;
  assert.deepEqual([old.state, /^0\.0\.1 runs/.test(old.what), /restart/.test(old.todo)], ['warn', true, true]);
  await daemon.stop();

  const later = new Date(Date.now() + 3_600_000);
  fs.utimesSync(path.join(home, 'ostler.db'), later, later);
  const checks = await examine(home, { env: { PORT: String(other.address().port) } });
  assert.deepEqual([checks.port.state, checks.port.what.includes(String(process.pid))], ['warn', true]);
  assert.deepEqual([checks.clock.state, /set back/.test(checks.clock.what)], ['warn', true]);
});

test('programs that are missing', async t => {
  const home = makeHome(t), bin = path.join(home, 'bin');
  fs.mkdirSync(bin);
  fs.copyFileSync(path.join(BUILD, 'ostler'), path.join(bin, 'ostler'));
  fs.writeFileSync(path.join(bin, 'ostler-keeper'), 'not executable');
  let said = '';
  try {
    said = execFileSync(path.join(bin, 'ostler'), ['doctor'], { env: environment(home), encoding: 'utf8' });
    assert.fail('it must not be well');
  } catch (error) {
    assert.equal(error.status, 1, error.message);
    said = error.stdout;
  }
  assert.match(said, /^bad {3}hook .*ostler-hook is not there: No such file/m);
  assert.match(said, /^bad {3}keeper .*ostler-keeper is not there: Permission denied/m);
  assert.match(said, /^\n?2 bad, /m);
});

test('colours for a person, unless NO_COLOR asks for none', async t => {
  const person = await Person.sitDown(t, makeHome(t), { cols: 150, rows: 40 });
  const coloured = async command => {
    await person.runs(command);
    return (await person.tmux('capture-pane -p -e')).some(line => /\x1b\[3[23]m *(ok|warn)/.test(line));
  };
  assert.equal(await coloured('ostler doctor'), true);
  assert.equal(await coloured('NO_COLOR=1 ostler doctor'), false);
  assert.equal(await coloured('ostler doctor | cat'), false);
});
