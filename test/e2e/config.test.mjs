// The configuration file, and what the daemon makes of it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { Daemon, keepers, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { change } from './lib/database.mjs';
import { makeTerminal } from './lib/tty.mjs';

const HASH = `${'0123456789abcdef'.repeat(2)}:${'0123456789abcdef'.repeat(8)}`;

function configOf(home) {
  return path.join(home, 'config/config.json');
}

function writeConfig(home, text) {
  fs.mkdirSync(path.dirname(configOf(home)), { recursive: true });
  fs.writeFileSync(configOf(home), typeof text === 'string' ? text : JSON.stringify(text));
}

async function config(home, ...words) {
  return ostler(home, ['config', ...words]);
}

/** A port that nobody has, as far as one can know. */
async function freePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await new Promise(resolve => server.close(resolve));
  return port;
}

test('config: set, get, list, unset, path', async t => {
  const home = makeHome(t);
  const file = configOf(home);
  assert.deepEqual((await config(home, 'path')).stdout, `${file}\n`);
  assert.equal((await config(home, 'get', 'port')).stdout, '3333\n');
  assert.ok(!fs.existsSync(file), 'looking makes no file');

  for (const [key, value] of [['port', '4000'], ['enabledClis', 'codex,claude'], ['debug', 'on'], ['host', '::1']])
    assert.equal((await config(home, 'set', key, value)).code, 0);
  assert.deepEqual(JSON.parse(fs.readFileSync(file, 'utf8')), { port: 4000, enabledClis: ['codex', 'claude'], debug: true, host: '::1' });
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal((await config(home, 'get', 'enabledClis')).stdout, 'codex,claude\n');
  assert.equal((await config(home, 'get', 'enabledClis', '--json')).stdout, '["codex","claude"]\n');
  assert.equal((await config(home, 'get', 'host')).stdout, '::1\n');

  const rows = (await config(home, 'list')).stdout.trimEnd().split('\n');
  assert.match(rows.find(row => row.startsWith('port ')), /^port +4000 +file +the board's port$/);
  assert.match(rows.find(row => row.startsWith('maxTerminals ')), /^maxTerminals +100 +default +how many/);
  const objects = (await config(home, 'list', '--json')).stdout.trimEnd().split('\n').map(line => JSON.parse(line));
  assert.equal(objects.length, rows.length);
  assert.deepEqual(objects.find(o => o.key === 'port'), { key: 'port', value: 4000, from: 'file', default: 3333, about: "the board's port" });

  assert.equal((await config(home, 'unset', 'port')).code, 0);
  assert.equal((await config(home, 'get', 'port')).stdout, '3333\n');
});

test("config: keys of others and the file's own manner stay", async t => {
  const home = makeHome(t);
  const text = '{\n\t// mine\n\t"theme": {"dark": [1, /* two */ 2]},\n\t"port": 4000\n}\n';
  writeConfig(home, text);
  assert.equal((await config(home, 'set', 'debug', 'true')).code, 0);
  assert.equal(fs.readFileSync(configOf(home), 'utf8'), text.replace('4000\n', '4000,\n\t"debug": true\n'));
  assert.equal((await config(home, 'unset', 'debug')).code, 0);
  assert.equal(fs.readFileSync(configOf(home), 'utf8'), text);
  assert.equal((await config(home, 'get', 'theme')).stdout, '{"dark":[1,2]}\n');
  assert.match((await config(home, 'list')).stdout, /^theme +\{"dark":\[1,2\]\} +file +unknown to ostler$/m);
});

test('config: what makes no sense is refused with a sentence, and nothing is written', async t => {
  const home = makeHome(t);
  const cases = [
    [['set', 'port', '0'], /port takes a whole number from 1 to 65535, not 0/],
    [['set', 'port', '70000'], /not 70000/],
    [['set', 'port', '--', '-1'], /not -1/],
    [['set', 'prot', '1'], /there is no key "prot"; did you mean port\?/],
    [['set', 'colour', 'red'], /there is no key "colour"; ostler config list shows all/],
    [['get', 'prot'], /there is no key "prot"/],
    [['unset', 'prot'], /there is no key "prot"/],
    [['set', 'enabledClis', 'clod'], /enabledClis takes a list of claude/],
    [['set', 'port'], /set takes a key and a value/],
    [['get'], /get takes a key/],
    [['set', 'passwordHash', HASH], /ostler password set/],
    [['unset', 'passwordHash'], /ostler password remove/],
    [['frob'], /"frob" is not list, get, set, unset or path/],
  ];
  for (const [words, sentence] of cases) {
    const { code, stdout, stderr } = await config(home, ...words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.match(stderr, sentence);
    assert.match(stderr, /^ostler config: .*\n$/);
  }
  assert.ok(!fs.existsSync(configOf(home)));
});

test('config: the hash of a password is never shown', async t => {
  const home = makeHome(t);
  writeConfig(home, { passwordHash: HASH });
  for (const words of [['list'], ['list', '--json'], ['get', 'passwordHash'], ['get', '--json', 'passwordHash']]) {
    const { stdout, stderr } = await config(home, ...words);
    assert.ok(!(stdout + stderr).includes(HASH.slice(0, 8)), words.join(' '));
  }
  assert.match((await config(home, 'list')).stdout, /^passwordHash +set +file/m);
});

test('a broken file keeps everything from starting, with its place, and is never written', async t => {
  const home = makeHome(t);
  const broken = '{\n  "port": 4000,\n}\n';
  writeConfig(home, broken);
  for (const args of [['serve', '--no-open', '--port', '0'], ['serve', '--setup'], ['setup', '--yes'], ['config', 'list'],
    ['config', 'set', 'port', '1'], ['config', 'unset', 'port']]) {
    const { code, stderr } = await ostler(home, args);
    assert.notEqual(code, 0, args.join(' '));
    assert.match(stderr, new RegExp(`${configOf(home)}: line 3, column 1: `), args.join(' '));
    assert.equal(fs.readFileSync(configOf(home), 'utf8'), broken);
  }
  writeConfig(home, '{"debug": "yes"}');
  const { code, stderr } = await ostler(home, ['serve', '--no-open']);
  assert.equal(code, 1);
  assert.match(stderr, /config\.json: line 1, column 11: debug takes true or false, not "yes"/);
});

/** Starts `ostler serve` without --port, and answers where it listens. */
async function portOf(t, home, { args = [], env = {} } = {}) {
  const daemon = new Daemon(home, { args, env, ownPort: true });
  cleanup(t, () => daemon.stop());
  await daemon.start();
  const { port } = daemon;
  await daemon.stop();
  return { port, log: daemon.log };
}

test('the port: the option, then PORT, then the file', async t => {
  const home = makeHome(t);
  const [inFile, inEnv, inOption] = [await freePort(), await freePort(), await freePort()];
  writeConfig(home, { port: inFile });
  assert.equal((await portOf(t, home)).port, inFile);
  assert.equal((await portOf(t, home, { env: { PORT: '' } })).port, inFile);
  assert.equal((await portOf(t, home, { env: { PORT: String(inEnv) } })).port, inEnv);
  assert.equal((await portOf(t, home, { env: { PORT: String(inEnv) }, args: ['--port', String(inOption)] })).port, inOption);
});

test('the file decides on debug, terminals, the interval of looks and how long things stay', async t => {
  const home = makeHome(t);
  writeConfig(home, { debug: true, maxTerminals: 1, processCheckInterval: 250, sessionHistoryHours: 36 });
  const daemon = await startDaemon(t, { home });
  await daemon.says(/^\[[^\]]+\] \[serve\] DEBUG processes are looked at every 250 ms; ended sessions stay for 36 h/m);
  assert.doesNotMatch(daemon.log, /ostler setup/); // that is for those who have no file
  await makeTerminal(daemon, { command: 'cat' });
  await assert.rejects(makeTerminal(daemon, { command: 'cat' }), /max 1/);
});

test('log lines are [time] [tag] message; debug only if wanted', async t => {
  const daemon = await startDaemon(t);
  await daemon.stop();
  for (const line of daemon.log.trimEnd().split('\n')) assert.match(line, /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] \[\w+\] \S/);
  assert.doesNotMatch(daemon.log, /DEBUG|\x1b/);
});

test('what has ended long ago leaves the board, with what was kept of its terminal; the rest stays', async t => {
  const home = makeHome(t);
  writeConfig(home, { sessionHistoryHours: 2 });
  const daemon = await startDaemon(t, { home });
  const first = await Board.connect(t, daemon);
  const [old, young] = [await makeTerminal(daemon, { argv: ['true'] }), await makeTerminal(daemon, { argv: ['true'] })];
  for (const { sessionId } of [old, young]) await first.session(sessionId, s => s.status === 'ended' && s.isHistorical);
  while (keepers(home).length) await daemon.get('/api/health'); // a keeper that is still there would tell the next daemon of its program's end
  await daemon.stop();
  const kept = () => fs.readdirSync(path.join(home, 'terminals')).filter(name => name.includes(old.terminalId));
  assert.notDeepEqual(kept(), []);
  change(home, `UPDATE sessions SET ended_at = ended_at - 3 * 3600000 WHERE last_terminal_id = '${old.terminalId}'`);

  await daemon.start();
  const board = await Board.connect(t, daemon);
  await board.until(() => !board.find(old.sessionId));
  assert.equal((await board.session(young.sessionId)).status, 'ended');
  await daemon.stop();
  assert.deepEqual(kept(), []);
});
