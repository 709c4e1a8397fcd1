// A board that is larger than any screen: what is not looked at is not in the document, and nobody notices.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHook } from '../lib/hook.mjs';
import { card, launchBrowser, openPage } from '../lib/page.mjs';
import { Agent } from '../lib/payloads.mjs';
import { FakeDaemon, attention, summary } from './fake.mjs';

const MANY = 120, PROJECTS = 8;

let browser, daemon;
before(async () => {
  browser = await launchBrowser();
  daemon = await startDaemon();
  for (let i = 0; i < MANY; i++) await runHook(daemon.home, new Agent({ cwd: `/home/dev/p${i % PROJECTS}` }).prompt(`Task number ${i}`));
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
});

async function open(t, options) {
  const page = await openPage(t, browser, daemon.url, options);
  await page.locator('.pill', { hasText: `${MANY}` }).waitFor();
  await page.locator('a.card').first().waitFor();
  return page;
}

const focused = page => page.evaluate(() => document.activeElement?.dataset.id);

/** What was begun in a frame is done, and what follows from its sizes too. */
const drawn = page => page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

// The cards of the new place are drawn in a frame after the one that scrolls; until then the old ones stand in the document.
async function toBottom(page) {
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await page.waitForFunction(() => {
    const last = [...document.querySelectorAll('.cards > li')].at(-1)?.getBoundingClientRect();
    return last && last.bottom > 0 && last.top < innerHeight;
  });
}

test('only what is on the screen is in the document, and all of it is found by scrolling', async t => {
  const page = await open(t);
  const seen = new Set(), look = async () => { for (const id of await page.locator('a.card').evaluateAll(all => all.map(c => c.dataset.id))) seen.add(id); };
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let y = 0; y < height; y += 600) {
    await page.evaluate(top => scrollTo(0, top), y);
    await drawn(page);
    assert.ok(await page.locator('a.card').count() < MANY / 2);
    const inView = await page.evaluate(() => document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('.groups') !== null);
    assert.ok(inView);
    await look();
  }
  assert.equal(seen.size, MANY);
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight), height, 'the page is as long as it was');
  const [place, of] = await page.locator('.cards > li').last().evaluate(li => [li.getAttribute('aria-posinset'), li.getAttribute('aria-setsize')]);
  assert.deepEqual([Number(place), Number(of)], [MANY / PROJECTS, MANY / PROJECTS]);
});

test('the keyboard goes everywhere, and keeps its place while one scrolls', async t => {
  const page = await open(t);
  const walked = new Set();
  for (let i = 0; i < MANY; i++) {
    await page.keyboard.press('j');
    walked.add(await focused(page));
  }
  assert.equal(walked.size, MANY);
  const last = await focused(page);
  await page.evaluate(() => scrollTo(0, 0));
  await page.waitForFunction(() => scrollY === 0);
  assert.equal(await focused(page), last, 'the focus is where it was');
  await page.keyboard.press('k');
  const before = await focused(page);
  assert.notEqual(before, last);
  assert.ok(await page.evaluate(() => {
    const { top, bottom } = document.activeElement.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  }), 'what has the focus is on the screen');
  for (let i = 0; i < 60; i++) await page.keyboard.press('ArrowUp');
  assert.ok(await page.evaluate(() => scrollY < 200));
  await page.keyboard.press('Enter');
  await page.locator('aside.panel').waitFor();
});

test('finding goes through the filter, which knows all of them', async t => {
  const page = await open(t);
  assert.equal(await card(page, 'Task number 3').count() > 0 && await card(page, 'Task number 87').count() > 0, false, 'one of them is not drawn');
  await page.keyboard.press('Control+f');
  await page.waitForFunction(() => document.activeElement?.id === 'filter');
  await page.keyboard.type('number 87');
  await card(page, 'Task number 87').waitFor();
  assert.equal(await page.locator('a.card').count(), 1);
});

test('what is looked at stays under the eyes when cards come above it', async t => {
  const page = await open(t);
  await toBottom(page);
  const it = page.locator('section.group').last().locator('.card-frame').last();
  await it.waitFor();
  const id = await it.getAttribute('data-id');
  const top = () => page.locator(`.card-frame[data-id="${id}"]`).evaluate(e => Math.round(e.getBoundingClientRect().top));
  const before = await top(), height = await page.evaluate(() => document.documentElement.scrollHeight);
  for (let i = 0; i < 3; i++) await runHook(daemon.home, new Agent({ cwd: '/home/dev/p0' }).prompt(`One more ${i}`));
  await page.waitForFunction(h => document.documentElement.scrollHeight > h, height);
  await page.locator('.pill', { hasText: `${MANY + 3}` }).waitFor();
  assert.equal(await top(), before);
});

test('what is looked at stays under the eyes when what stands above it grows and shrinks', async t => {
  // Each alone in its project: that one of them asks moves no card, only all of them.
  const sessions = Array.from({ length: 60 }, (_, i) => summary(`s${i}`, { projectPath: `/home/dev/p${i}`, projectName: `p${String(i).padStart(2, '0')}` }));
  const { fake, page } = await FakeDaemon.open(t, browser, daemon, { sessions });
  await page.locator('a.card').first().waitFor();
  await toBottom(page);
  const id = await page.locator('.card-frame').last().getAttribute('data-id');
  const top = () => page.locator(`.card-frame[data-id="${id}"]`).evaluate(e => Math.round(e.getBoundingClientRect().top));
  const before = await top(), height = () => page.evaluate(() => document.documentElement.scrollHeight), small = await height();
  for (let i = 0; i < 8; i++) fake.update(`s${i}`, { attention: attention('approval', { text: 'Run make', detail: 'make', form: 'command' }) });
  await page.waitForFunction(() => document.querySelectorAll('a.asking').length === 8);
  await drawn(page);
  assert.ok(await height() > small, 'the list has more rows');
  assert.equal(await top(), before);
  for (let i = 0; i < 8; i++) fake.update(`s${i}`, { attention: null });
  await page.getByText('Nobody needs you.').waitFor();
  await drawn(page);
  assert.equal(await height(), small);
  assert.equal(await top(), before);
  for (let i = 0; i < 6; i++) fake.removed(`s${i}`);
  await page.waitForFunction(h => document.documentElement.scrollHeight < h, small);
  await drawn(page);
  assert.equal(await top(), before, 'also when the page becomes too short for where it was');
});
