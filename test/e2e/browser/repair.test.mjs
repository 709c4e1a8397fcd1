// Transcripts on the board: what the page says it looks at, and what it shows of what the daemon found.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { launchBrowser, noSidewaysScroll } from '../lib/page.mjs';
import { FakeDaemon, NOW, summary, transcript } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const SENTENCE = 'Another user owns the transcript. Give it to yourself with chown, then check again.';
const named = (id, n, fields) => summary(id, { title: `alpha #${n} — Session ${id}`, startedAt: 1000 - n, ...fields });

async function open(t, sessions, options) {
  const daemon = await startDaemon(t);
  const { page, fake } = await FakeDaemon.open(t, browser, daemon, { sessions, ...options });
  await page.locator('a.card').first().waitFor();
  const judge = (id, status, fields) => fake.update(id, { transcript: transcript(status, fields) });
  return { page, fake, judge, hellos: () => fake.heard.filter(m => m.type === 'hello').map(m => m.sessions) };
}

const cardOf = (page, id) => page.locator(`a.card[data-id="${id}"]`);
const markOf = (page, id) => page.locator(`.card-frame[data-id="${id}"] .card-mark`);
const line = page => page.locator('aside.panel .transcript');
const toasts = page => page.getByRole('alert').locator('.notice-line');
const boxes = (page, selector) => page.locator(selector).evaluateAll(all => all.map(e => {
  const { x, y, width, height } = e.getBoundingClientRect();
  return [x, y, width, height];
}));

test('hello says what is looked at, whenever that changes, and nothing twice', async t => {
  const beta = { projectName: 'beta', projectPath: '/home/dev/beta' };
  const sessions = [named('a', 1), named('b', 2), named('g', 3, { cli: 'gemini' }), named('c', 4, beta)];
  const { page, fake, hellos } = await open(t, sessions);
  const said = [{ visible: ['a', 'b', 'c'], background: [] }];
  const next = async (sessions, act) => {
    said.push(sessions);
    await act();
    await fake.until(() => hellos().length >= said.length);
    assert.deepEqual(hellos(), said);
  };
  await fake.until(() => hellos().length === 1);
  await next({ active: 'b', visible: ['a', 'c'], background: [] }, () => cardOf(page, 'b').click());
  await next({ active: 'a', visible: ['b', 'c'], background: [] }, () => cardOf(page, 'a').click());
  await next({ active: 'a', visible: ['c'], background: ['b'] }, () => page.locator('#filter').fill('beta'));
  await next({ active: 'a', visible: ['b', 'c'], background: [] }, () => page.locator('#filter').fill(''));
  fake.update('b', { status: 'working' }); // b goes before a: another order, the same sessions
  await page.locator('.card-frame[data-id="b"]', { hasText: 'Working' }).waitFor();
  await next({ visible: ['b', 'a', 'c'], background: [] }, () => cardOf(page, 'g').click()); // not one that can be mended
  await next({ visible: [], background: ['a', 'b', 'c'] }, () => page.keyboard.press('h'));
  await next({ visible: ['b', 'a', 'c'], background: [] }, () => page.keyboard.press('h'));
  const zeta = { projectName: 'zeta', projectPath: '/home/dev/zeta' };
  await next({ visible: ['b', 'a', 'c', 'd'], background: [] }, () => fake.update('d', named('d', 5, zeta)));
  fake.sessions = [named('d', 5, zeta)];
  await next({ visible: ['d'], background: [] }, () => fake.socket.close()); // a new connection knows nothing of the one before
  await next({ visible: ['d'], background: [] }, () => fake.socket.close());
});

test('a mark where something was done or must be, nothing elsewhere, and no card moves', async t => {
  const ids = ['healthy', 'repaired', 'long ago', 'corrupted', 'missing', 'unreadable', 'unrecoverable', 'quarantined', 'unknown'];
  const { page, judge, fake } = await open(t, ids.map((id, i) => named(id, i)));
  const places = await boxes(page, '.card-frame, .card-frame .chip, .group-head');
  judge('healthy', 'healthy');
  judge('repaired', 'repaired', { linksFixed: 3 });
  judge('long ago', 'repaired', { checkedAt: NOW - DAY_MS - 1000 });
  judge('corrupted', 'corrupted');
  judge('missing', 'missing');
  judge('unreadable', 'unreadable');
  judge('quarantined', 'quarantined');
  judge('unrecoverable', 'unrecoverable', { message: SENTENCE });
  await markOf(page, 'unrecoverable').getByText('history broken').waitFor();
  assert.deepEqual(await boxes(page, '.card-frame, .card-frame .chip, .group-head'), places);
  const marks = page.locator('.card-mark');
  assert.deepEqual(await marks.evaluateAll(all => all.map(m => [m.closest('.card-frame').dataset.id, m.textContent])),
    [['repaired', 'history mended'], ['unreadable', 'history broken'], ['unrecoverable', 'history broken']]);
  assert.match(await markOf(page, 'repaired').getAttribute('title'), /3 broken links/);
  assert.equal(await markOf(page, 'unrecoverable').getAttribute('title'), `History broken: ${SENTENCE}`);
  assert.match(await cardOf(page, 'unrecoverable').getAttribute('aria-label'), /Idle, history broken$/);
  assert.match(await cardOf(page, 'healthy').getAttribute('aria-label'), /Idle$/);
  await markOf(page, 'repaired').click(); // as everywhere on the card
  await page.locator('aside.panel[data-id="repaired"]').waitFor();
  fake.update('repaired', { transcript: null });
  await markOf(page, 'repaired').waitFor({ state: 'detached' });
});

test('the panel says what is known, and nothing below it jumps', async t => {
  const { page, judge, fake } = await open(t, [named('a', 1), named('g', 2, { cli: 'gemini' })], { path: '/session/a' });
  await line(page).getByText('not checked yet').waitFor();
  const tabs = await boxes(page, '.tabs');
  for (const [status, fields, ...words] of [
    ['healthy', {}, 'healthy · 294 messages deep', '310 messages in the file', 'checked 5m ago'],
    ['repaired', { linksFixed: 3 }, 'mended · 294 messages deep', '310 messages in the file · repaired: 3 links'],
    ['healthy', { linksFixed: 1, chainDepth: 295, messageCount: 12345 }, 'healthy · 295 messages deep',
      '12,345 messages in the file · repaired: 1 link'],
    ['missing', { chainDepth: 0, messageCount: 0 }, 'No transcript on disk yet: a resume would start fresh.'],
    ['corrupted', {}, 'will be mended when the agent pauses'],
    ['quarantined', { chainDepth: 7 }, 'quarantined · 7 messages deep'],
  ]) {
    judge('a', status, fields);
    for (const text of words) await line(page).getByText(text, { exact: true }).waitFor();
    assert.deepEqual(await boxes(page, '.tabs'), tabs, status);
  }
  fake.update('a', { transcript: null });
  await line(page).getByText('not checked yet').waitFor();
  fake.say({ type: 'session.status', sessionId: 'a', status: 'healthy', chainDepth: 12 });
  fake.say({ type: 'session.repair.activity', sessionId: 'a', event: 'scanned', status: 'healthy' });
  await line(page).getByText('healthy · 12 messages deep').waitFor();
  await cardOf(page, 'g').click();
  await page.locator('aside.panel[data-id="g"]').waitFor();
  assert.equal(await line(page).count(), 0, 'only Claude Code has one that can be mended');
});

test('what is broken comes with its reason and the command to try', async t => {
  const { page, judge } = await open(t, [named('a', 1)], { path: '/session/a' });
  judge('a', 'unrecoverable', { chainDepth: 3, message: SENTENCE });
  await line(page).getByText('broken · 3 messages deep').waitFor();
  await line(page).getByText(SENTENCE).waitFor();
  const command = 'ostler repair fix agent-a';
  await line(page).getByText(command, { exact: true }).waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await line(page).getByRole('button', { name: 'Copy' }).click();
  await line(page).getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
  assert.equal(await toasts(page).count(), 0, 'it stands before the reader already');
  judge('a', 'healthy');
  await line(page).getByText('ostler repair').waitFor({ state: 'detached' });
});

test('check again: busy, refused, answered', async t => {
  const { page } = await open(t, [named('a', 1, { transcript: transcript('unrecoverable', { message: SENTENCE, linksFixed: 2 }) })],
    { path: '/session/a', expect: /504/ });
  const calls = [];
  let called;
  await page.route('**/api/sessions/*/repair', route => {
    calls.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    called(route);
  });
  const press = async () => {
    const request = new Promise(resolve => { called = resolve; });
    await line(page).getByRole('button', { name: 'Check again' }).focus();
    await page.keyboard.press('Enter');
    return request;
  };
  let request = await press();
  const busy = line(page).getByRole('button', { name: 'Checking…' });
  await busy.waitFor();
  assert.equal(await busy.getAttribute('aria-disabled'), 'true');
  await page.keyboard.press('Enter'); // once is enough
  await request.fulfill({ status: 504, json: { error: 'the transcript is still being read' } });
  await line(page).getByRole('alert').getByText('Not checked: the transcript is still being read').waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Check again', 'the focus stays');

  request = await press();
  await busy.waitFor();
  assert.equal(await line(page).getByText('Not checked').count(), 0);
  await request.fulfill({ json: { sessionId: 'a', status: 'healthy', chainDepth: 300, orphansFixed: 0 } });
  await line(page).getByText('healthy · 300 messages deep').waitFor();
  await line(page).getByText('checked just now').waitFor();
  await line(page).getByText('repaired: 2 links').waitFor();
  await markOf(page, 'a').waitFor({ state: 'detached' });
  assert.deepEqual(calls, ['POST /api/sessions/a/repair', 'POST /api/sessions/a/repair']);
});

test('the log of events tells it', async t => {
  const { page, fake } = await open(t, [named('a', 1)]);
  fake.detail = { events: [
    { pos: 1, type: 'SessionStart', detail: 'startup', timestamp: NOW },
    { pos: 2, type: 'TranscriptRepaired', detail: 'repaired: 3 links', timestamp: NOW },
    { pos: 3, type: 'TranscriptBroken', detail: SENTENCE, timestamp: NOW },
  ] };
  await cardOf(page, 'a').click();
  await page.getByRole('tab', { name: 'Events' }).click();
  const rows = page.locator('.log.event');
  await rows.first().waitFor();
  assert.deepEqual(await rows.evaluateAll(all => all.map(r => [...r.querySelectorAll('b, span')].map(e => e.textContent))),
    [['History broken', SENTENCE], ['History mended', 'repaired: 3 links'], ['SessionStart', 'startup']]);
  assert.deepEqual(await rows.evaluateAll(all => all.map(r => r.querySelectorAll('.icon').length)), [1, 1, 0]);
});

test('one notice for what could not be mended, and only for that', async t => {
  const { page, fake, judge } = await open(t, ['a', 'b', 'c', 'd'].map((id, i) => named(id, i)));
  judge('b', 'repaired', { linksFixed: 3 });
  judge('c', 'missing');
  judge('a', 'unrecoverable', { message: SENTENCE });
  await toasts(page).getByText('The history of “Session a” could not be mended.').waitFor();
  await markOf(page, 'b').waitFor();
  assert.equal(await toasts(page).count(), 1);
  fake.say({ type: 'session.status', sessionId: 'a', status: 'unrecoverable', message: SENTENCE });
  await toasts(page).getByRole('button', { name: 'Dismiss' }).click();
  judge('a', 'healthy');
  judge('a', 'unrecoverable', { message: SENTENCE }); // said already
  fake.snapshot(['a', 'b', 'd'].map((id, i) => named(id, i, { transcript: transcript(id === 'd' ? 'unreadable' : 'unrecoverable') })));
  await toasts(page).getByText('The history of “Session d” cannot be read.').waitFor();
  assert.deepEqual(await toasts(page).locator('span').allTextContents(),
    ['The history of “Session b” could not be mended.', 'The history of “Session d” cannot be read.']);
  await toasts(page).first().getByRole('link', { name: 'Open' }).click();
  await page.locator('aside.panel[data-id="b"]').getByText('broken · 294 messages deep').waitFor();
  assert.equal(await toasts(page).count(), 1, 'who has opened it has read it');
  judge('d', 'healthy');
  await toasts(page).waitFor({ state: 'detached' });
});

test('on a phone', async t => {
  const { page, judge } = await open(t, [named('a', 1), named('b', 2)],
    { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  judge('a', 'unrecoverable', { chainDepth: 3, message: SENTENCE });
  judge('b', 'repaired', { linksFixed: 3 });
  await markOf(page, 'b').waitFor();
  await noSidewaysScroll(page);
  const within = async (selector, width) => {
    for (const [x, , w] of await boxes(page, selector)) assert.ok(x >= 0 && x + w <= width, `${selector}: ${x} + ${w}`);
  };
  await within('.card-mark, .notice-line, .notice-open', 360);
  await toasts(page).getByRole('link', { name: 'Open' }).tap();
  await line(page).getByText('ostler repair fix').waitFor();
  await noSidewaysScroll(page);
  await within('.transcript, .transcript *', 360);
  for (const [, , , height] of await boxes(page, '.transcript button')) assert.ok(height >= 40, 'large enough for a thumb');
});
