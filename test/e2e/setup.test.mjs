// The set-up wizard, typed by hand in a real terminal, and without one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD, environment, makeHome, ostler, OSTLER, startDaemon } from './lib/daemon.mjs';
import { installClaude } from './lib/settings.mjs';
import { Person } from './lib/tmux.mjs';

const configOf = home => path.join(home, 'config/config.json');
const readConfig = home => JSON.parse(fs.readFileSync(configOf(home), 'utf8'));
const CTRL_C = '\x03', CTRL_D = '\x04';

function verifies(password, stored) {
  const [salt, hash] = stored.split(':');
  return crypto.scryptSync(password, salt, 64).toString('hex') === hash;
}

async function sitDown(t, options = {}) {
  const home = makeHome(t);
  for (const dir of ['.claude', '.codex']) fs.mkdirSync(path.join(home, dir));
  return { home, person: await Person.sitDown(t, home, options) };
}

const lines = new WeakMap(); // how many there were when a person answered last

/** Waits for the next question. What is typed before one that wants a password is thrown away, so it has to be a new one. */
async function asked(person, prompt) {
  const text = await person.until(async () => {
    const said = (await person.history()).trimEnd();
    return new RegExp(`${prompt}$`).test(said) && said.split('\n').length > (lines.get(person) ?? 0) && said;
  }, `the prompt ${prompt}`);
  lines.set(person, text.split('\n').length);
}

/** Answers questions: each is waited for before it is answered. */
async function answers(person, ...pairs) {
  for (const [prompt, answer] of pairs) {
    await asked(person, prompt);
    await person.type(`${answer}\r`);
  }
}

/** Types a command at the shell, on an empty screen. */
async function starts(person, command) {
  await person.starts(command);
  lines.delete(person);
}

const DEFAULTS = [['Port \\[\\d+\\]:', ''], ['none \\[[\\d ]+\\]:', ''], ['Number \\[\\d\\]:', ''], ['Number \\[\\d\\]:', ''],
  ['Number \\[\\d\\]:', ''], ['Number \\[1\\]:', '']];

test('the whole wizard by hand, at 40 columns', async t => {
  const { home, person } = await sitDown(t, { cols: 40, rows: 50 });
  await starts(person, `PATH=${BUILD} ostler setup; echo "status $?"`); // nothing but its directories tells that a CLI is there
  await answers(person, ['Port \\[3333\\]:', 'seventy'], ['Port \\[3333\\]:', '70000'], ['Port \\[3333\\]:', '4321']);
  await person.sees(/A port is a number from 1 to 65535\./);
  await person.sees(/1 \[x\] Claude Code\n/); // its directory is there
  await person.sees(/\[ \] Gemini CLI \(not found here\)/);
  await answers(person, ['none \\[1 3\\]:', '3 2'], ['Number \\[2\\]:', 'b'], ['none \\[2 3\\]:', 'claude'], ['Number \\[2\\]:', '1'],
    ['Number \\[1\\]:', '2'], ['Number \\[5\\]:', '4'], ['Number \\[1\\]:', '2'],
    ['New password:', 'abc'], ['New password:', 'correct horse'], ['The same again:', 'wrong horse'],
    ['New password:', 'correct horse'], ['The same again:', 'correct horse']);
  await person.sees(/1 Port +4321\n +2 Agents +Claude Code\n +3 Density +high, \d+ events\n +4 Debug +on\n +5 History +7 days\n +6 Password +a new one\n/);
  assert.ok(!fs.existsSync(configOf(home)), 'nothing is written before it is confirmed');
  await answers(person, ['number \\[y\\]:', '5'], ['Number \\[4\\]:', '3'], ['number \\[y\\]:', '']);
  await person.sees(/Saved in[\s\S]*status 0/);
  const { passwordHash, ...rest } = readConfig(home);
  assert.deepEqual(rest, { port: 4321, enabledClis: ['claude'], hookDensity: 'high', debug: true, sessionHistoryHours: 48 });
  assert.ok(verifies('correct horse', passwordHash));
  assert.equal(fs.statSync(configOf(home)).mode & 0o777, 0o600);

  const said = await person.history();
  assert.doesNotMatch(said, /horse/);
  assert.match(said, /New password: \*{13}\n/);
});

test('run again it shows what is set; the password can stay or go', async t => {
  const { home, person } = await sitDown(t);
  const hash = `${'ab'.repeat(16)}:${'cd'.repeat(64)}`;
  fs.mkdirSync(path.dirname(configOf(home)));
  const mine = '{\n\t"mine": [1], // keep\n\t"port": 5555,\n\t"sessionHistoryHours": 100,\n\t"enabledClis": ["gemini"],\n\t"processCheckInterval": 500,\n' +
    `\t"passwordHash": "${hash}"\n}\n`;
  fs.writeFileSync(configOf(home), mine);
  await starts(person, 'ostler setup');
  await answers(person, ['Port \\[5555\\]:', ''], ['none \\[2\\]:', ''], ['Number \\[2\\]:', ''], ['Number \\[1\\]:', ''],
    ['Number \\[6\\]:', ''], ['Number \\[1\\]:', ''], ['number \\[y\\]:', '']);
  await person.sees(/Saved in/);
  assert.equal(fs.readFileSync(configOf(home), 'utf8'),
    mine.replace(`${hash}"\n`, `${hash}",\n\t"hookDensity": "medium",\n\t"debug": false\n`));

  await starts(person, 'ostler setup');
  await answers(person, ...DEFAULTS.slice(0, 5), ['Number \\[1\\]:', '3']);
  await person.sees(/6 Password +none/);
  await answers(person, ['number \\[y\\]:', 'y']);
  await person.sees(/Saved in/);
  const text = fs.readFileSync(configOf(home), 'utf8');
  assert.doesNotMatch(text, /passwordHash/);
  assert.match(text, /"mine": \[1\], \/\/ keep\n/);
});

test('leaving changes nothing and says so: Ctrl-C, Ctrl-D, q, n, and Ctrl-C at the password', async t => {
  const { home, person } = await sitDown(t);
  const ways = [
    [[], CTRL_C], [DEFAULTS.slice(0, 3), CTRL_C], [DEFAULTS.slice(0, 1), CTRL_D], [DEFAULTS.slice(0, 2), 'q\r'], [DEFAULTS, 'n\r'], [DEFAULTS, CTRL_C],
    [[...DEFAULTS.slice(0, 5), ['Number \\[1\\]:', '2'], ['New password:', 'correct horse']], CTRL_C],
  ];
  for (const [before, key] of ways) {
    await starts(person, 'ostler setup; echo "status $?"');
    await answers(person, ...before);
    await asked(person, ':');
    await person.type(key);
    await person.sees(/Nothing was changed\.\n+status 130/);
    assert.ok(!fs.existsSync(configOf(home)));
    assert.equal((await person.runs('stty -a | grep -q " icanon" && stty -a | grep -q " echo "')).status, 0); // the terminal is as it was
  }
});

test('a dumb terminal gets no escapes, and NO_COLOR no colours', async t => {
  const { home, person } = await sitDown(t);
  for (const [env, coloured] of [['TERM=dumb', false], ['NO_COLOR=1', false], ['TERM=xterm-256color', true]]) {
    await starts(person, `${env} script -qec "ostler setup" said`);
    await answers(person, ...DEFAULTS, ['number \\[y\\]:', 'n']);
    await person.sees(/Nothing was changed/);
    await person.sees(/^>$/m);
    assert.equal(fs.readFileSync(path.join(home, 'said'), 'latin1').includes('\x1b['), coloured, env);
  }
});

test('a busy port is told, with who has it', async t => {
  const { home, person } = await sitDown(t);
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup(t, () => server.close());
  const { port } = server.address();
  await starts(person, 'ostler setup');
  await answers(person, ['Port \\[3333\\]:', String(port)]);
  await person.sees(new RegExp(`Port ${port} is taken by \\w+ \\(pid ${process.pid}\\)`));
  await answers(person, [`Port \\[${port}\\]:`, ''], ...DEFAULTS.slice(1), ['number \\[y\\]:', 'y']);
  await person.sees(/Saved in/);
  assert.equal(readConfig(home).port, port);
});

test('--yes, and no terminal, take what is set or proposed', async t => {
  for (const args of [['setup', '--yes'], ['setup']]) {
    const home = makeHome(t);
    fs.mkdirSync(path.join(home, '.codex'));
    const first = await ostler(home, args, { input: 'what\nis\nthis\n', env: { PATH: '/nowhere' } });
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /2 Agents +Codex CLI\n[\s\S]*Saved in/);
    assert.deepEqual(readConfig(home), { port: 3333, enabledClis: ['codex'], hookDensity: 'medium', debug: false, sessionHistoryHours: 0 });
    assert.equal((await ostler(home, ['config', 'set', 'port', '4444'])).code, 0);
    assert.equal((await ostler(home, args)).code, 0);
    assert.equal(readConfig(home).port, 4444);
  }
});

test('the first start at a terminal asks; the second, one with --no-setup, and one without a terminal do not', async t => {
  const { home, person } = await sitDown(t, { cols: 160, rows: 60 });
  await starts(person, 'ostler serve --no-open --port 0');
  await person.sees(/1\/6 /);
  await person.type(CTRL_C);
  await person.sees(/Nothing was changed\./);
  assert.ok(!fs.existsSync(path.join(home, 'run/daemon.json')), 'it has not started');

  await starts(person, 'ostler serve --no-open --port 0 --no-setup');
  await person.sees(/watches on[\s\S]*nothing is set up yet/);
  await person.type(CTRL_C);
  assert.ok(!fs.existsSync(configOf(home)));

  await starts(person, 'ostler serve --no-open --port 0');
  await answers(person, ...DEFAULTS, ['number \\[y\\]:', '']);
  await person.sees(/Saved in[\s\S]*watches on/);
  await person.type(CTRL_C);
  assert.equal(readConfig(home).port, 3333);

  await starts(person, 'ostler serve --no-open --port 0');
  await person.sees(/watches on/);
  await person.type(CTRL_C);

  await starts(person, 'ostler serve --no-open --port 0 --setup');
  await person.sees(/1\/6 /);
  await person.type(CTRL_C);
  await person.sees(/Nothing was changed\./);

  const other = await startDaemon(t);
  await other.says(/nothing is set up yet, the defaults hold: ostler setup asks/);
  assert.ok(!fs.existsSync(configOf(other.home)));
});

test('--setup without a terminal does not ask either', async t => {
  const home = makeHome(t);
  const child = spawn(OSTLER, ['serve', '--setup', '--no-open', '--port', '0'], { env: environment(home), stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  cleanup(t, async () => {
    child.kill();
    assert.deepEqual(await exited, [0, null]);
  });
  let log = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    log += chunk;
    if (/watches on/.test(log)) break;
  }
  assert.equal(readConfig(home).port, 3333);
});

test('those that are chosen get hooks, the others lose theirs, and what cannot be changed is told', async t => {
  const home = makeHome(t);
  const claude = path.join(home, '.claude/settings.json'), codex = path.join(home, '.codex/config.toml');
  const text = '{\n  "model": "opus"\n}\n';
  fs.mkdirSync(path.dirname(claude));
  fs.mkdirSync(path.dirname(codex));
  fs.writeFileSync(claude, text);
  installClaude(home);
  const setup = () => ostler(home, ['setup', '--yes'], { env: { PATH: '/nowhere' } });

  const first = await setup();
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^Claude Code: \d+ events \(medium\) registered in ~\/\.claude\/settings\.json\.$/m);
  assert.match(first.stdout, /^Codex CLI: \d+ events \(medium\) registered in ~\/\.codex\/config\.toml\.$/m);
  assert.doesNotMatch(first.stdout, /^Gemini CLI: /m);
  assert.equal(Object.keys(JSON.parse(fs.readFileSync(claude, 'utf8')).hooks).length,
    Number(/3 Density +medium, (\d+) events/.exec(first.stdout)[1]));
  assert.match(fs.readFileSync(codex, 'utf8'), /ostler-hook/);

  assert.doesNotMatch((await setup()).stdout, /^Claude Code: /m); // nothing to do
  await ostler(home, ['config', 'set', 'enabledClis', 'codex']);
  assert.match((await setup()).stdout, /^Claude Code: the hooks are taken out of ~\/\.claude\/settings\.json\.$/m);
  assert.equal(fs.readFileSync(claude, 'utf8'), text);

  fs.writeFileSync(claude, '{"model": }');
  await ostler(home, ['config', 'set', 'enabledClis', 'claude']);
  const broken = await setup();
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /^ostler setup: Claude Code: nothing was changed: .*line 1, column 11/m);
  assert.match(broken.stdout, /^Codex CLI: the hooks are taken out/m);
  assert.equal(fs.readFileSync(claude, 'utf8'), '{"model": }');
});
