// make screenshot: docs/screenshots from a daemon with the demo's agents, in a home that is gone afterwards.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '..');
process.env.OSTLER_BUILD ??= path.join(ROOT, 'build');
const { Daemon, OSTLER, environment, keepers } = await import('../test/e2e/lib/daemon.mjs');
const { launchBrowser } = await import('../test/e2e/lib/page.mjs');

const SHOTS = [
  { file: 'board-light.png', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { file: 'board-dark.png', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { file: 'phone.png', colorScheme: 'light', viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
];
const TERMINAL = { file: 'terminal.png', colorScheme: 'dark', viewport: { width: 1280, height: 800 } };
const CARDS = 8; // the demo is well under way
const FADE_MS = 2500; // a card that has just changed is highlighted for a moment

/** What an agent's terminal looks like, for a program that only prints it. */
const E = '\x1b[';
const AGENT = [
  `${E}38;2;215;119;87m╭──────────────────────────────────────────────╮`,
  `│${E}39m ✻ Welcome to ${E}1mClaude Code${E}22m!${' '.repeat(20)}${E}38;2;215;119;87m│`,
  `╰──────────────────────────────────────────────╯${E}39m`, '',
  `${E}2m>${E}22m fix the flaky test in the scheduler`, '',
  `${E}32m●${E}39m ${E}1mBash${E}22m(npm test -- scheduler)`,
  `     ${E}31m✗ 1 failed${E}39m, 41 passed`, '',
  `${E}32m●${E}39m ${E}1mUpdate${E}22m(src/scheduler.ts)`,
  `     ${E}2mUpdated with 2 additions and 1 removal${E}22m`,
  `     ${E}2m87${E}22m    const due = queue.peek();`,
  `     ${E}2m88${E}22m ${E}48;2;92;33;38m-  if (due.at < now) fire(due);                ${E}49m`,
  `     ${E}2m88${E}22m ${E}48;2;34;92;43m+  while (queue.peek()?.at <= now) {           ${E}49m`,
  `     ${E}2m89${E}22m ${E}48;2;34;92;43m+    fire(queue.pop());                        ${E}49m`, '',
  `${E}32m●${E}39m ${E}1mBash${E}22m(npm test -- scheduler)`,
  `     ${E}32m✓ 42 passed${E}39m`, '',
  `● The queue may hold several that are due; now all of them fire.`, '',
  `${E}38;2;215;119;87m✻ Tinkering…${E}39m ${E}2m(14s · ↑ 2.1k tokens · esc to interrupt)${E}22m`, '', '> ',
].join('\n');

async function host(daemon, title, argv) {
  const answer = await daemon.fetch('/api/terminals', { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ argv, workingDir: ROOT, sessionTitle: title, cols: 90, rows: 30 }) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).terminalId;
}

async function shootTerminal(browser, daemon, { file, ...options }) {
  const text = path.join(daemon.home, 'agent.txt');
  fs.writeFileSync(text, AGENT);
  await host(daemon, 'Dev server', ['sh', '-c', 'printf "  VITE ready in 412 ms\\n\\n  Local: http://localhost:5173/\\n"; exec sleep 1000']);
  const id = await host(daemon, 'Fix the flaky test in the scheduler', ['sh', '-c', 'printf "%s" "$(cat "$0")"; exec sleep 1000', text]);
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${daemon.url}/session/${id}`);
  await page.waitForSelector('.xterm-screen', { timeout: 60_000 });
  await page.waitForTimeout(FADE_MS);
  await page.screenshot({ path: path.join(ROOT, 'docs/screenshots', file) });
  await context.close();
  console.log(`docs/screenshots/${file}`);
}

async function shoot(browser, url, { file, ...options }) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(async count => Object.keys(await (await fetch('/api/sessions')).json()).length >= count, CARDS,
    { timeout: 60_000, polling: 500 });
  // One of each kind tells the most.
  await page.waitForFunction(tones => tones.every(tone => document.querySelector(`.card-frame[data-tone="${tone}"], .asking[data-tone="${tone}"]`)),
    ['needs', 'done', 'busy'], { timeout: 120_000 });
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
  await shootTerminal(browser, daemon, TERMINAL);
} finally {
  demo.kill();
  await browser.close();
  await daemon.stop();
  for (const pid of keepers(home)) process.kill(pid, 'SIGKILL');
  fs.rmSync(home, { recursive: true, force: true });
}
