// make screenshot: docs/screenshots from a daemon with the demo's agents, in a home that is gone afterwards.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
process.env.OSTLER_BUILD ??= path.join(ROOT, 'build');
const { Daemon, OSTLER, environment } = await import('../test/e2e/lib/daemon.mjs');
const { launchBrowser } = await import('../test/e2e/lib/page.mjs');

const SHOTS = [
  { file: 'board-light.png', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { file: 'board-dark.png', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { file: 'phone.png', colorScheme: 'light', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
];
const CARDS = 8; // the demo is well under way
const FADE_MS = 2500; // a card that has just changed is highlighted for a moment

async function shoot(browser, url, { file, ...options }) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(count => document.querySelectorAll('a.card').length >= count, CARDS, { timeout: 60_000 });
  // One of each kind tells the most.
  await page.waitForFunction(tones => tones.every(tone => document.querySelector(`a.card[data-tone="${tone}"]`)),
    ['needs', 'turn', 'busy'], { timeout: 120_000 });
  await page.waitForTimeout(FADE_MS);
  await page.screenshot({ path: path.join(ROOT, 'docs/screenshots', file) });
  await context.close();
  console.log(`docs/screenshots/${file}`);
}

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-shots-'));
const daemon = await new Daemon(home).start();
const demo = spawn(OSTLER, ['demo', '--agents', '8'], { env: environment(home), stdio: 'ignore' });
const browser = await launchBrowser();
try {
  fs.mkdirSync(path.join(ROOT, 'docs/screenshots'), { recursive: true });
  for (const shot of SHOTS) await shoot(browser, daemon.url, shot);
} finally {
  demo.kill();
  await browser.close();
  await daemon.stop();
  fs.rmSync(home, { recursive: true, force: true });
}
