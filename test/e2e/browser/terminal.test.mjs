// Terminals in a real browser, with the real daemon, real keepers and real programs in them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeHome, startDaemon } from '../lib/daemon.mjs';
import { launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { drawAsText, enterTerminal, screenRows, screenText, untilScreen, untilState } from '../lib/terminal.mjs';
import { makeTerminal } from '../lib/tty.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const FLOOD_BYTES = 200_000_000;

/** A daemon, a shell in it that says nothing but its prompt, and a page that looks at it. */
async function openShell(t, { daemonOptions = {}, where = id => `/session/${id}`, opened = true, ...options } = {}) {
  const home = makeHome(t);
  const daemon = await startDaemon(t, { home, ...daemonOptions });
  fs.writeFileSync(path.join(home, 'rc'), "PS1='ready> '\n");
  const made = await makeTerminal(daemon, { argv: ['bash', '--rcfile', path.join(home, 'rc')], workingDir: home, sessionTitle: 'The shell' });
  const page = await openPage(t, browser, daemon.url + where(made.sessionId), { before: drawAsText, ...options });
  if (opened) await untilState(page, 'live');
  if (opened) await untilScreen(page, /^ready>/);
  return { daemon, home, page, ...made };
}

/** Types a command line. */
async function run(page, line) {
  await enterTerminal(page);
  await page.keyboard.type(`${line}\n`);
}

test('whoever opens a terminal types into it, and nothing that is typed is taken for a shortcut', async t => {
  const { page } = await openShell(t, { where: () => '/', opened: false });
  const it = page.locator('a.card').filter({ hasText: 'The shell' });
  let release;
  const released = new Promise(resolve => { release = resolve; });
  await page.route(/\/assets\/view-.*\.js/, async route => { await released; await route.fallback(); });
  await it.click();
  await page.locator('.terminal-pane').waitFor();
  await page.keyboard.type('echo "early $((1 + 1))"'); // e renames a card, o opens one, …; the emulator is not even loaded
  await page.keyboard.press('Enter');
  release();
  await untilScreen(page, /^early 2/);
  await page.waitForFunction(() => document.activeElement?.matches('.terminal-screen textarea'));
  await page.keyboard.type('echo "then $((2 + 2))"\n');
  await untilScreen(page, /^then 4/);
  for (const leave of [() => page.locator('.panel').focus(), () => page.getByRole('button', { name: 'Larger letters' }).click()]) {
    await leave();
    await page.keyboard.type('echo hex');
    await page.waitForFunction(() => document.activeElement?.matches('.terminal-screen textarea'));
    await untilScreen(page, /echo hex$/);
    await page.keyboard.press('Control+U');
  }
  assert.equal(await page.locator('.panel-title input').count(), 0);
  assert.equal(await page.locator('.close-question').count(), 0);
  assert.equal(new URL(page.url()).pathname, `/session/${await it.getAttribute('data-id')}`);
});

test('a shell runs until it has exited, and then stands with those that ended', async t => {
  const { page } = await openShell(t);
  const it = page.locator('.card-frame', { hasText: 'The shell' });
  await it.locator('.card-label', { hasText: 'Running' }).waitFor();
  await page.locator('.terminal-state', { hasText: 'Running' }).waitFor();
  await page.locator('.pill[data-tone="running"]', { hasText: '1 running' }).waitFor();
  assert.equal(await page.getByText('Idle', { exact: true }).count(), 0);
  await run(page, 'exit 3');
  await it.locator('.card-label', { hasText: 'Exited' }).waitFor();
  await page.locator('.terminal-state', { hasText: 'Exited' }).getByText('exit code 3').waitFor();
  await page.locator('section.group[data-tone="ended"]').getByText('The shell').waitFor();
});

/** Numbered lines, so slowly that something can happen meanwhile. */
const count = last => `for i in $(seq ${last}); do echo "#$i#"; if ((i % 50 == 0)); then sleep 0.02; fi; done; echo all of them`;

/** The numbers on the screen; each is one more than the one above. */
async function numbers(page) {
  const all = (await screenRows(page)).map(row => /^#(\d+)#$/.exec(row)?.[1]).filter(Boolean).map(Number);
  for (const [i, n] of all.entries()) if (i > 0) assert.equal(n, all[i - 1] + 1, `${all}`);
  return all;
}

/** How often something is on the screen or in its scrollback. */
async function countOf(page, text) {
  await enterTerminal(page);
  await page.keyboard.press('Control+Shift+F');
  await page.locator('.terminal-search input').fill(text);
  const output = page.locator('.terminal-search output');
  await output.filter({ hasText: /none|of/ }).waitFor();
  const said = await output.textContent();
  await page.keyboard.press('Escape');
  return said === 'none' ? 0 : Number(/of (\d+)/.exec(said)[1]);
}

test('a shell from the dialog: there at once, typed in, on its card', async t => {
  const home = makeHome(t);
  const daemon = await startDaemon(t, { home });
  const page = await openPage(t, browser, daemon.url, { before: drawAsText, expect: /400/ });
  await page.getByRole('main').getByRole('button', { name: 'New terminal' }).click();
  const dialog = page.getByRole('dialog', { name: 'New terminal' });
  await dialog.getByText('Shell', { exact: true }).click();
  await dialog.getByLabel('Directory').fill(path.join(home, 'nowhere'));
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.locator('.dialog-problem').filter({ hasText: /\w/ }).waitFor();
  await dialog.getByLabel('Directory').fill(home);
  await dialog.getByLabel('Name').fill('My shell');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForFunction(() => document.activeElement?.matches('.terminal-screen textarea'));
  await untilState(page, 'live');
  await page.keyboard.type('echo $((6*7)) $PWD\n');
  await untilScreen(page, new RegExp(`^42 ${home}`));
  await page.keyboard.press('Control+Shift+L');
  await page.keyboard.press('Escape');
  const card = page.locator('a.card').filter({ hasText: 'My shell' });
  await card.waitFor();
  await page.waitForFunction(() => {
    const canvas = document.querySelector('.thumbnail');
    if (!canvas?.width) return false;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data.some(v => v > 0);
  });
});

test('a refresh in the middle of its output: nothing is missing, nothing is there twice', async t => {
  const { page } = await openShell(t);
  await run(page, count(4000));
  await untilScreen(page, /^#\d\d\d+#$/);
  await page.reload();
  await untilScreen(page, /^all of them/, 60_000);
  assert.equal((await numbers(page)).at(-1), 4000);
  for (const n of [1, 17, 1999, 3000, 4000]) assert.equal(await countOf(page, `#${n}#`), 1, `line ${n}`);
});

test('a restart of the daemon in the middle of its output', async t => {
  const { daemon, page } = await openShell(t, { daemonOptions: { samePort: true }, expectLoss: true });
  await run(page, count(6000));
  await untilScreen(page, /^#\d\d\d+#$/);
  await daemon.crash();
  await daemon.start();
  await untilScreen(page, /^#6000#\nall of them/, 120_000);
  await untilState(page, 'live');
  await numbers(page);
  for (const n of [150, 2000, 5999]) assert.equal(await countOf(page, `#${n}#`), 1, `line ${n}`);
  await run(page, 'echo "still" "here"');
  await untilScreen(page, /^still here/);
});

test('the program has the size of the pane', async t => {
  const { page } = await openShell(t);
  const size = async when => {
    await run(page, `echo ${when} $(stty size)`);
    const said = new RegExp(`^${when} (\\d+) (\\d+)$`, 'm');
    await untilScreen(page, said);
    return (await screenText(page)).match(said).slice(1).map(Number);
  };
  const [rows, cols] = await size('first');
  assert.equal(rows, (await screenRows(page)).length);
  await page.setViewportSize({ width: 1000, height: 560 });
  await page.waitForFunction(before => document.querySelectorAll('.xterm-rows:not(.terminal-still) > div').length < before, rows);
  const [fewer, narrower] = await size('then');
  assert.ok(fewer < rows && narrower < cols, `${rows}×${cols} became ${fewer}×${narrower}`);
  assert.equal(fewer, (await screenRows(page)).length);
});

test('an editor: the screen it takes over, its keys, and what was there before', async t => {
  const { page, home } = await openShell(t);
  await run(page, 'echo before the editor; vi note.txt');
  await untilScreen(page, /^~$/);
  await page.keyboard.type('ihello from the browser');
  await page.keyboard.press('Escape');
  await page.keyboard.type(':w\n');
  await untilScreen(page, /note\.txt.*written|note\.txt".*1L|1 line/);
  await page.reload();
  await untilScreen(page, /^hello from the browser\n~$/);
  await enterTerminal(page);
  await page.keyboard.type(':q\n');
  await untilScreen(page, /^before the editor/);
  assert.equal(fs.readFileSync(path.join(home, 'note.txt'), 'utf8'), 'hello from the browser\n');
});

test('200 MB in one go: the page answers, and grows by nothing', async t => {
  const { page, daemon, terminalId } = await openShell(t);
  const cdp = await page.context().newCDPSession(page);
  const heap = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize;
  };
  await run(page, 'seq 20000; echo scrollback is full');
  await untilScreen(page, /^scrollback is full/);
  const before = await heap();
  await page.evaluate(() => {
    window.late = [];
    let last = performance.now();
    setInterval(() => {
      const now = performance.now();
      window.late.push(now - last - 20);
      last = now;
    }, 20);
  });
  await run(page, `yes 'a line of a flood that nobody is going to read, and some more of it' | head -c ${FLOOD_BYTES}; echo; echo over`);
  await untilScreen(page, /^over/, 240_000);
  const late = await page.evaluate(() => window.late.sort((a, b) => a - b));
  const after = await heap();
  const grown = (after - before) / 2 ** 20;
  const at = share => late[Math.min(late.length - 1, Math.floor(late.length * share))];
  t.diagnostic(`timers late by ${at(0.5).toFixed(0)} ms (median), ${at(0.99).toFixed(0)} ms (p99), ${late.at(-1).toFixed(0)} ms (max); heap ${grown.toFixed(1)} MiB more`);
  const { bytes } = await daemon.get(`/api/terminals/${terminalId}`);
  assert.ok(bytes >= FLOOD_BYTES, `${bytes} bytes were printed`);
  // Most of it is other processes' doing when there are many; without flow control it is whole seconds.
  assert.ok(at(0.5) < 60 && at(0.99) < 500, `timers late by ${at(0.5)} and ${at(0.99)} ms`);
  assert.ok(grown < 24, `the heap has grown by ${grown} MiB`);
  await run(page, 'echo and "still" there');
  await untilScreen(page, /^and still there/);
});

test('on a phone', async t => {
  const { page } = await openShell(t, { viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true });
  await noSidewaysScroll(page);
  await page.locator('.terminal-screen').tap();
  const key = name => page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name, exact: true });
  await page.keyboard.type('echo one ');
  await key('Pipe').tap();
  await page.keyboard.type(' cat; sleep 100\n');
  await untilScreen(page, /^one$/);
  await key('Interrupt').tap();
  await untilScreen(page, /^one\n\^C\nready>/);
  await key('Control').tap();
  await page.keyboard.type('d');
  await untilState(page, 'ended');
});

test('over the whole window, by its address', async t => {
  const { page } = await openShell(t, { where: id => `/session/${id}/terminal` });
  await page.keyboard.type('echo typed at once\n');
  await untilScreen(page, /^typed at once/);
  await page.getByRole('button', { name: 'Leave full screen' }).click();
  await page.locator('a.card').waitFor();
  await untilScreen(page, /^typed at once/);
});

test('ended by a click, resumed by another one: the same place, the screen from before above', async t => {
  const { page, home } = await openShell(t);
  fs.mkdirSync(path.join(home, 'sub'));
  await run(page, 'cd sub; echo "from the" first life');
  await untilScreen(page, /^from the first life/);
  await page.locator('.terminal-state[title$="/sub"]').waitFor(); // where it is, the daemon sees a moment later
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: 'End it' }).click();
  await untilState(page, 'ended');
  await untilScreen(page, /^from the first life/);
  await page.locator('.terminal-bar').getByRole('button', { name: 'Resume' }).click();
  await untilState(page, 'live');
  await run(page, 'pwd');
  await untilScreen(page, new RegExp(`^${home}/sub`));
  assert.equal(await countOf(page, 'from the first life'), 1);
});

test('what is pasted is text: a page that was copied from cannot end the brackets and press Enter', async t => {
  const { page, home } = await openShell(t);
  await run(page, "bind 'set enable-bracketed-paste on'; echo armed");
  await untilScreen(page, /^armed/);
  await enterTerminal(page);
  const paste = text => page.evaluate(words => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', words);
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
  await paste(`echo harmless\x1b[201~\rtouch ${home}/ran\recho over\r`);
  await untilScreen(page, /echo over/);
  await page.keyboard.press('Control+C');
  await run(page, 'echo "still $((1 + 1))"');
  await untilScreen(page, /^still 2/);
  assert.equal(fs.existsSync(path.join(home, 'ran')), false);
  await paste('echo "pasted $((2 + 2))"');
  await page.keyboard.press('Enter');
  await untilScreen(page, /^pasted 4/);
});
