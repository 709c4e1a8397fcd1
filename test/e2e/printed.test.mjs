// Every command, at a real terminal, on a machine where every name and every text means harm: nothing but plain text comes out.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { atTerminal, checkShown, HOSTILE, HOSTILE_NAME } from './lib/shown.mjs';

const COMMANDS = {
  attach: [['attach', HOSTILE]],
  kill: [['kill', HOSTILE], ['kill', '--json', HOSTILE]],
  logs: [['logs'], ['logs', '-n', '5'], ['logs', HOSTILE], ['logs', '--raw'], ['logs', '--daemon']],
  inbox: [['inbox', '--once'], ['inbox', '--all'], ['inbox', '--json', '--all'], ['inbox', `--${HOSTILE}`]],
  approve: [['approve', HOSTILE], ['approve', '--json', HOSTILE], ['approve', '--answer', HOSTILE], ['approve', '--input', HOSTILE]],
  deny: [['deny', HOSTILE], ['deny', '--message', HOSTILE], ['deny', '--json']],
  away: [['away'], ['away', 'status', '--json'], ['away', HOSTILE]],
  ls: [['ls'], ['ls', '--all'], ['ls', '--json'], ['ls', `--${HOSTILE}`]],
  run: [['run', '--json', '--name', HOSTILE, '--', 'printf', HOSTILE], ['run', '--cwd', HOSTILE, '--', 'true'], ['run', '--', HOSTILE]],
  open: [['open', '--print']],
  restart: [['restart', HOSTILE]],
  serve: [['serve', '--port', HOSTILE], ['serve', '--host', HOSTILE], ['serve', '--tls-cert', HOSTILE, '--tls-key', HOSTILE]],
  status: [['status'], ['status', '--json']],
  stop: [['stop', HOSTILE]],
  config: [['config', 'list'], ['config', 'list', '--json'], ['config', 'get', HOSTILE], ['config', 'set', HOSTILE, HOSTILE],
    ['config', 'path'], ['config', HOSTILE]],
  doctor: [['doctor'], ['doctor', '--json']],
  hooks: [['hooks', 'status'], ['hooks', 'doctor'], ['hooks', 'doctor', '--json'], ['hooks', 'install', '--dry-run'], ['hooks', '--cli', HOSTILE]],
  password: [['password', 'status'], ['password', HOSTILE]],
  reset: [['reset', HOSTILE]],
  service: [['service', 'status'], ['service', 'print', '--program', `/opt/${HOSTILE_NAME}`], ['service', HOSTILE]],
  setup: [['setup', HOSTILE]],
  backup: [['backup', `/tmp/none-${HOSTILE_NAME}/b`], ['backup', `--${HOSTILE}`]],
  restore: [['restore', HOSTILE_NAME], ['restore', `--${HOSTILE}`]],
  logins: [['logins'], ['logins', 'ls', '--json'], ['logins', HOSTILE], ['logins', 'revoke', HOSTILE]],
  archive: [['archive', 'status'], ['archive', 'on'], ['archive', 'keep'], ['archive', 'ls'], ['archive', 'ls', '--json'], ['archive', 'restore', HOSTILE]],
  pair: [['pair', HOSTILE], ['pair', `--${HOSTILE}`]],
  repair: [['repair', 'scan', HOSTILE], ['repair', 'all', '--dry-run', '--verbose'], ['repair', 'all', '--json'], ['repair', 'undo', HOSTILE]],
  completion: [['completion', HOSTILE]],
  demo: [['demo', '--agents', HOSTILE]],
  help: [['help'], ['help', HOSTILE], ['help', 'ls']],
  version: [['version'], ['version', '--json']],
};

/** A terminal, in a place with a bad name, whose program prints the text and stays; answers its id when the text is on its screen. */
async function host(daemon, home, text) {
  const workingDir = path.join(path.dirname(home), 'p\u202e\u009b6n\u200b\x1b');
  const file = path.join(path.dirname(home), 'text');
  fs.mkdirSync(workingDir, { recursive: true });
  fs.writeFileSync(file, `${text}\r\nPRINTED\r\n`);
  const { stdout, stderr } = await ostler(home, ['run', '--detach', '--json', '--cwd', workingDir, '--', 'tail', '-f', file]);
  assert.equal(stderr, '');
  const { terminalId } = JSON.parse(stdout);
  for (;;) {
    const { lines } = await daemon.get(`/api/terminals/${terminalId}/screen`);
    if (lines.some(line => line.includes('PRINTED'))) return terminalId;
  }
}

/** A home with a bad name, an agent with bad words, files with bad names, a terminal with all of that. */
async function stage(t) {
  const home = path.join(makeHome(t), 'h\u202eo\x1b[95mme');
  const project = path.join(home, HOSTILE_NAME), transcripts = path.join(home, '.claude/projects', HOSTILE_NAME);
  for (const dir of [project, transcripts]) fs.mkdirSync(dir, { recursive: true });
  const lines = [{ uuid: 'a', parentUuid: null }, { uuid: 'b', parentUuid: 'gone' }].map(ids =>
    JSON.stringify({ ...ids, type: 'user', sessionId: HOSTILE_NAME, message: { role: 'user', content: HOSTILE } }));
  fs.writeFileSync(path.join(transcripts, `${HOSTILE_NAME}.jsonl`), `${lines.join('\n')}\n`);
  fs.writeFileSync(Buffer.concat([Buffer.from(`${transcripts}/`), Buffer.from([0x9b, 0x36, 0x6e, 0xff]), Buffer.from('.jsonl')]), '{}\n');
  fs.writeFileSync(path.join(home, '.claude/settings.json'),
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `/x/${HOSTILE}/ostler-hook` }] }] }, [HOSTILE]: HOSTILE }));
  const daemon = await startDaemon(t, { home, args: ['--debug'] });
  const agent = new Agent({ id: `a-${HOSTILE_NAME}`, cwd: project });
  await runHooks(home, [agent.start(), agent.prompt(HOSTILE), agent.pre('Bash', { command: HOSTILE, description: HOSTILE }),
    agent.permission(HOSTILE, { command: HOSTILE })], { env: { TERM_PROGRAM: HOSTILE_NAME } });
  await daemon.post({ ...agent.start(), session_id: 'plain', cwd: project });
  await daemon.post({ hook_event_name: HOSTILE, session_id: 'plain' });
  const titled = await daemon.fetch('/api/sessions/plain/title', {
    method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title: HOSTILE.replace('\0', '') }) });
  assert.ok([200, 400].includes(titled.status));
  const terminal = await host(daemon, home, HOSTILE.replace('\0', ''));
  return { daemon, home, terminal };
}

test('every command prints plain text, whatever it has to tell of', async t => {
  const { daemon, home, terminal } = await stage(t);
  const known = (await ostler(home, ['help'])).stdout.match(/^ {2}[a-z]+/gm).map(name => name.trim());
  assert.deepEqual(Object.keys(COMMANDS).sort(), known.sort(), 'every command is looked at here');
  for (const invocations of Object.values(COMMANDS))
    for (const args of invocations) {
      const what = `ostler ${args.map(word => (word.includes('owned') ? '…' : word)).join(' ')}`;
      const { bytes } = await atTerminal(home, args);
      if (!args.includes('--raw')) checkShown(bytes, what, { lines: args[0] === 'logs' });
    }
  checkShown((await atTerminal(home, ['logs', terminal])).bytes, 'a terminal with bad output', { lines: true });
  // bytes that are no text at all
  checkShown((await atTerminal(home, ['logs', { shell: "$'\\x9b6n\\xff'" }])).bytes, 'an argument that is no UTF-8');
  checkShown((await atTerminal(home, ['ls'])).bytes, 'ls');
  for (const line of daemon.log.split('\n')) assert.match(line, /^$|^\[\d{4}-\d\d-\d\dT|^[ -~\u00a0-\uffff]*$/, 'a log line of somebody else');
  checkShown(Buffer.from(daemon.log), 'the log');
});

test('JSON says the same at a terminal as anywhere', async t => {
  const { daemon, home } = await stage(t);
  const { bytes } = await atTerminal(home, ['ls', '--json']);
  checkShown(bytes, 'ls --json');
  const here = JSON.parse(bytes.toString()), there = await daemon.get('/api/sessions');
  for (const [id, session] of Object.entries(there)) {
    assert.equal(here[id].title, session.title);
    assert.equal(here[id].projectPath, session.projectPath);
  }
  assert.ok(Object.values(here).some(session => session.currentPrompt?.includes('\u202e')), 'nothing is lost in it');
});

test('raw logs at a terminal pass the same filter as an attached one, and leave it in order', async t => {
  const { home, daemon } = await stage(t);
  const terminalId = await host(daemon, home, 'A\x1b]52;c;eA==\x07\x1b[6n\x1b]0;owned\x07\x1b[?1000h\x1b[31m');
  let seen; // the journal is behind the screen
  do seen = (await atTerminal(home, ['logs', '--raw', terminalId])).bytes.toString(); while (!seen.includes('PRINTED'));
  assert.ok(!seen.includes('52;c') && !seen.includes('\x1b[6n') && !seen.includes('owned'), JSON.stringify(seen));
  assert.ok(seen.indexOf('\x1b[?1000l') > seen.indexOf('\x1b[?1000h'), 'the mouse is as it was');
  const piped = await ostler(home, ['logs', '--raw', terminalId]);
  assert.ok(piped.stdout.includes('\x1b[6n'), 'elsewhere they are the bytes as they were printed');
});

test('--debug tells what agents report, a line each, masked, escaped and cut', async t => {
  const daemon = await startDaemon(t, { args: ['--debug'] }), agent = new Agent();
  const secret = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`;
  await runHooks(daemon.home, [agent.start(), agent.prompt(`token ${secret} \u202e\u009b6n`), agent.prompt('y'.repeat(100_000))]);
  await daemon.says(/\[payload\].*100\d\d\d bytes: .*yyy…/);
  assert.match(daemon.log, /\[payload\] .*DEBUG.* record at \d+, \d+ bytes: .*"UserPromptSubmit".*token .*\\u202e\\u009b6n/);
  assert.ok(!daemon.log.includes(secret), 'a secret is masked');
  for (const line of daemon.log.split('\n')) assert.ok(Buffer.byteLength(line) <= 2048, 'no line is long');
  checkShown(Buffer.from(daemon.log), 'the log');

  const quiet = await startDaemon(t);
  await runHooks(quiet.home, [agent.start()]);
  assert.doesNotMatch(quiet.log, /\[payload\]/);
});
