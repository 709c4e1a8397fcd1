// The terminal's pane in moments that the real daemon cannot be made to have on cue.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { launchBrowser, noSidewaysScroll } from '../lib/page.mjs';
import { GPU_TALK, drawAsText, enterTerminal, screenRows, screenText, untilScreen, untilState } from '../lib/terminal.mjs';
import { FakeDaemon, NOW, attention, summary, terminal } from './fake.mjs';
import { FakeTty } from './fake_tty.mjs';

let browser, daemon;
before(async () => {
  browser = await launchBrowser();
  daemon = await startDaemon();
});
after(async () => {
  await browser?.close();
  await daemon?.stop();
});

const HOSTED = summary('a', { terminalId: 't1', status: 'working' });
const PHONE = { viewport: { width: 390, height: 740 }, isMobile: true, hasTouch: true };

/** The board with one hosted session, and its terminal; both are the test's. */
async function open(t, { path = '/session/a', tty: options, webgl = false, before: more, fields = {}, ...rest } = {}) {
  let tty;
  const { fake, page } = await FakeDaemon.open(t, browser, daemon, {
    sessions: [HOSTED], terminals: [terminal('t1', fields)], path,
    before: async page => {
      if (!webgl) await drawAsText(page);
      tty = await FakeTty.install(page, { picture: 'the picture\r\n$ ', ...options });
      await more?.(page);
    },
    ...rest,
  });
  if (path) await tty.until(() => tty.urls.length > 0);
  return { fake, page, tty };
}

test('a picture, what follows it, and what is typed', async t => {
  const { page, tty } = await open(t);
  await untilScreen(page, /^the picture\n\$/);
  await tty.until(() => tty.said.some(m => m.type === 'ack' && m.offset === 1000));
  tty.output('one\r\n');
  tty.output('two\r\n');
  await untilScreen(page, /^\$ one\ntwo$/);
  await tty.until(() => tty.said.some(m => m.type === 'ack' && m.offset === 1010));
  await enterTerminal(page);
  await page.keyboard.type('é x');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+c');
  await tty.until(() => tty.typed === 'é x\r\x1b\x03');
  assert.equal(new URL(page.url()).pathname, '/session/a', 'Esc is the program’s');
});

test('a connection that is lost continues where it was, and the picture stays', async t => {
  const { page, tty } = await open(t);
  tty.output('before\r\n');
  await untilScreen(page, /before/);
  tty.auto = false;
  tty.drop();
  await untilState(page, 'reconnecting');
  assert.match(await screenText(page), /the picture\n\$ before/);
  await tty.until(() => tty.urls.length > 1);
  assert.equal(tty.urls.at(-1).search, '?epoch=1&offset=1008');
  tty.hello();
  tty.output('after\r\n');
  await untilState(page, 'live');
  await untilScreen(page, /^the picture\n\$ before\nafter$/);
});

test('what is typed while the daemon restarts arrives', async t => {
  const { page, tty } = await open(t);
  await enterTerminal(page);
  tty.drop();
  await page.keyboard.type('ls');
  await tty.until(() => tty.typed === 'ls');
});

test('a new picture takes the place of the old one at once, never by way of an empty screen', async t => {
  const { page, tty } = await open(t, { tty: { picture: 'OLD '.repeat(500) } });
  await untilScreen(page, /OLD/);
  await page.evaluate(() => {
    window.frames_ = [];
    const look = () => {
      const seen = (document.querySelector('.terminal-still') ?? document.querySelector('.xterm-rows')).textContent;
      window.frames_.push(seen.includes('OLD') ? 'old' : seen.includes('NEW') ? 'new' : 'neither');
      requestAnimationFrame(look);
    };
    look();
  });
  // Drawn, and the page has settled: fitting a terminal to its place draws it anew.
  await page.waitForFunction(() => window.frames_.length >= 20 && window.frames_.slice(-20).every(seen => seen === 'old'));
  await page.evaluate(() => { window.frames_ = []; });
  const history = Array.from({ length: 9000 }, (_, i) => `line ${i} ${'.'.repeat(90)}`).join('\r\n');
  tty.offset += 1_000_000;
  tty.snapshot(`${history}\x1b[H\x1b[2J${'NEW '.repeat(500)}`);
  await page.waitForFunction(() => window.frames_.includes('new'));
  assert.deepEqual([...new Set(await page.evaluate(() => window.frames_))], ['old', 'new']);
});

test('a picture of another size, and of another incarnation', async t => {
  const { page, tty } = await open(t);
  await untilScreen(page, /the picture/);
  Object.assign(tty, { epoch: 2, offset: 0 });
  tty.say({ type: 'exit', exitCode: 2, signal: null });
  await untilState(page, 'ended');
  await page.getByText('exit code 2').waitFor();
  tty.say({ type: 'epoch', epoch: 2 });
  tty.snapshot('');
  tty.output('a new life\r\n');
  await untilState(page, 'live');
  await untilScreen(page, /^a new life$/);
});

test('bytes that are missing are asked for, not guessed', async t => {
  const { page, tty } = await open(t, { expect: /output is missing/ });
  await untilScreen(page, /the picture/);
  tty.offset += 500;
  tty.picture = 'all of it';
  tty.output('far ahead');
  await untilScreen(page, /^all of it$/);
  assert.equal(tty.urls.at(-1).search, '');
});

for (const connection of ['ended', 'restored'])
  test(`a terminal that is ${connection} shows what it showed, takes no keys and can be resumed`, async t => {
    const { page, tty } = await open(t, {
      tty: { connection }, fields: { connection, endedAt: NOW - 60_000, viewers: 0 },
      before: page => page.route('**/api/sessions/a/resume', route => {
        assert.equal(route.request().method(), 'POST');
        return route.fulfill({ json: { ok: true, terminalId: 't1', newTerminal: false, fresh: false } });
      }),
    });
    await untilState(page, connection);
    await untilScreen(page, /the picture/);
    await enterTerminal(page);
    await page.keyboard.type('rm -rf');
    const asked = page.waitForRequest('**/api/sessions/a/resume');
    await page.locator('.terminal-bar').getByRole('button', { name: 'Resume' }).click();
    await asked;
    assert.equal(tty.typed, '');
    assert.ok(!tty.said.some(m => m.type === 'resize'), 'nobody is there to be resized');
  });

test('a terminal that the daemon does not have says so', async t => {
  const { page } = await open(t, { tty: { auto: false }, path: '', before: page => page.routeWebSocket(/\/ws\/session\//, socket => {
    socket.send(JSON.stringify({ type: 'error', code: 'NO_TERMINAL', message: 'the worker runs in no terminal of ours' }));
    socket.close({ code: 4404, reason: 'no' });
  }) });
  await page.locator('a.card').click();
  await untilState(page, 'deleted');
});

test('queries are the daemon’s to answer', async t => {
  const { page, tty } = await open(t);
  await untilScreen(page, /the picture/);
  const QUERIES = ['\x1b[c', '\x1b[0c', '\x1b[>c', '\x1b[=c', '\x1b[5n', '\x1b[6n', '\x1b[?6n', '\x1b[?996n', '\x1b[?2026$p', '\x1b[4$p', '\x1b[>q', '\x1b[x',
    '\x1b[?u', '\x1bP$qm\x1b\\', '\x1bP$qr\x1b\\', '\x1bP+q544e\x1b\\', '\x1b]4;1;?\x07', '\x1b]10;?\x07', '\x1b]11;?\x1b\\', '\x1b]12;?\x07', '\x1b]10;?;?\x07',
    '\x1b[14t', '\x1b[16t', '\x1b[18t', '\x1b[21t', '\x1b]52;c;?\x07', '\x1bZ', '\x05'];
  tty.output(QUERIES.join(''));
  tty.output('\r\nasked all');
  await untilScreen(page, /asked all/);
  await enterTerminal(page);
  await page.keyboard.type('!');
  await tty.until(() => tty.typed.endsWith('!'));
  assert.equal(tty.typed, '!');
});

test('true colour, contrast and hostile sequences do not break the policy', async t => {
  const { page, tty } = await open(t);
  tty.output('\x1b[38;2;250;250;250mhardly there\x1b[0m \x1b[48:2::10:20:30mdark\x1b[0m\r\n');
  tty.output(`\x1b]0;<script>${'t'.repeat(100_000)}\x07\x1b[${'9;'.repeat(5000)}m\x1bPq${'#0;'.repeat(20_000)}\x1b\\\x1b]8;;javascript:alert(1)\x07click\x1b]8;;\x07 done\r\n`);
  await untilScreen(page, /hardly there dark\nclick done/);
});

test('erasing above from the last corner of a screen without history, which xterm.js itself does not survive', async t => {
  const { page, tty } = await open(t, { tty: { picture: '' } });
  tty.output('\x1b[999;999H\x1b[1Jstill alive');
  await untilScreen(page, /alive/);
});

test('another page’s size is shown whole, in smaller letters; typing takes it over', async t => {
  const { page, tty } = await open(t, { tty: { cols: 200, rows: 50 }, fields: { viewers: 1 } });
  await untilScreen(page, /the picture/);
  const box = () => page.evaluate(() => {
    const screen = document.querySelector('.xterm-screen').getBoundingClientRect();
    const stage = document.querySelector('.terminal-stage').getBoundingClientRect();
    return { fits: screen.right <= stage.right + 1 && screen.bottom <= stage.bottom + 1, rows: document.querySelectorAll('.xterm-rows > div').length };
  });
  assert.deepEqual(await box(), { fits: true, rows: 50 });
  assert.ok(!tty.said.some(m => m.type === 'resize'), 'looking is not resizing');
  await enterTerminal(page);
  await page.keyboard.type('x');
  await tty.until(() => tty.typed === 'x');
  const asked = tty.said.find(m => m.type === 'resize');
  assert.ok(asked && asked.cols < 200, 'the size follows who types');
  tty.resized(220, 60);
  await page.waitForFunction(() => document.querySelectorAll('.xterm-rows > div').length === 60);
  assert.equal((await box()).fits, true);
});

test('a page that is alone with a terminal gives it its size, and a new one when the window changes', async t => {
  const { page, tty } = await open(t);
  await tty.until(() => tty.said.some(m => m.type === 'resize'));
  const { cols } = tty.said.find(m => m.type === 'resize');
  await page.setViewportSize({ width: 1000, height: 700 });
  await tty.until(() => tty.said.some(m => m.type === 'resize' && m.cols < cols));
  await page.waitForFunction(rows => document.querySelectorAll('.xterm-rows > div').length === rows, tty.rows);
});

test('over the whole window and back, without another connection', async t => {
  const { page, tty } = await open(t);
  await untilScreen(page, /the picture/);
  await page.keyboard.press('Control+Shift+Enter');
  await page.waitForURL('**/session/a/terminal');
  await page.waitForFunction(() => document.querySelector('.terminal-screen').getBoundingClientRect().width > 1200);
  await page.keyboard.type('jk');
  await page.keyboard.press('Escape');
  await tty.until(() => tty.typed === 'jk\x1b');
  await page.keyboard.press('Control+Shift+L');
  await page.waitForURL(url => url.pathname === '/session/a');
  assert.equal(tty.urls.length, 1);
  await enterTerminal(page);
  await page.keyboard.press('Control+Shift+L');
  await page.keyboard.press('Escape');
  await page.waitForURL(url => url.pathname === '/');
});

test('the letters are as large as their reader likes, also next time', async t => {
  const { page, tty } = await open(t);
  await tty.until(() => tty.said.some(m => m.type === 'resize'));
  const before = tty.cols;
  await page.getByRole('button', { name: 'Larger letters' }).click();
  await tty.until(() => tty.cols < before);
  const larger = tty.cols;
  tty.said = [];
  await page.reload();
  await tty.until(() => tty.urls.length === 2 && tty.cols === larger);
  await enterTerminal(page);
  await page.keyboard.press('Control+Shift+0');
  await tty.until(() => tty.cols === before);
});

test('search finds in the scrollback and counts', async t => {
  const picture = Array.from({ length: 300 }, (_, i) => `row ${i}${i % 100 === 7 ? ' needle' : ''}`).join('\r\n');
  const { page, tty } = await open(t, { tty: { picture } });
  await untilScreen(page, /row 299/);
  await enterTerminal(page);
  await page.keyboard.press('Control+Shift+F');
  await page.locator('.terminal-search input').fill('needle');
  const count = page.locator('.terminal-search output');
  await count.filter({ hasText: '3 of 3' }).waitFor();
  await page.keyboard.press('Enter');
  await count.filter({ hasText: '2 of 3' }).waitFor();
  await untilScreen(page, /row 107 needle/);
  await page.keyboard.press('Escape');
  await page.locator('.terminal-search').waitFor({ state: 'detached' });
  await page.keyboard.type('q');
  await tty.until(() => tty.typed === 'q');
});

test('the clipboard: paste in brackets, copy, and what a program may put there', async t => {
  const { page, tty } = await open(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await untilScreen(page, /the picture/);
  await page.locator('.panel').focus();
  await page.evaluate(() => navigator.clipboard.writeText('two\nlines'));
  tty.output(`\x1b]52;c;${Buffer.from('not while nobody types here').toString('base64')}\x07\x1b[?2004hbrackets`);
  await untilScreen(page, /brackets/);
  assert.equal(await clipboard(), 'two\nlines');
  await enterTerminal(page);
  await page.keyboard.press('Control+Shift+V');
  await tty.until(() => tty.typed === '\x1b[200~two\rlines\x1b[201~');
  tty.output(`\x1b]52;c;${Buffer.from('grüße').toString('base64')}\x07 copied`);
  await untilScreen(page, /copied/);
  assert.equal(await clipboard(), 'grüße');
  const row = page.locator('.xterm-screen');
  await row.dblclick({ position: { x: 5, y: 5 } });
  await page.keyboard.press('Control+Shift+C');
  await page.waitForFunction(async () => await navigator.clipboard.readText() === 'the');
});

test('links open with Ctrl, other programs are asked about, scripts never run', async t => {
  const { page, tty, } = await open(t, { before: page => page.context().route('https://example.org/**', route => route.fulfill({ body: 'hello' })) });
  tty.output('\x1b[H\x1b[2J\x1b]8;;mailto:a@example.org\x07write to a\x1b]8;;\x07\r\n\x1b]8;;javascript:window.owned=1\x07click me\x1b]8;;\x07\r\nhttps://example.org/page\r\n');
  await untilScreen(page, /example\.org\/page/);
  const cell = await page.evaluate(() => document.querySelector('.xterm-rows > div').getBoundingClientRect().height);
  const at = row => ({ position: { x: 40, y: cell * (row + 0.5) } });
  const screen = page.locator('.xterm-screen');
  const follow = async (row, modifiers) => {
    await screen.hover(at(row));
    await page.waitForFunction(() => document.querySelector('.xterm-cursor-pointer'));
    await screen.click({ ...at(row), modifiers });
  };
  await follow(0, ['Control']);
  await page.getByText('Open this address?').waitFor();
  await page.getByText('mailto:a@example.org').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await follow(1, ['Control']);
  const opened = page.context().waitForEvent('page');
  await follow(2, []);
  await follow(2, ['Control']);
  const other = await opened;
  assert.equal(other.url(), 'https://example.org/page');
  assert.equal(await other.evaluate(() => window.opener), null);
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.equal(page.context().pages().length, 2, 'a plain click selects');
});

test('drawn by the graphics card where there is one, and without it when it goes', async t => {
  const { page, tty } = await open(t, { webgl: true, expect: new RegExp(`${GPU_TALK.source}|webgl context not restored`) });
  await untilState(page, 'live');
  const screen = page.locator('.terminal-screen');
  if (await screen.getAttribute('data-renderer') !== 'webgl') return t.skip('no WebGL in this browser');
  await page.evaluate(() => {
    for (const canvas of document.querySelectorAll('.xterm-screen canvas')) canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  });
  await page.locator('.terminal-screen[data-renderer="dom"]').waitFor();
  tty.output('still here\r\n');
  await untilScreen(page, /still here/);
});

test('on a phone: the key row, and nothing beyond the edge', async t => {
  const { page, tty } = await open(t, PHONE);
  await untilScreen(page, /the picture/);
  await noSidewaysScroll(page);
  const key = name => page.getByRole('toolbar', { name: 'Keys' }).getByRole('button', { name, exact: true });
  await page.locator('.terminal-screen').tap();
  await key('Escape').tap();
  await key('Up').tap();
  tty.output('\x1b[?1happ');
  await untilScreen(page, /app/);
  await key('Up').tap();
  await key('Control').tap();
  assert.equal(await key('Control').getAttribute('aria-pressed'), 'true');
  await page.keyboard.type('d');
  await key('Alt').tap();
  await page.keyboard.type('b');
  await page.keyboard.type('b');
  await key('Interrupt').tap();
  await key('Pipe').tap();
  await tty.until(() => tty.typed === '\x1b\x1b[A\x1bOA\x04\x1bbb\x03|');
  assert.ok(await page.evaluate(() => document.activeElement.matches('.terminal-screen textarea')), 'the keyboard stays');
  // The soft keyboard takes half of the screen: what is left is the terminal's.
  await page.setViewportSize({ width: 390, height: 400 });
  await page.waitForFunction(() => document.querySelector('.key-row').getBoundingClientRect().bottom <= innerHeight + 1);
});

test('a new terminal from the dialog: what is wrong is said there, then it is there to be typed in', async t => {
  const asked = [];
  const { page, fake, tty } = await open(t, {
    path: '', expect: /400/,
    before: page => page.route('**/api/terminals', async route => {
      asked.push(route.request().postDataJSON());
      if (asked.length === 1)
        return route.fulfill({ status: 400, json: { success: false, error: 'workingDir does not exist' } });
      fake.terminals = [...fake.terminals, terminal('t2', { id: 'b', kind: 'shell', command: '' })];
      fake.update('b', summary('b', { sessionId: 't2', terminalId: 't2', status: 'connecting', title: 'Build', workerType: 'terminal', model: '' }));
      fake.terminal({ terminalId: 't2' });
      return route.fulfill({ json: { ok: true, terminalId: 't2', sessionId: 't2' } });
    }),
  });
  await page.locator('a.card').waitFor();
  await page.keyboard.press('n');
  const dialog = page.getByRole('dialog', { name: 'New terminal' });
  await dialog.getByText('Other command').click();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.getByText('Say which command to run.').waitFor();
  await dialog.getByText('Shell', { exact: true }).click();
  await dialog.getByLabel('Directory').fill('/nowhere');
  await dialog.getByLabel('Name').fill('Build');
  await page.keyboard.press('Enter');
  await dialog.getByText('workingDir does not exist').waitFor();
  await dialog.getByLabel('Directory').fill('/home/dev');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/session/b');
  await page.waitForFunction(() => document.activeElement?.matches('.terminal-screen textarea'));
  await page.keyboard.type('make');
  await tty.until(() => tty.typed === 'make');
  assert.deepEqual(asked[1], { command: '', workingDir: '/home/dev', sessionTitle: 'Build' });
  assert.match(tty.urls.at(-1).pathname, /^\/ws\/session\/b\/worker\/t2$/);
});

test('cards show what is on their terminals, as long as somebody sees them', async t => {
  const many = Array.from({ length: 40 }, (_, i) => summary(`s${i}`, { terminalId: `t${i}`, startedAt: NOW - i * 1000 }));
  const { page, fake } = await FakeDaemon.open(t, browser, daemon, {
    sessions: many, terminals: many.map(s => terminal(s.terminalId, { id: s.id })), screens: { t0: ['$ make', 'all done', '$ '] },
  });
  const shown = () => fake.heard.filter(m => m.type === 'terminal_thumbnails').at(-1)?.terminalIds;
  await fake.until(() => shown()?.length > 0);
  const first = shown();
  assert.ok(first.length < 40, `${first.length} are seen`);
  await page.waitForFunction(() => {
    const canvas = [...document.querySelectorAll('.thumbnail')].find(c => c.closest('[data-id="s0"]'));
    if (!(canvas?.width > 100)) return false;
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    return copy.getImageData(0, 0, canvas.width, canvas.height).data.some(v => v > 0);
  });
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await fake.until(() => shown().some(id => !first.includes(id)));
  const heights = () => page.evaluate(() => [...new Set([...document.querySelectorAll('.card-frame')].map(c => c.offsetHeight))]);
  const before = await heights();
  await page.getByRole('button', { name: 'Terminals on the cards' }).click();
  await fake.until(() => shown().length === 0);
  assert.deepEqual(await heights(), before, 'cards keep their size');
  await page.reload();
  await page.locator('a.card').first().waitFor();
  assert.equal(await page.locator('.thumbnail').count(), 0);
});

test('what does not run any more is resumed from its card, however long its command', async t => {
  const { page } = await FakeDaemon.open(t, browser, daemon, {
    sessions: [summary('a', { lastTerminalId: 't1', status: 'ended', endedAt: NOW, workerType: 'terminal', model: 'a long command line '.repeat(10) })],
    terminals: [terminal('t1', { connection: 'ended', endedAt: NOW, exitCode: 1 })],
    before: page => page.route('**/api/sessions/a/resume', route => route.fulfill({ json: { ok: true, terminalId: 't1' } })),
  });
  const asked = page.waitForRequest('**/api/sessions/a/resume');
  await page.getByRole('button', { name: /^Resume/ }).click();
  await asked;
  assert.equal(new URL(page.url()).pathname, '/', 'the card was not opened by that');
  const within = await page.evaluate(() => document.querySelector('.card-resume').getBoundingClientRect().right <= document.querySelector('.card-frame').getBoundingClientRect().right);
  assert.ok(within);
});

for (const [name, options] of [['at a desk', {}], ['on the smallest phone', { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true }]])
  test(`what is about to rest says when, and is kept from its card: ${name}`, async t => {
    const restsAt = new Date(NOW).setHours(14, 2, 11, 0);
    const { page } = await FakeDaemon.open(t, browser, daemon, {
      sessions: [summary('a', { lastTerminalId: 't1', workerType: 'terminal', label: 'a label that takes much room', model: 'shell' })],
      terminals: [terminal('t1', { kind: 'shell', restsAt })],
      before: page => page.route('**/api/terminals/t1/keep', route => route.fulfill({ json: { ok: true } })),
      ...options,
    });
    await page.getByText('Rests at 14:02', { exact: true }).waitFor();
    const keep = page.getByRole('button', { name: /^Keep .* rests at 14:02/ });
    const [button, words, preview] = await page.evaluate(() => ['.card-resume', '.card-rests', '.thumbnail'].map(c => {
      const { left, right, top, bottom } = document.querySelector(c).getBoundingClientRect();
      return { left, right, middle: (top + bottom) / 2 };
    }));
    assert.equal(Math.round(button.right), Math.round(preview.right), 'it ends where the card\'s other lines do');
    assert.ok(words.right < button.left && Math.abs(words.middle - button.middle) < 1);
    if (options.hasTouch) {
      const finger = await page.evaluate(() => {
        const { left, top, width } = document.querySelector('.card-resume').getBoundingClientRect();
        return document.elementFromPoint(left + width / 2, top - 6).className;
      });
      assert.match(finger, /card-resume/, 'a finger may miss it a little');
    }
    await noSidewaysScroll(page);
    const header = await page.evaluate(() => {
      const box = document.querySelector('.header').getBoundingClientRect();
      return [...document.querySelectorAll('.header button, .header input')].filter(e => e.offsetParent).map(e => e.getBoundingClientRect())
        .every(e => e.top >= box.top && e.bottom <= box.bottom);
    });
    assert.ok(header, 'the header holds what is in it');
    const asked = page.waitForRequest('**/api/terminals/t1/keep');
    await keep.click();
    await asked;
    assert.equal(new URL(page.url()).pathname, '/', 'the card was not opened by that');
  });

test('closing a card with a terminal asks first', async t => {
  const deleted = [];
  const { page } = await open(t, {
    path: '',
    before: page => page.route(/\/api\/(terminals|sessions)\/[^/]+$/, route => {
      deleted.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
      return route.fulfill({ json: { ok: true } });
    }),
  });
  await page.locator('a.card').focus();
  await page.keyboard.press('x');
  await page.getByText('ends what runs').waitFor();
  await page.getByRole('button', { name: 'Only end it' }).click();
  await page.waitForFunction(() => !document.querySelector('.close-question'));
  assert.deepEqual(deleted, ['DELETE /api/terminals/t1']);
  await page.locator('a.card').focus();
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'End and close' }).click();
  await page.locator('a.card').waitFor({ state: 'detached' });
  assert.deepEqual(deleted, ['DELETE /api/terminals/t1', 'DELETE /api/sessions/a']);
});

test('an agent that asks does not change the size of its terminal', async t => {
  const { page, fake, tty } = await open(t);
  await untilState(page, 'live');
  const rows = (await screenRows(page)).length;
  fake.update('a', { attention: attention('approval', { text: 'Run rm -rf build', detail: 'rm -rf build', form: 'command', tool: 'Bash' }) });
  await page.locator('.panel-status').getByText('Approve').waitFor();
  await page.getByRole('button', { name: 'Request' }).click();
  await page.locator('.request .detail-command', { hasText: 'rm -rf build' }).waitFor();
  await page.getByRole('button', { name: 'Terminal', exact: true }).click();
  await page.getByRole('button', { name: 'Close the card' }).last().click();
  await page.locator('.panel .close-question').waitFor();
  tty.output('still the same');
  await untilScreen(page, /still the same/);
  assert.equal((await screenRows(page)).length, rows);
  assert.equal(tty.said.filter(m => m.type === 'resize').length, 1);
});

test('an emulator that cannot be loaded is not the end of the page', async t => {
  const { page } = await open(t, {
    path: '', expect: /ERR_FAILED|Failed to load|dynamically imported/, expectLoss: true,
    before: page => page.route(/\/assets\/view-.*\.js/, route => route.abort()),
  });
  await page.locator('a.card').click();
  await page.getByText('The terminal could not be loaded').waitFor();
});
