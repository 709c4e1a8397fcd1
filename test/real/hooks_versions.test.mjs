// Old and new Claude Codes with our hooks in their settings: what a person denied stays denied, before, during and after.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { environment, makeHome, ostler, startDaemon } from '../e2e/lib/daemon.mjs';
import { makeTerminal, Tty } from '../e2e/lib/tty.mjs';
import { claude } from './cli/claude.mjs';
import { installAgents, installOlderClaudes } from './install.mjs';
import { call, say, shell } from './model/script.mjs';
import { Model } from './model.mjs';

const NEWEST = installAgents().claude;
const ALL = [...installOlderClaudes(), NEWEST];

/** A person's settings, in their own hand: a rule that forbids something, a tool of theirs. */
const settings = mine => `{
    "permissions": {"deny": ["Bash(rm:*)"]},
    "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "echo ran >> '${mine}'"}]}]},
    "cleanupPeriodDays": 90
}`;

class Desk {
  static async make(t) {
    const desk = new Desk();
    desk.home = makeHome(t);
    desk.project = path.join(desk.home, 'project');
    desk.file = path.join(desk.home, '.claude/settings.json');
    desk.mine = path.join(desk.home, 'mine');
    fs.mkdirSync(desk.project);
    claude.settings(desk);
    desk.text = settings(desk.mine);
    fs.writeFileSync(desk.file, desk.text);
    desk.model = await Model.start(t);
    desk.env = claude.environment(desk.model.url);
    return desk;
  }

  /** A CLI moves things between its files at its first start; after that the settings are the person's again. */
  async settle(agent) {
    this.use(agent);
    await this.turn();
    fs.writeFileSync(this.file, this.text);
  }

  /** The CLI that a shell of this person's finds. */
  use({ program }) {
    const link = path.join(this.home, '.local/bin/claude');
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.rmSync(link, { force: true });
    fs.symlinkSync(program, link);
    this.program = link;
  }

  words(prompt) {
    return [this.program, '-p', prompt, '--allowedTools', 'Bash'];
  }

  prepare() {
    this.victim = path.join(this.project, 'victim');
    fs.writeFileSync(this.victim, '');
    fs.rmSync(this.mine, { force: true });
    this.model.requests.length = 0;
    this.model.scripts.set('remove', [call(shell(`rm -f ${this.victim}`)), say('Done.')]);
  }

  /** A whole turn in which the model asks for what is denied. */
  async turn() {
    this.prepare();
    const [program, ...args] = this.words('Go: script-remove');
    const child = spawn(program, args, { cwd: this.project, env: environment(this.home, this.env), stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => { said += text; });
    const [code] = await once(child, 'close');
    assert.equal(code, 0, said);
    return said;
  }

  /** What the model was told about its call. */
  get result() {
    const told = this.model.requests.flatMap(({ body }) => body.messages ?? []).flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .find(({ type }) => type === 'tool_result');
    return told && (typeof told.content === 'string' ? told.content : JSON.stringify(told.content));
  }

  assertDenied(when) {
    assert.ok(fs.existsSync(this.victim), `${when}: the command was run`);
    assert.match(this.result, /denied/, when);
    assert.equal(fs.readFileSync(this.mine, 'utf8'), 'ran\n', `${when}: the person's own hook`);
  }

  async hooks(...args) {
    const { code, stdout, stderr } = await ostler(this.home, ['hooks', ...args, '--cli', 'claude']);
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  }

  /** The events that our hook was called with so far; they are gone then. */
  heard() {
    const spool = path.join(this.home, 'spool/active');
    const events = fs.readFileSync(spool, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line).payload.hook_event_name);
    fs.rmSync(spool);
    return events;
  }
}

test('the harm: with one name that it does not know, an old one forgets what was denied', async t => {
  const desk = await Desk.make(t);
  desk.use(ALL[0]);
  const broken = JSON.parse(desk.text);
  broken.hooks.NoSuchEvent = [{ hooks: [{ type: 'command', command: 'true' }] }];
  fs.writeFileSync(desk.file, JSON.stringify(broken));
  await desk.turn();
  assert.deepEqual([fs.existsSync(desk.victim), fs.existsSync(desk.mine)], [false, false]);
});

for (const agent of ALL) {
  test(`${agent.version}: denied before, with our hooks, and after; the first bytes are back`, async t => {
    const desk = await Desk.make(t);
    await desk.settle(agent);
    desk.assertDenied('before');
    for (const density of ['low', 'medium', 'high']) {
      await desk.hooks('install', '--density', density);
      const said = await desk.turn();
      desk.assertDenied(density);
      assert.doesNotMatch(said, /hook|skipped|ignored/i, `${density}: it complains`);
      const heard = desk.heard();
      for (const event of ['SessionStart', 'UserPromptSubmit', 'Stop', ...(density === 'low' ? [] : ['PreToolUse'])])
        assert.ok(heard.includes(event), `${density}: ${event} in ${heard}`);
    }
    assert.match(await desk.hooks('doctor'), new RegExp(`claude \\(${agent.version.replaceAll('.', '\\.')}\\)`));
    await desk.hooks('uninstall');
    assert.equal(fs.readFileSync(desk.file, 'utf8'), desk.text);
    await desk.turn();
    desk.assertDenied('after');
  });

  test(`${agent.version}: hosted, with hooks for the run`, async t => {
    const desk = await Desk.make(t);
    await desk.settle(agent);
    desk.prepare();
    const daemon = await startDaemon(t, { home: desk.home, env: desk.env });
    const made = await makeTerminal(daemon, { argv: desk.words('Go: script-remove'), workingDir: desk.project });
    const tty = await Tty.connect(t, daemon, made);
    await tty.until(() => tty.exit, 'its end');
    desk.assertDenied('hosted');
    assert.equal(fs.readFileSync(desk.file, 'utf8'), desk.text);
    const { events } = (await daemon.get('/api/hook-stats'));
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop'])
      assert.equal(events[event]?.count, 1, `${event} of ${JSON.stringify(events)}`);
  });
}

test('updated and put back: the events follow, and what was denied stays so', async t => {
  const desk = await Desk.make(t);
  for (const agent of ALL) await desk.settle(agent);
  desk.use(ALL[0]);
  await desk.hooks('install', '--density', 'high');
  const daemon = await startDaemon(t, { home: desk.home });
  await daemon.stop();
  for (const agent of [NEWEST, ALL[0]]) {
    desk.use(agent);
    await daemon.start();
    for (;;) if (/PermissionDenied/.test(fs.readFileSync(desk.file, 'utf8')) === (agent === NEWEST)) break;
    await daemon.stop();
    await desk.turn();
    desk.assertDenied(agent.version);
  }
  await desk.hooks('uninstall');
  assert.equal(fs.readFileSync(desk.file, 'utf8'), desk.text);
});

test('an old one that only the shell finds: a daemon with a service\'s PATH leaves its rules alone', async t => {
  const desk = await Desk.make(t), old = path.join(desk.home, 'tools/claude');
  for (const agent of ALL) await desk.settle(agent);
  desk.use(NEWEST);
  fs.mkdirSync(path.dirname(old));
  fs.symlinkSync(ALL[0].program, old);
  fs.writeFileSync(path.join(desk.home, '.bash_profile'), 'PATH=~/tools:$PATH\n');
  await desk.hooks('install', '--density', 'medium');
  await ostler(desk.home, ['config', 'set', 'hookDensity', 'high']);
  const daemon = await startDaemon(t, { home: desk.home, env: { SHELL: '/bin/bash' } });
  for (;;) if (/PreCompact/.test(fs.readFileSync(desk.file, 'utf8'))) break; // it has brought them up to date
  await daemon.stop();
  desk.program = old;
  await desk.turn();
  desk.assertDenied(ALL[0].version);
  await desk.hooks('uninstall');
  assert.equal(fs.readFileSync(desk.file, 'utf8'), desk.text);
});
