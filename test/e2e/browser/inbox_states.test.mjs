// What the inbox does when a daemon is slow, refuses, has a thousand requests: the page is the real one, the daemon is in the hands of the test.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { launchBrowser, noSidewaysScroll } from '../lib/page.mjs';
import { FakeDaemon, attention, request, summary, terminal } from './fake.mjs';
import { DESK, PHONE, button, item, moment, settled } from './inbox.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

/** A page of a daemon in the hands of the test. */
async function fakeOpen(t, requests, options = {}) {
  const daemon = await startDaemon(t);
  return FakeDaemon.open(t, browser, daemon, { sessions: [summary('a')], requests, path: '/inbox', ...DESK, ...options });
}

const answers = fake => fake.heard.filter(m => m.type === 'answer');

test('a request that changed under the finger says so, and shows what it is now', async t => {
  const { page, fake } = await fakeOpen(t, [request('r1'), request('r2', { detail: 'make' })]);
  await settled(page, 'npm test');
  await button(item(page, 'npm test'), 'Allow:').click();
  await item(page, 'npm test').waitFor({ state: 'detached' }); // taken for done
  await fake.until(() => answers(fake).length === 1);
  const { id, ref, digest } = answers(fake)[0];
  assert.deepEqual({ id, digest }, { id: 'r1', digest: 'digest r1' });
  fake.approval(request('r1', { detail: 'npm test && npm publish', digest: 'another' }));
  fake.say({ type: 'answered', id, ref, ok: false, status: 409, error: 'It has changed since you saw it.', state: 'open' });
  const back = item(page, 'npm test && npm publish');
  await back.getByText('It has changed since you saw it.').waitFor();
  assert.equal(await page.locator('.inbox-item').first().getAttribute('data-id'), 'r1', 'where it was');
  assert.equal(await button(back, 'Allow:').isEnabled(), true);
});

test('an answer that nobody confirms is taken back after a second, and waited for', async t => {
  const { page, fake } = await fakeOpen(t, [request('r1')]);
  await settled(page, 'npm test');
  await page.keyboard.press('a');
  await item(page, 'npm test').waitFor({ state: 'detached' });
  await item(page, 'npm test').getByText('Allowing: sent, but not confirmed yet.').waitFor();
  assert.equal(await button(item(page, 'npm test'), 'Allow:').isDisabled(), true);
  await page.keyboard.press('a');
  fake.say({ type: 'answered', id: 'r1', ref: answers(fake)[0].ref, ok: true, state: 'allowed' });
  await item(page, 'npm test').waitFor({ state: 'detached' });
  assert.equal(answers(fake).length, 1, 'it was sent once');
});

test('where nothing can be answered, it says why and leads there', async t => {
  const { page } = await fakeOpen(t, [request('r1', { can: [], why: 'Codex shows its own dialog.' })]);
  await item(page, 'npm test').getByText('Codex shows its own dialog.').waitFor();
  assert.equal(await button(item(page, 'npm test'), 'Allow').count(), 0);
  await item(page, 'npm test').getByRole('link', { name: 'Open its session' }).click();
  await page.locator('aside.panel').waitFor();
});

for (const [name, size] of Object.entries({ desk: DESK, phone: PHONE }))
  test(`a thousand open requests stay usable: ${name}`, async t => {
    const many = Array.from({ length: 1000 }, (_, i) => request(`r${i}`, { askedAt: Date.now() - 1e6 + i, detail: `make part-${i}.o`, same: `s${i}` }));
    const { page, fake } = await fakeOpen(t, many, { ...size });
    await settled(page, 'make part-0.o');
    assert.ok(await page.locator('.inbox-item').count() <= 40, 'what is not looked at is not drawn');
    await noSidewaysScroll(page);
    for (let i = 0; i < 30; i++) await page.keyboard.press('j');
    await page.locator('.inbox-item[data-selected="true"]', { hasText: 'part-30.o' }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.id), 'r30');
    await moment(page);
    await page.keyboard.press('a');
    await fake.until(() => answers(fake).length === 1);
    assert.equal(answers(fake)[0].id, 'r30');
    for (const r of many) fake.approval({ ...r, state: 'gone', endedAt: Date.now() });
    await page.getByText('Nothing waits for an answer.').first().waitFor();
  });

test('what one writes is not lost when another request comes or goes', async t => {
  const { page, fake } = await fakeOpen(t, [request('r1'), request('r2', { detail: 'make', askedAt: Date.now() })]);
  await settled(page, 'make');
  await button(item(page, 'make'), 'Deny').click();
  await page.keyboard.type('because ');
  fake.approval(request('r1', { state: 'desk', endedAt: Date.now() }));
  fake.approval(request('r3', { detail: 'make all', askedAt: Date.now() + 1 }));
  await item(page, 'npm test').waitFor({ state: 'detached' });
  await page.keyboard.type('I say so');
  const field = page.locator('.inbox-item[data-id="r2"]').getByRole('textbox');
  assert.equal(await field.inputValue(), 'because I say so');
  fake.approval(request('r2', { detail: 'make', state: 'desk', endedAt: Date.now() }));
  await page.getByText('Answered at the desk while you wrote, so nothing was sent: make').waitFor();
});

test('a card says when its answer did not come to pass, and leads to the reason', async t => {
  const asks = summary('a', { status: 'approval', attention: attention('approval', { text: 'Run it', detail: 'npm test', form: 'command' }) });
  const { page, fake } = await fakeOpen(t, [request('r1')], { sessions: [asks], path: '/' });
  const frame = page.locator('.card-frame[data-id="a"]');
  await button(frame, 'Allow: npm test').waitFor();
  await moment(page);
  await frame.locator('a.card').focus();
  await page.keyboard.press('a'); // the card that has the focus
  await fake.until(() => answers(fake).length === 1);
  fake.say({ type: 'answered', id: 'r1', ref: answers(fake)[0].ref, ok: false, status: 409, error: 'The hook has gone.', state: 'open' });
  await frame.getByRole('link', { name: 'Not answered: why?' }).click();
  await item(page, 'npm test').getByText('The hook has gone.').waitFor();
});

test('a long request is not allowed on its card, and a key shows it whole first', async t => {
  const long = Array.from({ length: 30 }, (_, i) => `make part-${i}.o`).join('\n');
  const asks = summary('a', { status: 'approval', attention: attention('approval', { text: 'Run it', detail: long, form: 'command' }) });
  const { page, fake } = await fakeOpen(t, [request('r1', { detail: long })], { sessions: [asks], path: '/' });
  const frame = page.locator('.card-frame[data-id="a"]');
  await button(frame, 'Deny').waitFor();
  assert.equal(await button(frame, 'Allow').isVisible(), false);
  await moment(page);
  await frame.locator('a.card').focus();
  await page.keyboard.press('a');
  await settled(page, 'make part-29.o');
  await page.keyboard.press('a');
  await item(page, 'part-29').getByText('This is all of it.').waitFor();
  assert.deepEqual(answers(fake), []);
});

test('the next prompt and an interrupt, from the panel', async t => {
  const idle = summary('a', { status: 'waiting', terminalId: 't1', workerType: 'agent' });
  const { page, fake } = await fakeOpen(t, [], { sessions: [idle], terminals: [terminal('t1')], path: '/session/a', expect: /WebSocket|WebGL|task queue|409/,
    before: async page => {
      page.prompts = [];
      await page.routeWebSocket(/\/worker\//, () => {});
      await page.route('**/api/sessions/a/prompt', route => {
        page.prompts.push(route.request().postDataJSON());
        return page.prompts.length === 1 ? route.fulfill({ status: 409, json: { error: 'it shows no place to type' } }) : route.fulfill({ json: { ok: true } });
      });
      await page.route('**/api/sessions/a/interrupt', route => { page.interrupted = true; return route.fulfill({ json: { ok: true } }); });
    } });
  await button(page.locator('aside.panel'), 'Details').click();
  const field = page.getByRole('textbox', { name: 'The next prompt' });
  await field.fill('Paint the fence');
  await page.keyboard.press('Enter');
  await page.getByText('The prompt was not sent: it shows no place to type').waitFor();
  assert.equal(await field.inputValue(), 'Paint the fence', 'what was not taken is still there');
  await button(page, 'Send').click();
  await page.waitForFunction(() => document.querySelector('.next-prompt textarea')?.value === '');
  assert.deepEqual(page.prompts, [{ text: 'Paint the fence' }, { text: 'Paint the fence' }]);
  fake.update('a', { status: 'working' });
  await button(page, 'Interrupt').click();
  await page.waitForFunction(() => !document.querySelector('.next-prompt button')?.disabled);
  assert.equal(page.interrupted, true);
});

test('rules are seen before they are written, listed and undone', async t => {
  const rule = { id: '7', cli: 'claude', rule: 'Bash(npm test:*)', where: 'localSettings', file: '/home/dev/alpha/.claude/settings.local.json',
    project: 'alpha', session: 'a', writtenAt: Date.now() - 1000, by: 'Firefox', state: 'there' };
  const policy = { name: 'reads', text: 'Read without asking', rules: [{ rule: 'Read', where: 'session' }], file: '.claude/settings.local.json', on: false };
  const { page } = await fakeOpen(t, [], { expect: /500/,
    before: async page => {
      page.sent = [];
      const state = { rule, policy };
      await page.route('**/api/rules', route => route.fulfill({ json: { rules: [state.rule] } }));
      await page.route('**/api/rules/7', route => {
        page.sent.push(route.request().method());
        if (page.sent.length === 1) return route.fulfill({ status: 500, json: { error: 'the file cannot be written' } });
        state.rule = { ...rule, state: 'undone' };
        return route.fulfill({ json: { ok: true } });
      });
      await page.route('**/api/sessions/a/policies', route => {
        if (route.request().method() === 'POST') {
          page.sent.push(route.request().postDataJSON());
          state.policy = { ...policy, on: true };
        }
        return route.fulfill({ json: { policies: [state.policy] } });
      });
    } });
  const list = page.getByRole('region', { name: 'Rules written from here' });
  await button(list, 'Undo').click();
  await page.getByText('Bash(npm test:*) is still there: the file cannot be written').waitFor();
  await button(list, 'Undo').click();
  await list.getByText('undone').waitFor();
  assert.equal(await button(list, 'Undo').count(), 0);

  await page.locator('.brand').click();
  await page.locator('a.card').click();
  const policies = page.locator('.policies');
  await policies.getByText('What it may do without asking').click();
  await policies.getByLabel('Read without asking').check();
  await policies.getByText('Read', { exact: true }).waitFor();
  assert.deepEqual(page.sent, ['DELETE', 'DELETE'], 'nothing is written yet');
  await button(policies, 'Write the rules of reads').click();
  await policies.getByText('Written 1 rule in').waitFor();
  assert.deepEqual(page.sent.at(-1), { name: 'reads', on: true });
});

test('what comes and goes does not move what is looked at', async t => {
  const { page, fake } = await fakeOpen(t, [request('r1'), request('r2', { detail: 'make' })]);
  await settled(page, 'make');
  const where = () => item(page, 'npm test').boundingBox();
  const before = await where();
  for (let i = 0; i < 5; i++) fake.approval(request(`n${i}`, { detail: `make ${i}`, askedAt: Date.now() + i }));
  await item(page, 'make 4').waitFor();
  fake.approval(request('r2', { detail: 'make', state: 'desk', endedAt: Date.now() }));
  await page.getByText('Last: Answered at the desk').waitFor();
  assert.deepEqual(await where(), before);
});
