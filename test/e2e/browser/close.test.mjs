// Closing cards: they go at once, they stay away whatever is still under way, and they come back when they must.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHook, runHooks, startAgent } from '../lib/hook.mjs';
import { card, launchBrowser, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';
import { FakeDaemon, attention, summary } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const OK = { ok: true, removed: true };
const ids = page => page.locator('a.card').evaluateAll(cards => cards.map(c => c.dataset.id));
const cardOf = (page, id) => page.locator(`a.card[data-id="${id}"]`);
const closeButton = (page, id) => page.locator(`.card-frame[data-id="${id}"] .card-close`);

/** Holds the requests for sessions; each is answered when the test says so. */
async function hold(page) {
  const held = [];
  const waiting = [];
  await page.route(/\/api\/sessions\/[^/]+(\/kill)?$/, route => {
    if (route.request().method() === 'GET') return route.fallback();
    const call = { method: route.request().method(), path: new URL(route.request().url()).pathname,
      body: route.request().postDataJSON(), answer: (json, status = 200) => route.fulfill({ json, status }) };
    const next = waiting.shift();
    if (next) next(call);
    else held.push(call);
  });
  return () => (held.length ? held.shift() : new Promise(resolve => waiting.push(resolve)));
}

async function open(t, options) {
  const daemon = await startDaemon(t);
  const { page, fake } = await FakeDaemon.open(t, browser, daemon, options);
  const request = await hold(page);
  await page.locator('a.card').first().waitFor();
  return { page, fake, request };
}

for (const order of ['the removal first', 'the answer first'])
  test(`a closed card stays away: updates under way, ${order}, a reload`, async t => {
    const { page, fake, request } = await open(t, { sessions: [summary('a'), summary('b')] });
    await cardOf(page, 'a').hover();
    await closeButton(page, 'a').click();
    await cardOf(page, 'a').waitFor({ state: 'detached' });
    const call = await request(); // under way, and not answered yet
    assert.deepEqual([call.method, call.path], ['DELETE', '/api/sessions/a']);

    const settled = async what => { // a change of another card that is drawn was drawn after what came before it
      fake.update('b', { toolCalls: 100 + what });
      await page.locator('.card-tools', { hasText: `${100 + what} tool calls` }).waitFor();
      assert.deepEqual(await ids(page), ['b']);
    };
    fake.update('a', { toolCalls: 7, status: 'working' });
    await settled(1);
    fake.snapshot([summary('a', { toolCalls: 8 }), summary('b')]); // written before the daemon took the request
    await settled(2);
    if (order === 'the removal first') fake.removed('a');
    await call.answer(OK);
    await settled(3);
    if (order === 'the answer first') fake.removed('a');
    fake.update('a', summary('a'), 50); // older than the removal
    await settled(4);

    await page.reload();
    await cardOf(page, 'b').waitFor();
    assert.deepEqual(await ids(page), ['b']);
  });

test('a refused close brings the card back, as it is by then, and says why', async t => {
  const { page, fake, request } = await open(t, { sessions: [summary('a'), summary('b')], expect: /503/ });
  await cardOf(page, 'a').focus();
  await page.keyboard.press('x');
  await cardOf(page, 'a').waitFor({ state: 'detached' });
  const call = await request();
  fake.update('a', { toolCalls: 42 });
  await call.answer({ error: 'the database cannot be written' }, 503);
  await page.getByRole('alert').getByText('“Session a” was not closed: the database cannot be written').waitFor();
  await page.locator('.card-frame[data-id="a"]', { hasText: '42 tool calls' }).waitFor();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  assert.equal(await page.getByText('was not closed').count(), 0);
});

test('a busy card asks first; Escape leaves everything as it was', async t => {
  const working = summary('a', { status: 'working', tool: { tool: 'Bash', input: 'make', since: Date.now() } });
  const { page, fake, request } = await open(t, { sessions: [working, summary('b', { attention: attention('approval') })] });
  await cardOf(page, 'a').focus();
  await page.keyboard.press('Delete');
  const question = page.getByRole('alertdialog');
  await question.getByText('is working').waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await cardOf(page, 'a').evaluate(e => e === document.activeElement), true, 'the focus is back on the card');

  await page.keyboard.press('x');
  await question.getByRole('button', { name: 'End the agent' }).click();
  const kill = await request();
  assert.deepEqual([kill.method, kill.path, kill.body], ['POST', '/api/sessions/a/kill', { confirm: true }]);
  await kill.answer({ ok: true, pid: 4711, source: 'vscode' });
  fake.update('a', { status: 'ended', tool: null });
  await page.locator('.card-frame[data-id="a"]', { hasText: 'Ended' }).waitFor();

  await cardOf(page, 'b').focus();
  await page.keyboard.press('x');
  await question.getByText('waits for you').waitFor();
  await page.keyboard.press('Enter'); // the focus is on the milder of the two
  await cardOf(page, 'b').waitFor({ state: 'detached' });
  assert.equal((await request()).method, 'DELETE');
});

test('with the keyboard alone: the focus goes on to the next card', async t => {
  const sessions = ['a', 'b', 'c'].map((id, i) => summary(id, { startedAt: 1000 - i }));
  const { page } = await open(t, { sessions });
  await cardOf(page, 'b').focus();
  for (const [gone, next] of [['b', 'c'], ['c', 'a']]) {
    await page.keyboard.press('x');
    await cardOf(page, gone).waitFor({ state: 'detached' });
    await page.waitForFunction(id => document.activeElement?.dataset.id === id, next);
  }
  assert.deepEqual(await ids(page), ['a']);
});

test('from the panel: the question is asked there, and the panel goes with the card', async t => {
  const { page, request } = await open(t, { sessions: [summary('a', { status: 'working' }), summary('b')], path: '/session/a' });
  const panel = page.locator('aside.panel');
  await panel.getByRole('button', { name: 'Close the card' }).click();
  const question = panel.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Close the card' }).click();
  await panel.waitFor({ state: 'detached' });
  assert.deepEqual(await ids(page), ['b']);
  await (await request()).answer(OK);
});

test('on a phone the cross is always there', async t => {
  const { page, request } = await open(t, {
    sessions: [summary('a'), summary('b')], viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true,
  });
  assert.equal(await closeButton(page, 'a').evaluate(e => getComputedStyle(e).opacity), '1');
  await closeButton(page, 'a').tap();
  await cardOf(page, 'a').waitFor({ state: 'detached' });
  await (await request()).answer(OK);
});

test('for real: gone on every board, through a slow answer, events under way, a reload and a crash', async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const done = new Agent({ cwd: '/home/dev/alpha' }), other = new Agent({ cwd: '/home/dev/beta' });
  await runHooks(daemon.home, [...turn(done, 'Mend the fence'), done.end(), ...turn(other, 'Paint it')]);
  const here = await openPage(t, browser, daemon.url, { expectLoss: true });
  const there = await openPage(t, browser, daemon.url, { expectLoss: true });
  for (const page of [here, there]) await card(page, 'Mend the fence').waitFor();
  let release;
  const released = new Promise(resolve => { release = resolve; });
  await here.route(/\/api\/sessions\/[^/]+$/, async route => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  await card(here, 'Mend the fence').focus();
  await here.keyboard.press('x');
  await card(here, 'Mend the fence').waitFor({ state: 'detached' });
  await card(there, 'Mend the fence').waitFor({ state: 'detached' }); // told, though the answer is still on its way
  release();
  await runHook(daemon.home, other.prompt('And varnish it'));
  for (const page of [here, there]) {
    await card(page, 'And varnish it').waitFor();
    assert.equal(await page.locator('a.card').count(), 1);
  }
  await here.reload();
  await card(here, 'And varnish it').waitFor();
  assert.equal(await here.locator('a.card').count(), 1);
  await daemon.crash();
  await here.getByText('Daemon not reachable').waitFor();
  await daemon.start();
  await here.getByText('Daemon not reachable').waitFor({ state: 'detached' });
  assert.equal(await here.locator('a.card').count(), 1);
});

test('for real: an agent that works on without its card gets a new one, and only one', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.start(), agent.prompt('Mend the fence')]);
  const page = await openPage(t, browser, daemon.url);
  const it = card(page, 'Mend the fence');
  await it.waitFor();
  const before = await it.getAttribute('data-id');
  await it.focus();
  await page.keyboard.press('x');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close the card' }).click();
  await page.getByText('The stable is empty').waitFor();
  await page.waitForFunction(async id => (await (await fetch('/api/sessions')).text()).includes(id) === false, before);
  await runHooks(daemon.home, [agent.pre('Bash', { command: 'make' }), agent.prompt('Now the gate')]);
  await card(page, 'Now the gate').waitFor();
  const after = await page.locator('a.card').evaluateAll(cards => cards.map(c => c.dataset.id));
  assert.equal(after.length, 1);
  assert.notEqual(after[0], before);
});

test('for real: ending the agent ends its process, and the card says so', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  const child = await startAgent(t, daemon.home, [agent.start(), agent.prompt('Mend the fence')], { polite: true });
  const page = await openPage(t, browser, daemon.url);
  const it = card(page, 'Mend the fence');
  await it.waitFor();
  await it.focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'End the agent' }).click();
  assert.deepEqual(await child.ended, [0, null]);
  await it.locator('.card-label', { hasText: 'Ended' }).waitFor();
  assert.match(await it.locator('.card-status').getAttribute('title'), /ended from the board|its process ended/);
  await it.focus();
  await page.keyboard.press('x'); // nothing goes on there any more: no question
  await it.waitFor({ state: 'detached' });
});
