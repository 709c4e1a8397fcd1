// The inbox: what agents ask is read whole and answered on the board, at the desk and on a phone, with the real hook at the other end.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHook, runHooks } from '../lib/hook.mjs';
import { launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { Agent } from '../lib/payloads.mjs';
import { askAlone as ask } from '../lib/asking.mjs';
import { DESK, PHONE, button, item, moment, settled } from './inbox.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const ended = (page, text) => page.locator('.ended li', { hasText: text });
const sheet = page => page.locator('.sheet');

/** An agent in the middle of something that asks; answers it with its hook. */
async function asking(t, daemon, tool, input, { cwd = '/home/dev/alpha', title = 'Mend the fence' } = {}) {
  const agent = new Agent({ cwd });
  await runHooks(daemon.home, [agent.prompt(title), agent.pre(tool, input)]);
  return { agent, ...ask(t, daemon.home, agent.permission(tool, input)) };
}

const open = (t, daemon, options, at = '/inbox') => openPage(t, browser, daemon.url + at, options);

test('an approval is answered from the phone, and the agent is told so', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, PHONE);
  await page.getByText('Nothing waits for an answer.').first().waitFor();
  const { ended: told } = await asking(t, daemon, 'Bash', { command: 'npm test' });
  await settled(page, 'npm test');
  await noSidewaysScroll(page);
  const { y, height } = await button(sheet(page), 'Allow: npm test').boundingBox();
  assert.ok(y + height > 844 - 120 && y + height <= 844, `within a thumb's reach: ${y}`);
  await button(sheet(page), 'Allow: npm test').tap();
  await item(page, 'npm test').waitFor({ state: 'detached' });
  assert.equal((await told).behavior, 'allow');
  await ended(page, 'npm test').getByText(/^Allowed here, by /).waitFor();
});

test('a question of several parts is answered from the phone', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, PHONE);
  const questions = [
    { question: 'Which database?', header: 'Store', multiSelect: false, options: [{ label: 'SQLite', description: 'one file' }, { label: 'PostgreSQL', description: '' }] },
    { question: 'Which exports?', header: 'Out', multiSelect: true, options: [{ label: 'PDF', description: '' }, { label: 'CSV', description: '' }] },
    { question: 'Until when?', header: 'When', multiSelect: false, options: [{ label: 'Monday', description: '' }, { label: 'Friday', description: '' }] },
  ];
  const { ended: told } = await asking(t, daemon, 'AskUserQuestion', { questions });
  await settled(page, 'Which exports?');
  const part = text => item(page, text).getByRole('group', { name: text });
  await button(sheet(page), '3 questions left').waitFor();
  await part('Which database?').getByLabel('SQLite').tap();
  await part('Which exports?').getByLabel('CSV').tap();
  await part('Which exports?').getByLabel('PDF').tap();
  await button(sheet(page), '1 question left').waitFor();
  await part('Until when?').getByLabel('In your own words').fill('The day after tomorrow');
  await button(sheet(page), 'Send the answers').tap();
  const { behavior, updatedInput } = await told;
  assert.equal(behavior, 'allow');
  assert.deepEqual(updatedInput.answers, { 'Which database?': 'SQLite', 'Which exports?': 'PDF, CSV', 'Until when?': 'The day after tomorrow' });
  assert.deepEqual(updatedInput.questions, questions);
  await ended(page, 'Which database?').getByText(/^Answered here/).waitFor();
});

test('a plan goes back with what should be different, from the phone; the next one is approved with a mode', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, PHONE);
  const first = await asking(t, daemon, 'ExitPlanMode', { plan: '# The fence\n\n1. New **posts**\n2. Paint' });
  await settled(page, 'The fence');
  assert.equal(await item(page, 'The fence').locator('strong').textContent(), 'posts');
  await button(sheet(page), 'Send back').tap();
  await sheet(page).getByRole('textbox').fill('Paint it first.');
  await sheet(page).getByRole('button', { name: 'Send back', exact: true }).tap();
  assert.deepEqual(await first.ended, { behavior: 'deny', message: 'Paint it first.' });
  await ended(page, 'The fence').getByText(/^Sent back from here/).waitFor();

  const second = ask(t, daemon.home, first.agent.permission('ExitPlanMode', { plan: '# Paint first' }));
  await settled(page, 'Paint first');
  await sheet(page).getByRole('combobox').selectOption('acceptEdits');
  await button(sheet(page), 'Approve').tap();
  const { behavior, updatedPermissions } = await second.ended;
  assert.equal(behavior, 'allow');
  assert.deepEqual(updatedPermissions, [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]);
});

test('what is answered at the desk goes away by itself, and says so', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, DESK), phone = await open(t, daemon, PHONE);
  const { agent, ended: told } = await asking(t, daemon, 'Bash', { command: 'npm test' });
  for (const one of [page, phone]) await item(one, 'npm test').waitFor();
  await runHook(daemon.home, agent.post('Bash', { command: 'npm test' }));
  for (const one of [page, phone]) {
    await item(one, 'npm test').waitFor({ state: 'detached' });
    await ended(one, 'npm test').getByText('Answered at the desk').waitFor();
    await one.getByText('Nothing waits for an answer.').first().waitFor();
  }
  assert.equal(await told, null, 'the hook left without a word');
});

test('two browsers at once: one answer counts, and both come to the same end', async t => {
  const daemon = await startDaemon(t);
  const here = await open(t, daemon, DESK), there = await open(t, daemon, DESK);
  const { ended: told } = await asking(t, daemon, 'Bash', { command: 'npm test' });
  for (const page of [here, there]) await settled(page, 'npm test');
  await Promise.all([here.keyboard.press('a'), there.keyboard.press('d').then(() => there.keyboard.press('Enter'))]);
  const { behavior } = await told;
  const words = behavior === 'allow' ? /^Allowed here/ : /^Denied here/;
  for (const page of [here, there]) {
    await ended(page, 'npm test').getByText(words).waitFor();
    assert.equal(await page.locator('.inbox-item').count(), 0);
  }
});

test('keys: allowed, denied with a reason, always with the rule before it is written', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, DESK, '/');
  await page.getByText('Nobody').or(page.getByText('New terminal')).first().waitFor();
  const first = await asking(t, daemon, 'Bash', { command: 'npm test' });
  await page.locator('a.inbox-link', { hasText: '1' }).first().waitFor();
  await page.keyboard.press('a'); // nothing is chosen: it is shown, not answered
  await settled(page, 'npm test');
  assert.equal(new URL(page.url()).pathname, '/inbox');
  await page.keyboard.press('a');
  assert.equal((await first.ended).behavior, 'allow');

  const second = ask(t, daemon.home, first.agent.permission('Bash', { command: 'npm publish' }));
  await settled(page, 'npm publish');
  await page.keyboard.press('d');
  await page.keyboard.type('add a tag first'); // every key of it is text
  await page.keyboard.press('Enter');
  assert.deepEqual(await second.ended, { behavior: 'deny', message: 'add a tag first' });

  const third = ask(t, daemon.home, first.agent.permission('Bash', { command: 'npm run lint' }));
  await settled(page, 'npm run lint');
  await page.keyboard.press('A');
  const form = page.getByRole('form', { name: 'Always allow' });
  await form.getByRole('textbox').fill('Bash(npm run:*)');
  await form.getByRole('combobox').selectOption('session');
  await button(form, 'Allow, and write this rule').click();
  const { behavior, updatedPermissions } = await third.ended;
  assert.equal(behavior, 'allow');
  assert.deepEqual(updatedPermissions, [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm run:*' }], behavior: 'allow', destination: 'session' }]);

  await page.keyboard.press('?');
  for (const words of ['Deny, with a reason', 'Always allow: shows the rule first']) await page.locator('dialog').getByText(words).waitFor();
});

test('a key does not answer what has just come under it', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, DESK);
  const first = await asking(t, daemon, 'Bash', { command: 'npm test' });
  const second = await asking(t, daemon, 'Bash', { command: 'rm -rf build' }, { title: 'Another' });
  await settled(page, 'rm -rf build');
  await page.keyboard.press('a');
  await page.keyboard.press('a'); // meant for the first as well
  assert.equal((await first.ended).behavior, 'allow');
  await item(page, 'rm -rf build').getByText('That had just come or changed.').waitFor();
  await settled(page, 'rm -rf build');
  await page.keyboard.press('a');
  assert.equal((await second.ended).behavior, 'allow');
});

test('a command is edited before it is allowed', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, DESK);
  const { ended: told } = await asking(t, daemon, 'Bash', { command: 'rm -rf build', description: 'Clean' });
  await settled(page, 'rm -rf build');
  await button(item(page, 'rm -rf build'), 'Edit, then allow').click();
  await item(page, 'rm -rf build').getByRole('textbox').fill('rm -r build/cache');
  await button(item(page, 'rm -rf build'), 'Allow this instead').click();
  const { behavior, updatedInput } = await told;
  assert.deepEqual({ behavior, updatedInput }, { behavior: 'allow', updatedInput: { command: 'rm -r build/cache', description: 'Clean' } });
});

test('in the panel and on the card, the same', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, DESK, '/');
  const first = await asking(t, daemon, 'Bash', { command: 'npm test' });
  const frame = page.locator('.card-frame', { hasText: 'Mend the fence' });
  await button(frame, 'Allow: npm test').waitFor();
  await moment(page);
  const before = await frame.boundingBox();
  await button(frame, 'Allow: npm test').click();
  assert.equal((await first.ended).behavior, 'allow');
  await button(frame, 'Allow: npm test').waitFor({ state: 'detached' });
  assert.deepEqual((await frame.boundingBox()).height, before.height, 'a card is as high as it was');

  const second = ask(t, daemon.home, first.agent.permission('Bash', { command: 'npm publish' }));
  await page.goto(`${daemon.url}/session/${first.agent.id}`);
  const panel = page.locator('aside.panel .request');
  await panel.getByText('npm publish').waitFor();
  await moment(page);
  await button(panel, 'Deny: npm publish').click();
  await panel.getByRole('textbox').fill('Not today');
  await button(panel, 'Deny and stop').click();
  assert.deepEqual(await second.ended, { behavior: 'deny', message: 'Not today', interrupt: true });
  await panel.waitFor({ state: 'detached' });
});

test('several that ask for the same are allowed together', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, DESK);
  const all = [];
  for (const name of ['one', 'two', 'three']) all.push(await asking(t, daemon, 'Bash', { command: 'npm ci' }, { title: `Package ${name}`, cwd: `/home/dev/${name}` }));
  const together = item(page, 'npm ci');
  for (const name of ['one', 'two', 'three']) await together.getByText(`Package ${name}`).waitFor();
  await moment(page);
  await button(together, 'Deny only two Package two').click();
  assert.equal((await all[1].ended).behavior, 'deny');
  await moment(page);
  await button(together, 'Allow all 2').click();
  for (const i of [0, 2]) assert.equal((await all[i].ended).behavior, 'allow');
  await page.getByText('Nothing waits for an answer.').first().waitFor();
});

test('whatever it says, it is shown safely and whole, and read before it is allowed', async t => {
  const daemon = await startDaemon(t);
  const lines = Array.from({ length: 400 }, (_, i) => `echo ${i} ${'x'.repeat(100)}`).join('\n');
  const command = `echo '\x1b[2J\u202e${'A'.repeat(5000)}' <img src=x onerror=alert(1)>\n${lines}\necho the very end`;
  const { ended: told } = await asking(t, daemon, 'Bash', { command });
  for (const size of [DESK, PHONE]) {
    const page = await open(t, daemon, size);
    await settled(page, 'echo 0 ');
    await noSidewaysScroll(page);
    const text = await item(page, 'echo 0 ').locator('.detail-command, .inbox-brief').first().textContent();
    assert.ok(text.includes('the very end') && text.includes('<img src=x') && text.includes('A'.repeat(5000)), 'all of it');
    assert.doesNotMatch(text, /[\x1b\u202e]/);
  }
  const page = await open(t, daemon, DESK);
  await settled(page, 'echo 0 ');
  await page.keyboard.press('a');
  await item(page, 'echo 0 ').getByText('This is all of it. Read it, then answer.').waitFor();
  await moment(page);
  assert.equal(await button(item(page, 'echo 0 '), 'Edit, then allow').count(), 0, 'such characters are not put into a field');
  await page.keyboard.press('a');
  assert.equal((await told).behavior, 'allow');
});

/** A finger that goes from one place to another. */
async function swipe(page, from, to, y, { back = false } = {}) {
  const cdp = await page.context().newCDPSession(page);
  const touch = (type, x) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: x === undefined ? [] : [{ x, y }] });
  const move = async (a, b) => { for (let i = 1; i <= 10; i++) await touch('touchMove', a + (b - a) * i / 10); };
  await touch('touchStart', from);
  await move(from, to);
  if (back) await move(to, from);
  await touch('touchEnd');
}

test('a swipe allows to the right and denies to the left; pushed back it does nothing', async t => {
  const daemon = await startDaemon(t);
  const page = await open(t, daemon, PHONE);
  const first = await asking(t, daemon, 'Bash', { command: 'npm test' });
  await settled(page, 'npm test');
  const middle = async text => { const { y, height } = await item(page, text).boundingBox(); return y + height - 12; };
  await swipe(page, 60, 330, await middle('npm test'), { back: true });
  await swipe(page, 60, 110, await middle('npm test')); // not far enough
  assert.equal((await daemon.get('/api/approvals')).approvals[0].state, 'open');
  await swipe(page, 60, 330, await middle('npm test'));
  assert.equal((await first.ended).behavior, 'allow');
  const second = ask(t, daemon.home, first.agent.permission('Bash', { command: 'npm publish' }));
  await settled(page, 'npm publish');
  await swipe(page, 330, 60, await middle('npm publish'));
  assert.equal((await second.ended).behavior, 'deny');
});

test('away is one word for every browser', async t => {
  const daemon = await startDaemon(t);
  const here = await open(t, daemon, DESK), there = await open(t, daemon, PHONE);
  await here.getByRole('switch', { name: 'Away from the desk' }).click();
  await there.getByText(/^You are away since /).waitFor();
  assert.equal((await daemon.get('/api/away')).away, true);
  await there.getByRole('button', { name: 'At the desk' }).tap();
  await here.getByText(/^You are at the desk\./).waitFor();
  assert.equal(await here.getByRole('switch', { name: 'Away from the desk' }).getAttribute('aria-checked'), 'false');
});

test('without a daemon nothing can be pressed, and that is said; what waits is still there afterwards', async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const page = await open(t, daemon, { ...DESK, expectLoss: true });
  await asking(t, daemon, 'Bash', { command: 'npm test' });
  await settled(page, 'npm test');
  await daemon.crash();
  await item(page, 'npm test').getByText('Not connected').waitFor();
  assert.equal(await button(item(page, 'npm test'), 'Allow:').isDisabled(), true);
  await page.keyboard.press('a');
  await daemon.start();
  await item(page, 'npm test').getByText('Not connected').waitFor({ state: 'detached' });
  await item(page, 'npm test').waitFor();
});

test('for real: a policy is a rule in the settings of its project, listed in the inbox and undone there', async t => {
  const daemon = await startDaemon(t);
  const cwd = path.join(daemon.home, 'alpha'), file = path.join(cwd, '.claude/settings.local.json');
  fs.mkdirSync(cwd);
  const agent = new Agent({ cwd });
  await runHook(daemon.home, agent.prompt('Mend the fence'));
  const page = await open(t, daemon, DESK, `/session/${agent.id}`);
  const policies = page.locator('.policies');
  await policies.getByText('What it may do without asking').click();
  await policies.getByRole('checkbox').last().check();
  const rule = await policies.locator('.policy-rules code').first().textContent();
  assert.equal(fs.existsSync(file), false, 'it is shown before it is written');
  await button(policies, 'Write').click();
  await policies.getByText(/^Written /).waitFor();
  assert.ok(JSON.parse(fs.readFileSync(file)).permissions.allow.includes(rule));

  await page.keyboard.press('i');
  const list = page.getByRole('region', { name: 'Rules written from here' });
  const row = list.getByRole('listitem').filter({ hasText: rule });
  await button(row, 'Undo').click();
  await row.getByText('undone').waitFor();
  await page.waitForFunction(() => !document.querySelector('.rules button'));
  assert.ok(!(JSON.parse(fs.readFileSync(file)).permissions?.allow ?? []).includes(rule));
});
