// The hook installer: settings of real people, before and after, and what happens in between.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { BUILD, environment, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { commandsOf, FILES, installClaude, play, readJson, readToml, TEXTS } from './lib/settings.mjs';

const TURN_END = { claude: 'Stop', gemini: 'AfterAgent', codex: 'Stop', copilot: 'Stop' };

function write(home, cli, text) {
  const file = path.join(home, FILES[cli]);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

async function hooks(home, ...args) {
  return ostler(home, ['hooks', ...args]);
}

async function well(home, ...args) {
  const result = await hooks(home, ...args);
  assert.equal(result.code, 0, result.stderr + result.stdout);
  return result.stdout;
}

const spooled = home => fs.readFileSync(path.join(home, 'spool/active'), 'utf8');

for (const [cli, texts] of Object.entries(TEXTS)) {
  test(`${cli}: what is installed runs, and leaves the first bytes behind`, async t => {
    for (const [what, text] of texts) {
      const home = makeHome(t);
      const file = write(home, cli, text);
      fs.chmodSync(file, 0o640);
      await well(home, 'install', '--cli', cli);
      const once = fs.readFileSync(file);
      await well(home, 'install', '--cli', cli);
      assert.deepEqual(fs.readFileSync(file), once, `${what}: twice is once`);
      assert.equal(fs.statSync(file).mode & 0o777, 0o640);

      const ran = play(home, cli, TURN_END[cli], { session_id: `s-${cli}` });
      const ours = ran.filter(({ command }) => command.includes('ostler-hook'));
      assert.deepEqual(ours.map(({ status, said }) => [status, said]), [[0, '']], what);
      assert.match(spooled(home), new RegExp(`"cli":"${cli}".*"session_id":"s-${cli}"`), what);
      if (text.includes('other"') && text.includes('touch'))
        assert.ok(fs.existsSync(path.join(home, 'other')), `${what}: the other tool still runs`);

      await well(home, 'uninstall', '--cli', cli);
      assert.equal(fs.readFileSync(file, 'utf8'), text, what);
      const backups = fs.readdirSync(path.join(home, 'backups'));
      assert.equal(backups.length, 1);
      assert.equal(fs.readFileSync(path.join(home, 'backups', backups[0]), 'utf8'), text);
    }
  });
}

test('where nothing was, nothing is left', async t => {
  const home = makeHome(t);
  for (const cli of Object.keys(FILES)) await well(home, 'install', '--cli', cli);
  for (const file of Object.values(FILES)) assert.ok(fs.existsSync(path.join(home, file)), file);
  await well(home, 'uninstall');
  for (const file of Object.values(FILES)) assert.ok(!fs.existsSync(path.join(home, file.split('/')[0])), file);
});

test('densities have the events of the table, and change', async t => {
  const home = makeHome(t);
  installClaude(home);
  const count = { claude: [22, 16, 5], gemini: [7, 5, 3], codex: [12, 10, 5] };
  for (const [cli, numbers] of Object.entries(count)) {
    for (const [i, density] of ['high', 'medium', 'low'].entries()) {
      await well(home, 'install', '--cli', cli, '--density', density);
      const file = path.join(home, FILES[cli]);
      const { hooks: { state, ...events } } = cli === 'codex' ? readToml(file) : readJson(file);
      assert.equal(Object.keys(events).length, numbers[i], `${cli} ${density}`);
      if (state) assert.equal(Object.keys(state).length, numbers[i]);
    }
  }
  assert.match(await well(home, 'install', '--cli', 'claude'), /nothing to change/); // the density stays
  assert.equal(commandsOf(home, 'claude', 'PreToolUse').length, 0);
});

test('a link stays a link, and what it points to is changed', async t => {
  const home = makeHome(t);
  const real = path.join(home, 'dotfiles/claude.json'), link = path.join(home, FILES.claude);
  fs.mkdirSync(path.dirname(real));
  fs.mkdirSync(path.dirname(link));
  fs.writeFileSync(real, '{"a":1}');
  fs.symlinkSync('../dotfiles/claude.json', link);
  await well(home, 'install', '--cli', 'claude');
  assert.ok(fs.lstatSync(link).isSymbolicLink());
  assert.match(fs.readFileSync(real, 'utf8'), /ostler-hook/);
  await well(home, 'uninstall', '--cli', 'claude');
  assert.equal(fs.readFileSync(real, 'utf8'), '{"a":1}');
});

test('what cannot be changed is refused with a sentence, and stays as it is', async t => {
  const prepare = {
    'no JSON': [(home) => write(home, 'claude', '{\n  "a": 1,\n}'), /settings\.json, line 3, column 1: there is a comma/],
    'something else': [(home) => write(home, 'claude', 'not json at all'), /line 1, column 1: this is no value of JSON/],
    'a NUL': [(home) => write(home, 'claude', '{\0}'), /NUL/],
    'hooks that are none': [(home) => write(home, 'claude', '{"hooks": 3}'), /line 1, column 11: .*object is needed/],
    'read-only': [(home) => fs.chmodSync(write(home, 'claude', '{}'), 0o444), /read-only/],
    'huge': [(home) => write(home, 'claude', '{}' + ' '.repeat(9 << 20)), /too large/],
    'a directory': [(home) => fs.mkdirSync(path.join(home, FILES.claude), { recursive: true }), /is a directory/],
    'a link to nothing': [(home) => {
      fs.mkdirSync(path.join(home, '.claude'));
      fs.symlinkSync('/nowhere/at/all', path.join(home, FILES.claude));
    }, /link to something that is not there/],
    'a fifo': [(home) => {
      fs.mkdirSync(path.join(home, '.claude'));
      spawnSync('mkfifo', [path.join(home, FILES.claude)]);
    }, /not a regular file/],
  };
  for (const [what, [make, sentence]] of Object.entries(prepare)) {
    const home = makeHome(t);
    make(home);
    const file = path.join(home, FILES.claude), before = fs.lstatSync(file);
    const { code, stderr } = await hooks(home, 'install', '--cli', 'claude');
    assert.equal(code, 1, what);
    assert.match(stderr, sentence, what);
    const after = fs.lstatSync(file);
    assert.deepEqual([after.ino, after.size, after.mtimeMs, after.mode], [before.ino, before.size, before.mtimeMs, before.mode], what);
    assert.deepEqual(fs.readdirSync(path.dirname(file)), [path.basename(file)], what);
  }
});

test('another user\'s file is left alone', { skip: process.getuid() !== 0 && 'needs root to make one' }, async t => {
  const home = makeHome(t);
  const file = write(home, 'claude', '{}');
  spawnSync('chmod', ['-R', '777', home]);
  const { code, stderr } = await new Promise(done => {
    const child = spawn('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', path.join(BUILD, 'ostler'), 'hooks', 'install', '--cli', 'claude'],
      { env: environment(home, { ASAN_OPTIONS: 'detect_leaks=0' }) });
    let said = '';
    child.stderr.on('data', chunk => { said += chunk; });
    child.on('close', status => done({ code: status, stderr: said }));
  });
  assert.equal(code, 1, stderr);
  assert.match(stderr, /belongs to another user/);
  assert.equal(fs.readFileSync(file, 'utf8'), '{}');
});

test('without a home there is nothing to do', async t => {
  const home = makeHome(t);
  for (const env of [{ HOME: undefined }, { HOME: '' }, { HOME: 'relative' }]) {
    const { code, stderr } = await ostler(home, ['hooks', 'install'], { env });
    assert.equal(code, 1);
    assert.match(stderr, /no home directory/);
  }
});

test('who writes at the same moment is never lost', async t => {
  const home = makeHome(t);
  const file = write(home, 'claude', '{"n": 0}');
  const script = `const fs = require('node:fs');
    for (let n = 1; n <= 300; n++) { fs.writeFileSync(process.argv[1] + '.mine', JSON.stringify({ n })); fs.renameSync(process.argv[1] + '.mine', process.argv[1]); }`;
  const writer = spawn(process.execPath, ['-e', script, file]);
  const ended = once(writer, 'exit');
  let newest = 0;
  do {
    const { code, stderr } = await hooks(home, 'install', '--cli', 'claude');
    if (code !== 0) assert.match(stderr, /is being changed by somebody else/);
    const { n } = readJson(file);
    assert.ok(n >= newest, `${n} after ${newest}`);
    newest = n;
  } while (writer.exitCode === null);
  await ended;
  await well(home, 'install', '--cli', 'claude');
  assert.equal(readJson(file).n, 300);
  assert.match(fs.readFileSync(file, 'utf8'), /ostler-hook/);
  assert.deepEqual(fs.readdirSync(path.dirname(file)), ['settings.json']);
});

test('a dry run shows the lines and changes nothing', async t => {
  const home = makeHome(t);
  const file = write(home, 'claude', '{\n  "a": 1\n}\n');
  const shown = await well(home, 'install', '--cli', 'claude', '--dry-run', '--density', 'low');
  assert.match(shown, /^ +- +"a": 1$/m);
  assert.match(shown, /^ +\+ +"a": 1,$/m);
  assert.match(shown, /^ +\+ .*ostler-hook --cli claude/m);
  assert.equal(fs.readFileSync(file, 'utf8'), '{\n  "a": 1\n}\n');
  assert.ok(!fs.existsSync(path.join(home, 'hooks')));
});

test('the doctor finds what is in the way', async t => {
  const home = makeHome(t);
  write(home, 'claude', '{"disableAllHooks": true}');
  write(home, 'gemini', '{"hooksConfig": {"enabled": false, "disabled": ["ostler"]}}');
  write(home, 'codex', '[features]\nhooks = false\n');
  await hooks(home, 'install');
  const config = path.join(home, FILES.codex);
  fs.writeFileSync(config, fs.readFileSync(config, 'utf8').replace(/sha256:..../, 'sha256:0000'));
  fs.rmSync(path.join(home, 'bin/ostler-hook'));
  const { code, stdout } = await hooks(home, 'doctor', '--json');
  assert.equal(code, 1);
  const by = Object.fromEntries(stdout.trim().split('\n').map(line => JSON.parse(line)).map(one => [one.cli, one]));
  assert.match(by.claude.problems.join('\n'), /disableAllHooks/);
  assert.match(by.claude.problems.join('\n'), /ostler-hook, which is registered, is not there/);
  assert.equal(by.claude.hookMissing, true);
  assert.match(by.gemini.problems.join('\n'), /hooksConfig\.enabled[^]*hooksConfig\.disabled/);
  assert.match(by.codex.problems.join('\n'), /features\.hooks[^]*does not trust .*SessionStart/);
  assert.deepEqual(by.codex.untrusted, ['SessionStart']);
  assert.equal(by.opencode.installed, false);
  await hooks(home, 'install');
  const again = await hooks(home, 'doctor', '--json', '--cli', 'codex');
  assert.deepEqual(JSON.parse(again.stdout).untrusted, []);
});

test('a probe comes through every hook and leaves no card', async t => {
  const home = makeHome(t);
  for (const cli of Object.keys(FILES)) await well(home, 'install', '--cli', cli);
  const lonely = await hooks(home, 'doctor', '--test');
  assert.equal(lonely.code, 1);
  assert.match(lonely.stdout, /no probe could be sent: the daemon does not run/);
  const daemon = await startDaemon(t, { home });
  const told = await well(home, 'doctor', '--test');
  assert.equal(told.match(/probe +came through/g).length, 5, told);
  assert.deepEqual(await (await fetch(`${daemon.url}/api/sessions`)).json(), {});
  assert.equal((await (await fetch(`${daemon.url}/api/hook-stats`)).json()).refused, 0);

  fs.writeFileSync(path.join(home, 'bin/ostler-hook'), '#!/bin/sh\necho noise; exit 3\n');
  const broken = await hooks(home, 'doctor', '--test', '--cli', 'claude');
  assert.equal(broken.code, 1);
  assert.match(broken.stdout, /the probe failed: the hook ended with status 3: noise/);
});

test('over HTTP: status, install, uninstall', async t => {
  const home = makeHome(t);
  installClaude(home);
  const daemon = await startDaemon(t, { home });
  const call = async (method, what, body) => {
    const response = await fetch(`${daemon.url}/api/hooks/${what}`, { method, body: body && JSON.stringify(body) });
    return [response.status, await response.json()];
  };
  let [status, state] = await call('GET', 'status');
  assert.equal(status, 200);
  assert.deepEqual([state.installed, state.density, state.events], [false, null, []]);
  const { claude, gemini } = state.clis;
  assert.deepEqual([claude.program, claude.version, claude.installedFor], [path.join(home, '.local/bin/claude'), '2.1.325', null]);
  assert.deepEqual([gemini.version, gemini.install], [null, 'npm install -g @google/gemini-cli']);
  [status, state] = await call('POST', 'install', { density: 'low', clis: ['claude', 'codex'] });
  assert.equal(status, 200);
  assert.deepEqual([state.ok, state.installed, state.density], [true, true, 'low']);
  assert.deepEqual([state.clis.claude.installedFor, state.clis.claude.unknown], ['2.1.325', []]);
  assert.deepEqual(state.events, ['SessionStart', 'UserPromptSubmit', 'PermissionRequest', 'Stop', 'SessionEnd']);
  assert.deepEqual([state.clis.codex.installed, state.clis.codex.untrusted, state.clis.gemini.installed], [true, [], false]);

  const [ran] = play(home, 'claude', 'SessionStart', { session_id: 'from-a-hook' });
  assert.deepEqual([ran.status, ran.said], [0, '']);
  for (;;) {
    [, state] = await call('GET', 'status');
    if (state.clis.claude.lastEventAt) break;
  }
  assert.ok(Math.abs(state.clis.claude.lastEventAt - Date.now()) < 60_000);
  assert.equal(state.clis.codex.lastEventAt, null);

  for (const body of [{ density: 'loud' }, { clis: [] }, { clis: ['emacs'] }, { clis: 'claude' }, { density: 3 }]) {
    [status, state] = await call('POST', 'install', body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.ok(state.error);
  }
  write(home, 'gemini', '{broken');
  [status, state] = await call('POST', 'install', { clis: ['gemini'] });
  assert.equal(status, 409);
  assert.match(state.error, /settings\.json, line 1, column 2/);
  fs.rmSync(path.join(home, FILES.gemini));
  [status, state] = await call('POST', 'uninstall');
  assert.deepEqual([status, state.installed, state.clis.codex.installed], [200, false, false]);
  assert.ok(!fs.existsSync(path.join(home, FILES.claude)));
  assert.equal((await call('GET', 'install'))[0], 405);
});

test('opencode\'s plugin tells what happens', async t => {
  const home = makeHome(t);
  await well(home, 'install', '--cli', 'opencode', '--density', 'high');
  const module = path.join(home, 'plugin.mjs');
  fs.copyFileSync(path.join(home, FILES.opencode), module);
  const drive = steps => {
    const driver = `
      const { OstlerPlugin } = await import(${JSON.stringify(pathToFileURL(module).href)});
      const hooks = await OstlerPlugin({ directory: '/w' });
      const event = (type, properties) => hooks.event({ event: { type, properties } });
      ${steps}`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', driver], { env: environment(home), encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  drive(`
    await event('session.created', { info: { id: 'ses_1', directory: '/w/x' } });
    await event('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } });
    await hooks['chat.message']({ sessionID: 'ses_1', model: { modelID: 'm' } }, { parts: [{ type: 'text', text: 'do it' }, { type: 'file' }] });
    await hooks['tool.execute.before']({ tool: 'bash', sessionID: 'ses_1', callID: 'c' }, { args: { command: 'ls' } });
    await hooks['tool.execute.before']({ tool: 'bash', sessionID: 'ses_2', callID: 'c' }, { args: {} });
    await event('permission.asked', { id: 'per_1', sessionID: 'ses_1', permission: 'bash', metadata: { command: 'rm x' }, tool: { callID: 'c' } });
    await event('permission.replied', { sessionID: 'ses_1', requestID: 'per_1', reply: 'once' });
    await hooks['tool.execute.after']({ tool: 'bash', sessionID: 'ses_1', callID: 'c' }, { output: '', metadata: { exit: 0 } });
    await hooks['tool.execute.before']({ tool: 'bash', sessionID: 'ses_1', callID: 'd' }, { args: { command: 'false' } });
    await hooks['tool.execute.after']({ tool: 'bash', sessionID: 'ses_1', callID: 'd' }, { output: '', metadata: { exit: 3 } });
    await event('permission.asked', { id: 'per_2', sessionID: 'ses_2', permission: 'bash', metadata: { command: 'rm y' } });
    await event('question.asked', { id: 'que_1', sessionID: 'ses_1', questions: [{ question: 'Which?' }] });
    await event('question.rejected', { sessionID: 'ses_1', requestID: 'que_1' });
    // Trouble that lasts is told once, and that it is over.
    for (const attempt of [1, 2, 3, 4])
      await event('session.status', { sessionID: 'ses_1', status: { type: 'retry', attempt, message: 'slow down', next: 1 } });
    await event('message.part.updated', { part: { type: 'step-start', sessionID: 'ses_1' } });
    await event('message.part.updated', { part: { type: 'text', text: 'Well', sessionID: 'ses_1' } });
    await event('message.part.updated', { part: { type: 'text', text: 'Well then', sessionID: 'ses_1' } });
    await event('session.status', { sessionID: 'ses_2', status: { type: 'retry', attempt: 1, message: 'tomorrow', next: Date.now() + 3_600_000 } });
    await event('session.status', { sessionID: 'ses_1', status: { type: 'busy' } });
    await event('session.error', { sessionID: 'ses_1', error: { name: 'APIError', data: { message: 'no' } } });
    await event('session.idle', { sessionID: 'ses_1' });
    await event('session.idle', { sessionID: 'ses_1' });
    await hooks['chat.message']({ sessionID: 'ses_1', model: { modelID: 'm' } }, { parts: [{ type: 'text', text: 'again' }] });
    await event('session.error', { sessionID: 'ses_1', error: { name: 'MessageAbortedError' } });
    await hooks['tool.execute.after']({ tool: 'bash', sessionID: 'ses_1', callID: 'e' }, { metadata: { exit: null } });
    await event('session.idle', { sessionID: 'ses_1' });
    await hooks['chat.message']({ sessionID: 'ses_1' }, {});
    await event('session.idle', { sessionID: 'ses_1' });
    // Nothing that it is given makes it fail.
    for (const odd of [null, undefined, 3, {}, { event: null }, { event: { type: 'session.created', properties: null } }]) await hooks.event(odd);
    await hooks['chat.message'](null, null);
    await hooks['chat.message']({ sessionID: 'ses_1' }, { parts: [null] });
    await hooks['tool.execute.before'](undefined);
    await hooks['tool.execute.after']({ sessionID: 'ses_2' });
    const circle = {};
    circle.self = circle;
    await hooks['tool.execute.before']({ tool: 'odd', sessionID: 'ses_2' }, { args: circle });
    await event('lsp.updated');`);
  const told = spooled(home).split('\n').filter(Boolean).map(line => JSON.parse(line));
  assert.ok(told.every(record => record.ostler.cli === 'opencode' && record.payload.session_id === 'ses_1'));
  assert.deepEqual(told.map(record => record.payload.hook_event_name),
    ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PermissionReplied', 'PostToolUse', 'PreToolUse', 'PostToolUseFailure',
      'PermissionRequest', 'PermissionRequest', 'PermissionReplied', 'Notification', 'Notification', 'Notification', 'StopFailure',
      'UserPromptSubmit', 'Interrupt', 'UserPromptSubmit', 'Stop']);
  assert.deepEqual(told.filter(({ payload }) => payload.hook_event_name === 'Notification').map(({ payload }) => [payload.notification_type, payload.message, payload.agent_id]),
    [['retry', 'It tries again by itself: slow down', undefined], ['retry_over', 'The model answers again', undefined], ['retry', 'It tries again by itself: tomorrow', 'ses_2']]);
  const fields = (i, ...names) => names.map(name => told[i].payload[name]);
  assert.deepEqual(fields(3, 'request_id', 'tool_use_id', 'tool_name'), ['per_1', 'c', 'bash']);
  assert.deepEqual(fields(4, 'request_id', 'reply'), ['per_1', 'once']);
  assert.deepEqual(fields(7, 'tool_use_id', 'error'), ['d', 'Exit code 3']);
  assert.deepEqual(fields(8, 'request_id', 'agent_id'), ['per_2', 'ses_2']); // somebody has to answer that, too
  assert.deepEqual(fields(9, 'request_id', 'tool_name', 'tool_input'), ['que_1', 'question', { questions: [{ question: 'Which?' }] }]);
  assert.deepEqual(fields(10, 'request_id', 'reply'), ['que_1', 'reject']);
  assert.deepEqual([told[0].payload.cwd, told[1].payload.prompt, told[2].payload.tool_input.command], ['/w/x', 'do it', 'ls']);

  const daemon = await startDaemon(t, { home });
  const until = async wanted => {
    for (;;) {
      const session = (await (await fetch(`${daemon.url}/api/sessions`)).json()).ses_1;
      if (session && wanted(session)) return session;
    }
  };
  const session = await until(({ events }) => events.some(({ type }) => type === 'Stop'));
  assert.deepEqual([session.cli, session.model, session.projectPath], ['opencode', 'm', '/w/x']);
  drive("await event('session.deleted', { info: { id: 'ses_1' } });");
  await until(({ status }) => status === 'ended');
});

/** Until a file holds something; the daemon works on it in the background. */
async function untilHolds(file, pattern) {
  for (;;) {
    if (pattern.test(fs.readFileSync(file, 'utf8'))) return;
    await new Promise(setImmediate);
  }
}

test('the daemon brings hooks up to date when it starts, and installs none uninvited', async t => {
  const home = makeHome(t);
  const claude = write(home, 'claude', '{}'), gemini = write(home, 'gemini', '{}');
  installClaude(home);
  await well(home, 'install', '--cli', 'claude', '--density', 'high');
  fs.writeFileSync(claude, fs.readFileSync(claude, 'utf8').replaceAll('/bin/ostler-hook', '/old/ostler-hook'));
  const daemon = await startDaemon(t, { home });
  await untilHolds(claude, /\/bin\/ostler-hook/);
  assert.doesNotMatch(fs.readFileSync(claude, 'utf8'), /\/old\//);
  assert.equal(commandsOf(home, 'claude', 'TeammateIdle').length, 1); // as dense as it was
  await daemon.stop();

  await ostler(home, ['config', 'set', 'hookDensity', 'low']);
  await daemon.start();
  for (;;) if (commandsOf(home, 'claude', 'PreToolUse').length === 0) break;
  await daemon.stop();
  assert.equal(fs.readFileSync(gemini, 'utf8'), '{}');

  await well(home, 'install', '--cli', 'gemini', '--density', 'medium'); // the configuration follows
  assert.match((await ostler(home, ['config', 'get', 'enabledClis'])).stdout, /claude.*gemini/s);
  assert.match((await ostler(home, ['config', 'get', 'hookDensity'])).stdout, /medium/);
  fs.writeFileSync(claude, '{"mine": 1}');
  fs.writeFileSync(gemini, fs.readFileSync(gemini, 'utf8').replaceAll('/bin/ostler-hook', '/old/ostler-hook'));
  await daemon.start();
  await untilHolds(gemini, /\/bin\/ostler-hook/);
  assert.equal(fs.readFileSync(claude, 'utf8'), '{"mine": 1}'); // a person took them out
});

test('a version of the CLI is told what it knows, and the doctor says when it became another one', async t => {
  const home = makeHome(t), mine = '{\n  "permissions": {\n    "deny": ["Bash(rm:*)"]\n  }\n}\n';
  const file = write(home, 'claude', mine);
  const registered = () => Object.keys(readJson(file).hooks);
  assert.match(await well(home, 'install', '--cli', 'claude', '--density', 'high'), /^Claude Code: 4 events[^]*version is not known/);
  assert.deepEqual(registered().sort(), ['Notification', 'PostToolUse', 'PreToolUse', 'Stop']);

  installClaude(home, '2.1.85');
  assert.match((await hooks(home, 'doctor', '--cli', 'claude')).stdout, /missing: SessionStart[^]*was of an unknown version when its hooks were installed and is 2\.1\.85 now/);
  assert.match(await well(home, 'install', '--cli', 'claude'), /^Claude Code: 20 events \(high\)/);
  assert.ok(!registered().includes('PermissionDenied') && !registered().includes('PostModelSwitch'));
  assert.match(await well(home, 'doctor', '--cli', 'claude'), /program +~\/\.local\/bin\/claude \(2\.1\.85\)\n/);

  // Updated: the daemon's next start brings what is new. It also sees what became older.
  installClaude(home, '2.1.325');
  assert.match((await hooks(home, 'doctor', '--cli', 'claude')).stdout, /missing: PermissionDenied, PostModelSwitch[^]*was 2\.1\.85 .* is 2\.1\.325 now/);
  const daemon = await startDaemon(t, { home });
  await untilHolds(file, /PermissionDenied/);
  await daemon.stop();
  installClaude(home, '2.1.85');
  const { code, stdout } = await hooks(home, 'doctor', '--cli', 'claude');
  assert.equal(code, 1);
  assert.match(stdout, /2\.1\.85 does not know events that are registered, and ignores its whole settings file for it, with all permission rules.*: PermissionDenied, PostModelSwitch/);
  const { unknown } = JSON.parse((await hooks(home, 'status', '--cli', 'claude', '--json')).stdout);
  assert.deepEqual(unknown, ['PermissionDenied', 'PostModelSwitch']);
  await daemon.start();
  for (;;) if (!registered().includes('PermissionDenied')) break;
  await daemon.stop();

  // Of two, the older one counts, wherever it is.
  installClaude(home, '2.1.325');
  const bin = path.join(home, 'old/2.1.60/claude');
  fs.mkdirSync(path.dirname(bin), { recursive: true });
  fs.writeFileSync(bin, '', { mode: 0o755 });
  const env = { PATH: `${path.dirname(bin)}:${process.env.PATH}` };
  await ostler(home, ['hooks', 'install', '--cli', 'claude'], { env });
  assert.ok(registered().includes('TeammateIdle') && !registered().includes('StopFailure'));
  await well(home, 'uninstall', '--cli', 'claude');
  assert.equal(fs.readFileSync(file, 'utf8'), mine);
});

test('a daemon with another PATH than a shell counts the older CLIs that are in the shell\'s', async t => {
  const home = makeHome(t), mine = '{"permissions": {"deny": ["Bash(rm:*)"]}}', file = write(home, 'claude', mine);
  const registered = () => Object.keys(readJson(file).hooks);
  const service = { PATH: '/usr/bin:/bin', SHELL: '/bin/bash' }, tools = path.join(home, 'tools/2.1.85');
  installClaude(home, '2.1.325');
  fs.mkdirSync(tools, { recursive: true });
  fs.writeFileSync(path.join(tools, 'claude'), '', { mode: 0o755 });

  // Whoever installs them in a shell has seen it: that is remembered.
  await ostler(home, ['hooks', 'install', '--cli', 'claude', '--density', 'medium'], { env: { PATH: `${tools}:/usr/bin:/bin` } });
  await ostler(home, ['config', 'set', 'hookDensity', 'high']);
  const daemon = await startDaemon(t, { home, env: service });
  await untilHolds(file, /PreCompact/); // up to date
  assert.ok(!registered().includes('PermissionDenied'), 'which 2.1.85 does not know');
  await well(home, 'uninstall', '--cli', 'claude');
  await daemon.stop();
  fs.writeFileSync(path.join(home, 'hooks/programs'), '');

  // One that nobody has told of is in the PATH that the person's files set.
  fs.writeFileSync(path.join(home, '.bash_profile'), `PATH=${tools}:$PATH\n`);
  await daemon.start();
  await daemon.fetch('/api/shell-environment', { method: 'POST' });
  await untilHolds(path.join(home, 'hooks/programs'), /2\.1\.85/);
  const answer = await daemon.fetch('/api/hooks/install', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"density":"high","clis":["claude"]}' });
  assert.equal(answer.status, 200);
  assert.equal((await answer.json()).clis.claude.version, '2.1.85');
  assert.ok(registered().includes('PreCompact') && !registered().includes('PermissionDenied'));
  await well(home, 'uninstall', '--cli', 'claude');
  assert.equal(fs.readFileSync(file, 'utf8'), mine);
});

test('an agent that is not installed is not started: it is said how to get it', async t => {
  const daemon = await startDaemon(t), env = { PATH: '/usr/bin:/bin' };
  const { code, stderr } = await ostler(daemon.home, ['run', '--detach', '--', 'opencode'], { env });
  assert.equal(code, 1);
  assert.match(stderr, /opencode is not installed: npm install -g opencode-ai does that/);
  assert.match((await ostler(daemon.home, ['hooks', 'doctor', '--cli', 'opencode'], { env })).stdout, /program +not found; npm install -g opencode-ai installs it/);
  const refused = async body => {
    const answer = await daemon.fetch('/api/terminals', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ workingDir: daemon.home, ...body }) });
    return [answer.status, (await answer.json()).error];
  };
  const bare = { environment: { PATH: '/usr/bin:/bin' } };
  assert.deepEqual(await refused({ command: 'opencode --model a/b', ...bare }), [400, 'opencode is not installed: npm install -g opencode-ai does that']);
  assert.deepEqual(await refused({ argv: ['codex'], ...bare }), [400, 'codex is not installed: npm install -g @openai/codex does that']);
  installClaude(daemon.home);
  const there = path.join(daemon.home, '.local/bin/claude');
  assert.deepEqual(await refused({ command: 'claude', ...bare }), [400, `claude is not in PATH there: say ${there}`]);
  assert.deepEqual(await daemon.get('/api/terminals'), { terminals: [] });
});

test('set-up connects the agents that are here', async t => {
  const home = makeHome(t);
  installClaude(home);
  const file = write(home, 'claude', '{"a": 1}');
  const { code, stdout, stderr } = await ostler(home, ['setup', '--yes']);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /Claude Code: 16 events \(medium\) registered/);
  assert.equal(commandsOf(home, 'claude', 'Stop').length, 1);
  await well(home, 'uninstall');
  assert.equal(fs.readFileSync(file, 'utf8'), '{"a": 1}');
});

test('reset takes everything back and keeps copies', async t => {
  const home = makeHome(t), state = path.join(home, 'state');
  fs.mkdirSync(state);
  const env = { OSTLER_HOME: state };
  const file = write(home, 'claude', '{"a": 1}');
  fs.mkdirSync(path.join(state, 'config'));
  fs.writeFileSync(path.join(state, 'config/config.json'), '{"port": 4444}');
  await ostler(home, ['hooks', 'install', '--cli', 'claude', '--cli', 'codex'], { env });
  const asked = await ostler(home, ['reset'], { env });
  assert.equal(asked.code, 2);
  assert.match(asked.stderr, /--yes/);
  assert.match(fs.readFileSync(file, 'utf8'), /ostler-hook/);

  const done = await ostler(home, ['reset', '--yes'], { env });
  assert.equal(done.code, 0, done.stderr);
  assert.equal(fs.readFileSync(file, 'utf8'), '{"a": 1}');
  assert.ok(!fs.existsSync(path.join(home, FILES.codex)));
  assert.ok(!fs.existsSync(path.join(state, 'config/config.json')));
  const [backup] = fs.readdirSync(home).filter(name => name.startsWith('ostler-backup-'));
  assert.deepEqual(fs.readdirSync(path.join(home, backup)).sort(), ['claude-settings.json', 'codex-config.toml', 'ostler-config.json']);
  assert.match(fs.readFileSync(path.join(home, backup, 'claude-settings.json'), 'utf8'), /ostler-hook/);

  const all = await ostler(home, ['reset', '--all', '--yes'], { env });
  assert.equal(all.code, 0, all.stderr);
  assert.ok(!fs.existsSync(state));
});
