// ostler password: at a terminal and without one, with a daemon and without.
import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { ask, bearer, configFile, configure, hashOf, letsIn, login, openSocket, UNAUTHORIZED } from './lib/login.mjs';
import { Person } from './lib/tmux.mjs';

const stored = home => JSON.parse(fs.readFileSync(configFile(home), 'utf8')).passwordHash;
const set = (home, password) => ostler(home, ['password', 'set'], { input: `${password}\n` });

function verifies(password, hash) {
  const [salt, key] = hash.split(':');
  return scryptSync(password, salt, 64).toString('hex') === key;
}

test('without a terminal it is a line of standard input; Node verifies what is stored', async t => {
  const home = makeHome(t);
  assert.deepEqual(await ostler(home, ['password', 'status']), { code: 0, signal: null, stderr: '',
    stdout: 'There is no password: the board is for this user of this machine alone.\n' });
  const first = await set(home, 'pässwörd 1');
  assert.deepEqual([first.code, first.stdout, first.stderr], [0, 'The board asks for a password when the daemon runs.\n', '']);
  assert.ok(verifies('pässwörd 1', stored(home)));
  assert.equal(fs.statSync(configFile(home)).mode & 0o777, 0o600);
  assert.equal((await ostler(home, ['password', 'status', '--json'])).stdout, '{"passwordSet":true}\n');
  assert.equal((await set(home, 'other')).stdout, 'The board asks for the new password when the daemon runs. Everybody is logged out.\n');
  assert.ok(verifies('other', stored(home)));
  assert.match((await ostler(home, ['password', 'remove'])).stdout, /asks for no password any more/);
  assert.equal(stored(home), undefined);
  assert.equal((await ostler(home, ['password', 'remove'])).stdout, 'There is no password.\n');
});

test('what is no password changes nothing', async t => {
  const home = makeHome(t);
  configure(home, hashOf('before'));
  const text = fs.readFileSync(configFile(home), 'utf8');
  for (const [input, code, why] of [['', 1, /no answer/], ['\n', 2, /at least 4 characters/], ['abc\n', 2, /at least 4/], [`${'x'.repeat(2000)}\n`, 1, /too long/]]) {
    const run = await ostler(home, ['password', 'set'], { input });
    assert.equal(run.code, code);
    assert.match(run.stderr, why);
  }
  assert.equal(fs.readFileSync(configFile(home), 'utf8'), text);
  assert.equal((await ostler(home, ['password'])).code, 2);
  assert.equal((await ostler(home, ['password', 'guess'])).code, 2);
  assert.equal((await ostler(home, ['password', 'set', 'geheim'])).code, 2, 'never on the command line, where others see it');
});

test('a configuration that is broken, or has comments and keys of others, keeps every byte of them', async t => {
  const home = makeHome(t);
  configure(home);
  fs.writeFileSync(configFile(home), '{ "port": 1, // mine\n');
  const broken = await set(home, 'geheim');
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /config\.json/);
  assert.equal(fs.readFileSync(configFile(home), 'utf8'), '{ "port": 1, // mine\n');
  const text = '{\n\t"mine": [1,  2], // keep\n\t"port": 4000\n}\n';
  fs.writeFileSync(configFile(home), text);
  assert.equal((await set(home, 'geheim')).code, 0);
  assert.ok(fs.readFileSync(configFile(home), 'utf8').startsWith('{\n\t"mine": [1,  2], // keep\n\t"port": 4000,'));
  assert.equal((await ostler(home, ['password', 'remove'])).code, 0);
  assert.equal(fs.readFileSync(configFile(home), 'utf8'), text);
});

test('a running daemon asks for it from that moment on, and for another one, and for none', async t => {
  const daemon = await startDaemon(t);
  const open = openSocket(t, daemon, '/ws');
  await open.first;
  assert.equal((await set(daemon.home, 'first')).stdout, 'The board asks for a password from now on. Everybody is logged out.\n');
  assert.deepEqual(await open.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon));
  const token = await login(daemon, 'first');
  const socket = openSocket(t, daemon, '/ws', { headers: bearer(token) });
  await socket.first;
  assert.equal((await set(daemon.home, 'second')).stdout, 'The board asks for the new password from now on. Everybody is logged out.\n');
  assert.deepEqual(await socket.closed, UNAUTHORIZED);
  assert.ok(!await letsIn(daemon, bearer(token)));
  assert.equal((await ask(daemon, '/api/auth/login', { password: 'first' })).status, 401);
  await login(daemon, 'second');
  assert.equal((await ostler(daemon.home, ['password', 'remove'])).code, 0);
  assert.ok(await letsIn(daemon));
});

test('a daemon that cannot be told is named', async t => {
  const daemon = await startDaemon(t);
  const file = `${daemon.home}/run/daemon.json`;
  const { pid, url, version } = JSON.parse(fs.readFileSync(file, 'utf8')); // and no other way to it
  const other = createServer((_, answer) => answer.writeHead(404, { 'content-length': 2 }).end('{}')).listen(0, '127.0.0.1');
  t.after(() => other.close());
  await new Promise(resolve => other.once('listening', resolve));
  fs.writeFileSync(file, JSON.stringify({ pid, url, version, port: other.address().port }));
  const run = await set(daemon.home, 'geheim');
  assert.equal(run.code, 1);
  assert.match(run.stderr, /does not know of the change .*restart it/);
  assert.ok(verifies('geheim', stored(daemon.home)), 'it is set nevertheless');
});

test('at a terminal it is asked for twice, behind stars', async t => {
  const home = makeHome(t);
  const person = await Person.sitDown(t, home);
  await person.starts('ostler password set; echo "status $?"');
  await person.sees(/New password:$/m);
  await person.type('abc\r');
  await person.sees(/New password: \*\*\*\nNo: a password has at least 4 characters\.\nNew password:$/m);
  await person.type('gehXx\x7f\x7feim');
  await person.sees(/New password: \*{6}$/m);
  await person.type('\r');
  await person.sees(/The same again:$/m);
  await person.type('geheim\r');
  await person.sees(/The board asks for a password when the daemon runs\.\nstatus 0/);
  assert.doesNotMatch(await person.history(), /geheim/);
  assert.ok(verifies('geheim', stored(home)));
  await person.starts('stty -a | grep -o " echo "; stty -a | grep -o icanon');
  await person.sees(/ echo\s*\n.*icanon/);
});

test('who gives up has changed nothing, and has the terminal back', async t => {
  const home = makeHome(t);
  const person = await Person.sitDown(t, home);
  for (const key of ['\x03', '\x04']) {
    await person.starts('ostler password set; echo "status $?"');
    await person.sees(/New password:$/m);
    await person.type(key === '\x03' ? `half${key}` : key);
    await person.sees(/given up; nothing is changed\nstatus 130/);
    await person.starts('stty -a | grep -o " echo "');
    await person.sees(/^ echo/m);
  }
  assert.ok(!fs.existsSync(configFile(home)));
});
