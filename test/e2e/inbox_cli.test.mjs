// What a person sees and does at a terminal: ostler inbox, approve, deny, away.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { answer, ask, Inbox } from './lib/asking.mjs';
import { Board } from './lib/board.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { checkShown, HOSTILE } from './lib/shown.mjs';
import { Person } from './lib/tmux.mjs';

const BASH = { command: 'npm test' };
const QUESTIONS = [
  { question: 'Which colour?', header: 'Colour', multiSelect: false, options: [{ label: 'Red', description: 'like a fox' }, { label: 'Blue', description: '' }] },
  { question: 'What = to eat?', header: 'Food', multiSelect: true, options: [{ label: 'Hay', description: 'dry' }, { label: 'Oats', description: 'wet' }] },
];

async function stage(t, options) {
  const daemon = await startDaemon(t, options);
  return { daemon, inbox: await Inbox.open(t, daemon, { Board }) };
}

/** Runs the command and holds it to its exit status. */
async function run(daemon, status, ...args) {
  const result = await ostler(daemon.home, args);
  assert.equal(result.code, status, `ostler ${args.join(' ')}: ${result.stdout}${result.stderr}`);
  return result;
}

const decisionOf = async asking => (await asking.answer()).hookSpecificOutput.decision;
/** Text without the bars, margins and line ends that it was laid out with. */
const reread = text => text.replaceAll(/^ {2}│ {3}/gm, '\u0001').replaceAll('\n\u0001', '').replaceAll(/^ {2}│ ?/gm, '');

test('nothing is asked; no daemon', async t => {
  const home = makeHome(t);
  for (const args of [['inbox'], ['approve'], ['deny'], ['away'], ['away', 'on']])
    assert.equal((await ostler(home, args)).code, 1, args[0]);
  const { daemon } = await stage(t, { home });
  assert.equal((await run(daemon, 0, 'inbox')).stdout, 'Nothing is asked.\n');
  assert.deepEqual(JSON.parse((await run(daemon, 0, 'inbox', '--json')).stdout).approvals, []);
  assert.match((await run(daemon, 1, 'approve')).stderr, /the inbox is empty/);
  assert.match((await run(daemon, 1, 'deny', 'r1')).stderr, /there is no request "r1"/);
  for (const args of [['approve', '--rule', 'Read'], ['approve', '--always', '--where', 'session'], ['approve', '--input', '[]'], ['approve', '--input', '{'],
    ['approve', '--edit', '--input', '{}'], ['approve', '--edit', '--json'], ['approve', '--answer', 'x', '--mode', 'auto'], ['inbox', 'word'], ['deny', '--nope']])
    await run(daemon, 2, ...args);
  assert.match((await run(daemon, 0, 'away')).stdout, /You are here/);
  assert.match((await run(daemon, 0, 'away', 'on')).stdout, /You are away, for 0s, says the command line/);
  assert.equal(JSON.parse((await run(daemon, 0, 'away', 'status', '--json')).stdout).away, true);
  assert.match((await run(daemon, 0, 'inbox')).stdout, /^You are away/);
  assert.match((await run(daemon, 0, 'away', 'off')).stdout, /You are here/);
  await run(daemon, 2, 'away', 'maybe');
});

test('the only one, one by its id, several that are the same; the wrong ones', async t => {
  const { daemon, inbox } = await stage(t);
  const first = await ask(t, daemon, inbox, 'Bash', BASH);
  const shown = await run(daemon, 0, 'approve');
  assert.match(shown.stdout, /│ npm test\n[^]*\n(r\w+) is allowed\.\n$/);
  assert.deepEqual(await decisionOf(first.asking), { behavior: 'allow' });
  const two = [await ask(t, daemon, inbox, 'Bash', BASH), await ask(t, daemon, inbox, 'Bash', BASH)];
  const other = await ask(t, daemon, inbox, 'Bash', { command: 'rm -rf build' });
  const which = await run(daemon, 2, 'deny');
  assert.match(which.stderr, /which one\? 3 requests are open/);
  for (const { request } of [...two, other]) assert.match(which.stdout, new RegExp(`^${request.id} `, 'm'));
  const ids = two.map(({ request }) => request.id);
  assert.equal((await run(daemon, 0, 'completion', 'requests')).stdout, [...ids, other.request.id].map(id => `${id}\n`).join(''));
  assert.match((await run(daemon, 2, 'approve', ...ids, other.request.id)).stderr, /do not ask for the same/);
  const told = (await run(daemon, 0, 'approve', '--json', ...ids)).stdout.trim().split('\n').map(line => JSON.parse(line));
  assert.deepEqual(told, ids.map(id => ({ id, state: 'allowed', status: 200 })));
  for (const { asking } of two) assert.deepEqual(await decisionOf(asking), { behavior: 'allow' });
  assert.match((await run(daemon, 1, 'approve', ids[0])).stderr, /too late, it has ended \(allowed\)/);
  await run(daemon, 0, 'deny', other.request.id, '--message', 'not the build', '--stop');
  assert.deepEqual(await decisionOf(other.asking), { behavior: 'deny', message: 'not the build', interrupt: true });
  const all = (await run(daemon, 0, 'inbox', '--all')).stdout;
  assert.match(all, /^Nothing is asked\.\n\nEnded:\ndenied · r\w+ · \d+s ago · from the command line\n/);
  assert.equal(all.match(/^allowed · /gm).length, 3);
});

test('always, with rules; an input by hand or in an editor; a plan; questions', async t => {
  const { daemon, inbox } = await stage(t);
  const give = async (tool, input, ...args) => {
    const { asking, request } = await ask(t, daemon, inbox, tool, input);
    await run(daemon, 0, 'approve', request.id, ...args);
    return decisionOf(asking);
  };
  const rule = (content, destination = 'localSettings') => ({ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: content }], behavior: 'allow', destination });
  assert.deepEqual(await give('Bash', BASH, '--always'), { behavior: 'allow', updatedPermissions: [rule('npm test:*')] });
  assert.deepEqual(await give('Bash', BASH, '--always', '--rule', 'Bash(npm:*)', '--rule', 'Bash(make:*)', '--where', 'session'),
    { behavior: 'allow', updatedPermissions: [rule('npm:*', 'session'), rule('make:*', 'session')] });
  assert.deepEqual(await give('Bash', BASH, '--input', '{"command":"npm run lint"}'), { behavior: 'allow', updatedInput: { command: 'npm run lint' } });
  assert.deepEqual(await give('ExitPlanMode', { plan: '# P' }, '--mode', 'auto'),
    { behavior: 'allow', updatedInput: { plan: '# P' }, updatedPermissions: [{ type: 'setMode', mode: 'auto', destination: 'session' }] });
  const answered = answers => ({ behavior: 'allow', updatedInput: { questions: QUESTIONS, answers } });
  assert.deepEqual(await give('AskUserQuestion', { questions: QUESTIONS }, '--answer', 'Which colour?=Blue', '--answer', 'What = to eat?=Hay', '--answer', '2=Oats'),
    answered({ 'Which colour?': 'Blue', 'What = to eat?': 'Hay, Oats' }));
  assert.deepEqual(await give('AskUserQuestion', { questions: QUESTIONS }, '-a', 'Colour=my = own', '-a', 'Food=Hay'),
    answered({ 'Which colour?': 'my = own', 'What = to eat?': 'Hay' }));
  assert.deepEqual(await give('AskUserQuestion', { questions: QUESTIONS.slice(0, 1) }, '--answer', 'Red'),
    { behavior: 'allow', updatedInput: { questions: QUESTIONS.slice(0, 1), answers: { 'Which colour?': 'Red' } } });
  const open = await ask(t, daemon, inbox, 'AskUserQuestion', { questions: QUESTIONS });
  for (const args of [[], ['--answer', '1=Red'], ['--answer', 'Red'], ['--answer', '1=Red', '--answer', '1=Blue', '--answer', '2=Hay']])
    await run(daemon, 2, 'approve', open.request.id, ...args);
  await run(daemon, 2, 'approve', open.request.id, '--always', '--json');
  const editor = path.join(daemon.home, 'editor');
  fs.writeFileSync(editor, '#!/bin/sh\n[ "$1" = --wait ] && shift\nsed -i s/test/start/ "$1"\n', { mode: 0o755 });
  const edited = await ask(t, daemon, inbox, 'Bash', { command: 'npm test', description: 'x', timeout: 5 });
  const result = await ostler(daemon.home, ['approve', edited.request.id, '--edit'], { env: { EDITOR: `${editor} --wait` } });
  assert.equal(result.code, 0, result.stderr);
  assert.deepEqual(await decisionOf(edited.asking), { behavior: 'allow', updatedInput: { command: 'npm start', description: 'x', timeout: 5 } });
  const same = await ask(t, daemon, inbox, 'Bash', { command: 'make' });
  for (const [EDITOR, words] of [['true', /not changed/], ['false', /editor failed/], ['/nowhere/vi', /cannot be started/]]) {
    const refused = await ostler(daemon.home, ['approve', same.request.id, '--edit'], { env: { EDITOR } });
    assert.deepEqual([refused.code, words.test(refused.stderr)], [1, true], refused.stderr);
  }
  assert.deepEqual(fs.readdirSync(path.join(daemon.home, 'run')).filter(name => name.startsWith('edit-')), []);
});

test('64 KiB with escapes and marks of direction: safe, and whole', async t => {
  const { daemon, inbox } = await stage(t);
  const bad = HOSTILE.replaceAll('\0', '');
  const lines = Array.from({ length: 2000 }, (_, i) => `echo ${i} \x1b[2J\u202e ${'y'.repeat(i % 90)}`).join('\n');
  const begun = `${bad}\n${lines}`, end = '\nend-of-it';
  const command = Buffer.from(begun).subarray(0, (64 << 10) - end.length).toString().replace(/\ufffd+$/, '') + end;
  assert.ok(Buffer.byteLength(command) > (64 << 10) - 8 && Buffer.byteLength(command) <= 64 << 10);
  const { request, asking } = await ask(t, daemon, inbox, 'Bash', { command });
  assert.ok(request.detail.endsWith('end-of-it'), 'the daemon has all of it');
  const plain = await run(daemon, 0, 'inbox');
  checkShown(Buffer.from(plain.stdout), 'ostler inbox');
  assert.ok(reread(plain.stdout).includes(request.detail.replaceAll('\r', ' ')), 'every line of it');
  for (const cols of [80, 40]) {
    const person = await Person.sitDown(t, daemon.home, { cols });
    await person.tmux('set-option -g history-limit 20000');
    const file = path.join(daemon.home, `typescript-${cols}`);
    await person.runs(`script -q -c 'stty cols ${cols}; ostler inbox --once' ${file} >/dev/null`);
    const bytes = fs.readFileSync(file);
    const text = bytes.toString().replace(/^Script started[^\n]*\n/, '').replace(/\nScript done[^]*$/, '').replaceAll('\r', '');
    checkShown(Buffer.from(text), `at ${cols} columns`);
    const lines = text.replaceAll(/\x1b\[[\d;]*m/g, '').split('\n');
    assert.deepEqual(lines.filter(line => [...line].length > cols), [], 'no line is wider');
    const glue = s => s.replaceAll(/\s/g, '');
    assert.ok(glue(reread(lines.join('\n'))).includes(glue(request.detail)), 'nothing is cut');
  }
  await run(daemon, 0, 'approve', request.id);
  assert.deepEqual(await decisionOf(asking), { behavior: 'allow' });
});

for (const cols of [80, 40])
  test(`by keys, at ${cols} columns: what comes and goes is seen, and answered`, async t => {
    const { daemon, inbox } = await stage(t);
    const person = await Person.sitDown(t, daemon.home, { cols, rows: 24 });
    /** Presses a key that answers, once the keys are offered below this request. */
    const press = async (id, key, pattern) => {
      await person.sees(new RegExp(`${id} · asked[^]*(a allow|1–9 choose)`));
      await person.type(key);
      await person.sees(pattern);
    };
    await person.starts('ostler inbox');
    await person.sees(/Nothing is asked/);
    const first = await ask(t, daemon, inbox, 'Bash', BASH);
    await press(first.request.id, 'a', /is allowed/);
    assert.deepEqual(await decisionOf(first.asking), { behavior: 'allow' });
    await person.sees(/0 open/);
    // Two at once: the one that is answered elsewhere goes, and the other comes.
    const gone = await ask(t, daemon, inbox, 'Bash', { command: 'make one' });
    await person.sees(/make one/);
    const stays = await ask(t, daemon, inbox, 'Bash', { command: 'make two' });
    await person.sees(/2 open/);
    await answer(daemon, gone.request.id, { decision: 'allow', digest: gone.request.digest });
    await press(stays.request.id, 'D', /Tell the agent/);
    await person.type('not "now"x\x7f');
    await person.type('\r');
    assert.deepEqual(await decisionOf(stays.asking), { behavior: 'deny', message: 'not "now"' });
    // The rule is shown first, and may be changed.
    const always = await ask(t, daemon, inbox, 'Bash', BASH);
    await press(always.request.id, 'A', /Bash\(npm test:\*\)▏/);
    await person.type('\x7f'.repeat(8));
    await person.type(':*)\r');
    assert.deepEqual((await decisionOf(always.asking)).updatedPermissions[0].rules, [{ toolName: 'Bash', ruleContent: 'npm:*' }]);
    const question = await ask(t, daemon, inbox, 'AskUserQuestion', { questions: QUESTIONS });
    await press(question.request.id, '2', /▸ What = to eat/);
    await person.sees(/● 2\. Blue/);
    await person.type('1');
    await person.sees(/● 1\. Hay/);
    await person.type('2');
    await person.sees(/● 2\. Oats/);
    await person.type('\r');
    assert.deepEqual((await decisionOf(question.asking)).updatedInput.answers, { 'Which colour?': 'Blue', 'What = to eat?': 'Hay, Oats' });
    // What is longer than the screen must be read to its end; a paste answers nothing.
    const long = await ask(t, daemon, inbox, 'Bash', { command: Array.from({ length: 60 }, (_, i) => `echo ${i}`).join('\n') });
    await press(long.request.id, 'a', /end first/);
    await person.sees(/space goes on/);
    await person.type('G');
    await person.sees(/echo 59/);
    await person.type('aa');
    await person.sees(/Several keys at once/);
    assert.ok(long.asking.running);
    await person.type('a');
    assert.deepEqual(await decisionOf(long.asking), { behavior: 'allow' });
    // The daemon goes and comes back.
    await daemon.crash();
    await person.sees(/no daemon/);
    await daemon.start();
    await person.sees(/Nothing is asked/);
    await person.type('q');
    await person.sees(/^>$/m);
    assert.equal(await person.knows('#{alternate_on}'), '0');
  });

test('an agent that cannot be answered says why; its own dialog is opened with o', async t => {
  const { daemon, inbox } = await stage(t);
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  await runHook(daemon.home, agent.notification('permission_prompt', 'Claude needs your permission to use Bash'));
  await inbox.request(r => r.sessionId === agent.id && r.state === 'open');
  assert.match((await run(daemon, 0, 'inbox')).stdout, /Not to be answered from here: /);
  assert.match((await run(daemon, 1, 'approve')).stderr, /cannot be answered from here/);
  const person = await Person.sitDown(t, daemon.home, { cols: 80, rows: 24 });
  await person.starts('ostler inbox');
  await person.sees(/Not to be answered from here/);
  await person.type('a');
  await person.sees(/Not to be answered from here[^]*Not to be answered from here/);
  await person.type('o');
  await person.sees(/not ostler's/);
  await person.type('q');
});
