// The health view: how the daemon, the spool and the hooks do.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHook, runHooks } from '../lib/hook.mjs';
import { launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';
import { FakeDaemon, summary } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const spread = ms => ({ avg: ms, min: ms / 2, max: ms * 3, p95: ms * 2 });
const event = (count, rate) => ({ count, rate, latency: spread(4), processing: spread(0.25) });
const STATS = {
  totalHooks: 1234, hooksPerMin: 12, refused: 3, unknown: { WorktreeMade: 2, '<b>odd</b>': 1 }, sampledAt: 1,
  events: { PreToolUse: event(1200, 10), Stop: event(34, 2) },
};

test('the light in the header leads there, and the figures are live', async t => {
  const daemon = await startDaemon(t);
  const { page, fake } = await FakeDaemon.open(t, browser, daemon, { sessions: [summary('a')], stats: STATS });
  await page.locator('a.connection', { hasText: 'Connected' }).click();
  await page.getByText('All is well.').waitFor();
  await page.getByText('3 payloads refused.').waitFor();
  await page.locator('.hooks-refused', { hasText: '<b>odd</b>' }).waitFor();
  const row = page.locator('.hook-table tbody tr').first();
  assert.deepEqual(await row.locator('th, td').allTextContents(), ['PreToolUse', '1,200', '10', '4.0 ms', '8.0 ms', '0.25 ms', '0.50 ms']);
  fake.say({ type: 'hook_stats', stats: { ...STATS, events: { ...STATS.events, PreToolUse: event(1201, 11) } } });
  await row.getByText('1,201').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('a.card').waitFor();
  await page.keyboard.press('h');
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  const asked = () => fake.heard.filter(m => m.type === 'stats').map(m => m.on);
  await fake.until(() => asked().length === 3);
  await page.keyboard.press('h');
  await page.locator('a.card').waitFor();
  await fake.until(() => asked().length === 4);
  assert.deepEqual(asked(), [true, false, true, false]);
});

test('for real: what the hooks bring is counted as it happens, and can be reset', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const page = await openPage(t, browser, `${daemon.url}/health`);
  await page.getByText('All is well.').waitFor();
  await page.getByText('No hook has fired').waitFor();
  await runHooks(daemon.home, [agent.start(), ...turn(agent, 'Count me'), agent.event('Frobnicate')]);
  const rows = page.locator('.hook-table tbody tr');
  await rows.filter({ hasText: 'Stop' }).waitFor();
  assert.deepEqual((await rows.locator('th').allTextContents()).sort(),
    ['PostToolUse', 'PreToolUse', 'SessionStart', 'Stop', 'UserPromptSubmit']);
  await page.locator('.hooks-refused', { hasText: 'Frobnicate' }).waitFor();
  for (const figure of await rows.first().locator('td').allTextContents()) assert.match(figure, /^[\d,.]+( ms| s)?$/);
  await page.getByText('5 events taken in').waitFor();
  await page.getByRole('button', { name: 'Reset the figures' }).click();
  await page.getByText('No hook has fired').waitFor();
  await runHook(daemon.home, agent.prompt('Once more'));
  await rows.filter({ hasText: 'UserPromptSubmit' }).waitFor();
  assert.equal(await rows.count(), 1);
});

test('trouble is told in the header and in sentences', async t => {
  const daemon = await startDaemon(t);
  const problems = ['the database cannot be written: no space left on device'];
  const { page } = await FakeDaemon.open(t, browser, daemon, {
    sessions: [summary('a')], stats: { ...STATS, totalHooks: 0, refused: 0, unknown: {}, events: {} },
    before: page => page.route('**/api/health', route => route.fulfill({
      json: { status: 'degraded', version: '0.1.0', pid: 1, uptimeMs: 1, problems } })),
  });
  const light = page.locator('a.connection', { hasText: 'Trouble' });
  await light.waitFor();
  assert.match(await light.getAttribute('title'), /no space left on device/);
  await light.click();
  await page.getByText('The database cannot be written: no space left on device.').waitFor();
  await page.getByText('No hook has fired').waitFor();
});

test('on a phone every figure can be read', async t => {
  const daemon = await startDaemon(t);
  const { page } = await FakeDaemon.open(t, browser, daemon, {
    stats: STATS, path: '/health', viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true,
  });
  await page.locator('.hook-table').getByText('PreToolUse').waitFor();
  await noSidewaysScroll(page);
});
