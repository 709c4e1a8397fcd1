// The board as a person sees it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { environment, makeHome, startDaemon } from '../lib/daemon.mjs';
import { HOOK, runHook, runHooks } from '../lib/hook.mjs';
import { card, launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const TOOL = { command: 'npm test', description: 'Run the tests' };

test('an empty board says how to begin', async t => {
  const daemon = await startDaemon(t);
  const page = await openPage(t, browser, daemon.url);
  await page.getByText('ostler demo').waitFor();
  await page.getByText('No agent is installed on this machine yet').waitFor();
  assert.equal(await page.locator('a.card').count(), 0);
  await noSidewaysScroll(page);
});

test('an empty board connects the agents that are there', async t => {
  const home = makeHome(t), settings = path.join(home, '.claude/settings.json');
  fs.mkdirSync(path.dirname(settings));
  const daemon = await startDaemon(t, { home });
  const page = await openPage(t, browser, daemon.url, { expect: /409/ });
  const row = page.locator('.agent-hooks li');
  await row.getByText('not connected').waitFor();
  assert.equal(await row.count(), 1);
  fs.writeFileSync(settings, '{"hooks": 7}');
  await row.getByRole('button', { name: 'Connect Claude Code' }).click();
  await page.getByRole('alert').getByText(/settings\.json/).waitFor(); // what is in the way is said, and nothing is changed
  assert.equal(fs.readFileSync(settings, 'utf8'), '{"hooks": 7}');
  fs.writeFileSync(settings, '{"model": "opus"}');
  await row.getByRole('button', { name: 'Connect Claude Code' }).click();
  await row.getByText(/^connected, \d+ events$/).waitFor();
  const { model, hooks } = JSON.parse(fs.readFileSync(settings, 'utf8'));
  assert.equal(model, 'opus');
  assert.match(hooks.Stop[0].hooks[0].command, /ostler-hook --cli claude$/);
  await page.reload();
  await row.getByText(/^connected, \d+ events$/).waitFor();
});

test('an agent that is not installed is said to be so, with what installs it, before it is started', async t => {
  const home = makeHome(t), bin = path.join(home, 'bin');
  fs.mkdirSync(bin);
  fs.writeFileSync(path.join(bin, 'claude'), '#!/bin/sh\n', { mode: 0o755 });
  const daemon = await startDaemon(t, { home, env: { PATH: `${bin}:/usr/bin:/bin` } });
  const page = await openPage(t, browser, daemon.url);
  await page.getByRole('main').getByRole('button', { name: 'New terminal' }).click();
  const dialog = page.getByRole('dialog', { name: 'New terminal' });
  await dialog.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await dialog.getByText('Codex CLI').click();
  await dialog.getByText('Codex CLI is not installed on this machine').waitFor();
  await dialog.getByText(/^npm install .*@openai\/codex/).waitFor();
  await dialog.getByRole('button', { name: 'Start anyway' }).waitFor();
  for (const [name, how] of [['Gemini CLI', /@google\/gemini-cli/], ['Copilot CLI', /@github\/copilot/], ['opencode', /opencode-ai/]]) {
    await dialog.getByRole('radio', { name }).check({ force: true });
    await dialog.getByText(how).waitFor();
  }
  await dialog.getByText('Claude Code').click();
  await dialog.getByRole('button', { name: 'Start', exact: true }).waitFor();
});

test('only the heading over those that need you has their colour', async t => {
  const daemon = await startDaemon(t);
  const [asks, works] = ['alpha', 'beta'].map(name => new Agent({ cwd: `/home/dev/${name}` }));
  await runHooks(daemon.home, [asks.prompt('Clean up'), asks.pre('Bash', TOOL), asks.permission('Bash', TOOL), works.prompt('Paint it')]);
  const page = await openPage(t, browser, daemon.url);
  const colour = name => page.locator('.group-name', { hasText: name }).evaluate(e => getComputedStyle(e).color);
  const ink = await page.evaluate(() => getComputedStyle(document.body).color);
  assert.deepEqual([await colour('alpha'), await colour('beta')], [ink, ink]);
  await page.keyboard.press('g');
  await page.locator('.group-name', { hasText: 'Needs you' }).waitFor();
  assert.notEqual(await colour('Needs you'), ink);
  assert.equal(await colour('Working'), ink);
});

test('a card with nothing said on it has room for what the agent runs', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  const command = 'npm run bench -- --filter query --iterations 10000 --report out/bench.json';
  await runHooks(daemon.home, [agent.prompt('Find the slow query'), agent.pre('Bash', { command })]);
  const page = await openPage(t, browser, daemon.url);
  const code = card(page, 'Find the slow query').locator('.tool-now code');
  await code.waitFor();
  assert.ok(await code.evaluate(e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth), 'all of it is to be read');
});

test('a hook fired in a shell changes the card', async t => {
  const daemon = await startDaemon(t);
  const page = await openPage(t, browser, daemon.url);
  await page.getByText('ostler demo').waitFor();
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  const shell = payload => execFileSync('sh', ['-c', `printf %s "$PAYLOAD" | ${HOOK}`],
    { env: environment(daemon.home, { PAYLOAD: JSON.stringify(payload) }) });
  shell(agent.prompt('please fix the flaky test'));
  const it = card(page, 'Fix the flaky test');
  await it.waitFor();
  for (const [payload, words] of [
    [agent.pre('Bash', TOOL), /working/i],
    [agent.permission('Bash', TOOL), /approve/i],
    [agent.post('Bash', TOOL), /working/i],
    [agent.stop('All tests pass.'), /finished/i],
  ]) {
    shell(payload);
    await it.locator('.card-label').filter({ hasText: words }).waitFor();
  }
  shell(agent.end());
  await page.locator('section.group[data-tone="ended"]').getByText('Fix the flaky test').waitFor();
  assert.equal(await page.locator('a.card').count(), 1);
});

test('refresh, a killed daemon and what happened meanwhile: nothing is lost', async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.start(), ...turn(agent, 'First question')]);
  const page = await openPage(t, browser, daemon.url, { expectLoss: true });
  await card(page, 'First question').waitFor();
  await page.reload();
  await card(page, 'First question').waitFor();

  await daemon.crash();
  await page.getByText('Daemon not reachable').waitFor();
  await card(page, 'First question').waitFor(); // the cards stay as they were
  const other = new Agent({ cwd: '/home/dev/beta' });
  await runHook(daemon.home, agent.prompt('Second question'));
  await runHook(daemon.home, other.prompt('Somebody else'));
  await daemon.start();
  await card(page, 'Second question').waitFor();
  await card(page, 'Somebody else').waitFor();
  assert.equal(await page.locator('a.card').count(), 2);
  await page.getByText('Daemon not reachable').waitFor({ state: 'detached' });
});

test('a session opens by a click and by its address, and follows what happens', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.start(), ...turn(agent, 'Mend the fence')]);
  const page = await openPage(t, browser, daemon.url);
  await card(page, 'Mend the fence').click();
  const panel = page.locator('aside.panel');
  await panel.getByText('All tests pass.').first().waitFor();
  await runHook(daemon.home, agent.prompt('And the gate'));
  await panel.getByText('And the gate').first().waitFor();
  await page.reload(); // the address is the session's
  await page.locator('aside.panel').getByText('And the gate').first().waitFor();
});

test('an address that leads to no session says so', async t => {
  const daemon = await startDaemon(t);
  const page = await openPage(t, browser, `${daemon.url}/session/nobody`, { expect: /404/ });
  await page.getByText('The board has no session nobody').waitFor();
  await page.getByRole('link', { name: 'Back to the board' }).click();
  await page.getByText('The stable is empty').waitFor();
});

for (const colorScheme of ['light', 'dark'])
  test(`the ${colorScheme} theme is the system's`, async t => {
    const daemon = await startDaemon(t);
    await runHooks(daemon.home, turn(new Agent(), 'What colour is it'));
    const page = await openPage(t, browser, daemon.url, { colorScheme });
    await card(page, 'What colour is it').waitFor();
    const lightness = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      for (const element of [document.documentElement, document.body]) { // the upper one may be transparent
        canvas.fillStyle = getComputedStyle(element).backgroundColor;
        canvas.fillRect(0, 0, 1, 1);
      }
      const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
      return (r + g + b) / 3;
    });
    assert.ok(colorScheme === 'dark' ? lightness < 80 : lightness > 180, `lightness ${lightness}`);
  });

test('a chosen theme stays', async t => {
  const daemon = await startDaemon(t);
  const page = await openPage(t, browser, daemon.url, { colorScheme: 'light' });
  await page.getByRole('button', { name: 'Dark theme' }).click();
  await page.getByRole('button', { name: 'Light theme' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Light theme' }).waitFor();
});

test('on a phone nothing scrolls sideways', async t => {
  const daemon = await startDaemon(t);
  const long = 'Averylongwordwithoutanyplacetobreakit'.repeat(6);
  for (let i = 0; i < 4; i++) {
    const agent = new Agent({ cwd: `/home/dev/${i ? 'short' : long}` });
    await runHooks(daemon.home, [agent.prompt(`${i ? 'A question' : long} ${i}`), agent.pre('Bash', { command: long })]);
  }
  const page = await openPage(t, browser, daemon.url, { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  await card(page, 'A question 3').waitFor();
  await noSidewaysScroll(page);
  await card(page, 'A question 3').click();
  await page.locator('aside.panel').waitFor();
  await noSidewaysScroll(page);
});

test('the header has room for all that is in it, whatever the width', async t => {
  const daemon = await startDaemon(t);
  await runHooks(daemon.home, turn(new Agent(), 'Mend the fence'));
  const page = await openPage(t, browser, daemon.url);
  await card(page, 'Mend the fence').waitFor();
  for (const width of [360, 390, 640, 720, 920, 1100, 1280, 1680, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const spilled = await page.locator('header.header').evaluate(header => {
      const { top, bottom, right } = header.getBoundingClientRect();
      const within = e => e.closest('.pills') !== null || e.getClientRects().length === 0
        || (e.getBoundingClientRect().top >= top && e.getBoundingClientRect().bottom <= bottom && e.getBoundingClientRect().right <= right);
      return [...header.querySelectorAll('a, button, input')].filter(e => !within(e)).map(e => e.className || e.id);
    });
    assert.deepEqual(spilled, [], `at ${width} px`);
    await noSidewaysScroll(page);
  }
});

test('what agents write is shown as text', async t => {
  const daemon = await startDaemon(t);
  const evil = '<img src=x onerror="window.owned=1"><script>window.owned=1</script>';
  const agent = new Agent({ cwd: `/home/dev/${evil.replaceAll('/', '')}` });
  await runHooks(daemon.home, [agent.prompt(evil), agent.pre('Bash', { command: evil }), agent.stop(evil)]);
  const page = await openPage(t, browser, daemon.url);
  const it = page.locator('a.card');
  await it.waitFor();
  await it.click();
  await page.locator('aside.panel').getByText('onerror').first().waitFor();
  assert.equal(await page.evaluate(() => window.owned), undefined);
});

test('many agents at once do not move the page about', async t => {
  const daemon = await startDaemon(t);
  const agents = Array.from({ length: 12 }, (_, i) => new Agent({ cwd: `/home/dev/p${i % 3}` }));
  for (const agent of agents) await runHook(daemon.home, agent.prompt('Get going'));
  const page = await openPage(t, browser, daemon.url, { viewport: { width: 1280, height: 1600 } }); // all of them on the screen
  await page.waitForFunction(() => document.querySelectorAll('a.card').length === 12);
  await page.evaluate(() => {
    window.shift = 0;
    new PerformanceObserver(list => { for (const e of list.getEntries()) window.shift += e.value; }).observe({ type: 'layout-shift' });
  });
  for (const agent of agents) await runHooks(daemon.home, [agent.pre('Bash', TOOL), agent.post('Bash', TOOL)]);
  await page.waitForFunction(() => 
    [...document.querySelectorAll('.card-tools')].filter(e => /^1 /.test(e.textContent.trim())).length === 12);
  assert.ok(await page.evaluate(() => window.shift) < 0.05, 'cards keep their size');
});
