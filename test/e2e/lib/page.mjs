// The board in a real browser. Anything on its console that is not plain talk fails the test.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';
import { cleanup } from './cleanup.mjs';

const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';

export async function launchBrowser({ args = [] } = {}) {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...args] });
}

/**
 * A page in a context of its own. `expectLoss` lets the failed reconnects of a stopped daemon pass, `expect` whatever else
 * the test provokes. `before` is called with the page before it goes anywhere.
 */
export async function openPage(t, browser, url, { expectLoss = false, expect, before, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const complaints = [];
  page.on('console', message => {
    if (!['error', 'warning'].includes(message.type())) return;
    if (expectLoss && /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|WebSocket connection to/.test(message.text())) return;
    if (expect?.test(message.text())) return;
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', error => complaints.push(`uncaught: ${error.stack ?? error}`));
  page.on('requestfailed', request => {
    const error = request.failure()?.errorText;
    // A page that goes away takes its requests with it.
    if (!expectLoss && error !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} ${error}`);
  });
  await page.addInitScript(() => {
    window.cspViolations = [];
    document.addEventListener('securitypolicyviolation', e => window.cspViolations.push(`${e.violatedDirective} ${e.blockedURI}`));
  });
  cleanup(t, async () => {
    const violations = await page.evaluate(() => window.cspViolations).catch(() => []);
    await context.close();
    assert.deepEqual(complaints, [], 'the console is quiet');
    assert.deepEqual(violations, [], 'the content security policy holds');
  });
  await before?.(page);
  if (url) await page.goto(url);
  return page;
}

/** The card that shows this text. */
export function card(page, text) {
  return page.locator('a.card').filter({ hasText: text });
}

export async function noSidewaysScroll(page) {
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide <= seen, `${wide} px of content in ${seen} px`);
}
