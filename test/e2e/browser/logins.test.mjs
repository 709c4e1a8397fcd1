// What lets a browser in belongs to the board's origin; several tabs share it; and who is logged in is shown and revoked.
import assert from 'node:assert/strict';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { SUBPROTOCOL } from '../lib/board.mjs';
import { cleanup } from '../lib/cleanup.mjs';
import { startDaemon } from '../lib/daemon.mjs';
import { runHooks } from '../lib/hook.mjs';
import { ageLogins, bearer, cookieName, homeWithPassword, login, openSocket, PASSWORD, UNAUTHORIZED } from '../lib/login.mjs';
import { card, launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const REFUSED = /status of 401/;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const HOUR = 3_600_000;

const field = page => page.getByLabel('Password');
const enter = async page => {
  await field(page).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await card(page, 'Mend the fence').waitFor();
};
const keyOf = page => page.evaluate(() => JSON.parse(localStorage.getItem('ostler.key')));
const cookieOf = async page => (await page.context().cookies()).find(one => one.name.startsWith('ostler_login_'))?.value;

/** A daemon with a password and one card; `board` is its address by the name that all ports share. */
async function start(t, options = {}) {
  const home = homeWithPassword(t);
  const daemon = await startDaemon(t, { home, samePort: true, ...options });
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(home, [agent.start(), ...turn(agent, 'Mend the fence')]);
  return { home, daemon, board: `http://localhost:${daemon.port}` };
}

/** Another tab of the same browser. */
async function secondTab(page, url) {
  const tab = await page.context().newPage();
  await tab.goto(url);
  return tab;
}

/** Another user's server on another port: keeps what browsers send to it. */
async function thief(t) {
  const caught = [];
  const server = http.createServer((request, response) => {
    caught.push(request.headers);
    response.setHeader('content-type', 'text/html');
    response.end('<title>dev server</title><link rel="icon" href="data:,">Hello');
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  cleanup(t, () => server.close());
  return { caught, url: `http://localhost:${server.address().port}` };
}

async function shoot(page, name) {
  const dir = process.env.OSTLER_SHOTS;
  if (dir) await page.screenshot({ path: path.join(dir, `${name}.png`), fullPage: true });
}

test('a server on another port gets the cookie of the board, and nothing with it', async t => {
  const { daemon, board } = await start(t);
  const page = await openPage(t, browser, board);
  await enter(page);
  const { caught, url } = await thief(t);
  const trap = await page.context().newPage();
  await trap.goto(url);
  const stolen = caught[0].cookie;
  assert.match(stolen, new RegExp(`${cookieName(daemon)}=[0-9a-f]{64}`), 'the browser has sent it there');
  assert.ok(!JSON.stringify(caught).includes((await keyOf(page)).key), 'the key stays where it is');
  assert.equal(await trap.evaluate(() => localStorage.getItem('ostler.key')), null);

  const value = stolen.match(/=([0-9a-f]{64})/)[1];
  const routes = [['GET', '/api/sessions'], ['GET', '/api/terminals'], ['POST', '/api/terminals'], ['GET', '/api/auth/logins'],
    ['POST', '/api/auth/renew'], ['GET', '/api/hooks/status'], ['POST', '/api/hooks/install'], ['GET', '/api/pty-stats'], ['GET', `/api/sessions?token=${value}`]];
  for (const headers of [{ cookie: stolen }, { cookie: stolen, ...bearer(value) }, { cookie: stolen, 'x-ostler-key': value }])
    for (const origin of [{}, { origin: board }, { origin: daemon.url }])
      for (const [method, where] of routes)
        assert.equal((await daemon.fetch(where, { method, headers: { ...headers, ...origin } })).status, 401, `${method} ${where}`);
  for (const origin of [undefined, board, daemon.url])
    for (const protocols of [[], [SUBPROTOCOL], [SUBPROTOCOL, `ostler.key.${value}`]]) {
      const headers = { cookie: stolen, ...(origin && { origin }) };
      const { closed } = openSocket(t, daemon, '/ws', { headers, protocols });
      assert.deepEqual(await closed, UNAUTHORIZED);
    }
  // From its page, in the browser that has both halves: nothing is answered to it, and no socket is opened.
  const tried = await trap.evaluate(async ([to]) => {
    const read = await fetch(`${to}/api/sessions`, { credentials: 'include' }).then(r => r.status, () => 'blocked');
    const socket = await new Promise(resolve => {
      const ws = new WebSocket(`${to.replace('http', 'ws')}/ws`, ['ostler.v1']);
      ws.onmessage = () => resolve('message');
      ws.onclose = () => resolve('closed');
    });
    return [read, socket];
  }, [board]);
  assert.deepEqual(tried, ['blocked', 'closed']);
  await page.reload();
  await card(page, 'Mend the fence').waitFor();
});

test('a reload, another tab and a tab that waits before the login all have the one login', async t => {
  const { daemon, board } = await start(t);
  const page = await openPage(t, browser, board);
  const waiting = await secondTab(page, board);
  await field(waiting).waitFor();
  await page.bringToFront();
  await enter(page);
  await card(waiting, 'Mend the fence').waitFor(); // by itself
  await page.reload();
  await card(page, 'Mend the fence').waitFor();
  const third = await secondTab(page, board);
  await card(third, 'Mend the fence').waitFor();
  const { key } = await keyOf(third);
  const { logins } = await (await daemon.fetch('/api/auth/logins', { headers: { cookie: `${cookieName(daemon)}=${await cookieOf(page)}`, 'x-ostler-key': key } })).json();
  assert.equal(logins.length, 1);

  await page.getByRole('button', { name: 'Log out' }).click();
  // The tab that logs out loads the page anew, so that nothing of the board stays in its memory.
  const loaded = page.waitForEvent('load');
  await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await loaded;
  for (const tab of [page, waiting, third]) {
    await field(tab).waitFor();
    assert.equal(await tab.evaluate(() => localStorage.getItem('ostler.key')), null);
  }
  assert.equal(await cookieOf(page), undefined);
});

test('the halves are renewed while tabs are open, and none of them notices', async t => {
  const { home, daemon, board } = await start(t);
  const page = await openPage(t, browser, board, { expectLoss: true });
  await enter(page);
  const tab = await secondTab(page, board);
  await card(tab, 'Mend the fence').waitFor();
  const old = { cookie: await cookieOf(page), ...(await keyOf(page)) };

  await daemon.stop();
  ageLogins(home, HOUR);
  await daemon.start();
  // Both tabs find that it is time, at the same moment: a browser tells a change to the others only.
  await page.evaluate(() => {
    localStorage.setItem('ostler.key', JSON.stringify({ ...JSON.parse(localStorage.getItem('ostler.key')), renewAt: 1 }));
    dispatchEvent(new StorageEvent('storage', { key: 'ostler.key' }));
  });
  for (const one of [page, tab]) {
    await one.waitForFunction(was => JSON.parse(localStorage.getItem('ostler.key')).key !== was, old.key);
    await card(one, 'Mend the fence').waitFor();
  }
  const now = { cookie: await cookieOf(page), ...(await keyOf(page)) };
  assert.notEqual(now.cookie, old.cookie);
  assert.ok(now.renewAt > Date.now() + HOUR / 2);
  assert.deepEqual(await keyOf(tab), await keyOf(page));
  const status = async half => (await daemon.fetch('/api/sessions', { headers: { cookie: `${cookieName(daemon)}=${half.cookie}`, 'x-ostler-key': half.key } })).status;
  assert.deepEqual([await status(now), await status(old)], [200, 200], 'the old ones are good for another minute');

  await daemon.stop();
  ageLogins(home, 61_000);
  await daemon.start();
  assert.deepEqual([await status(now), await status(old)], [200, 401]);
  for (const one of [page, tab]) {
    await one.reload();
    await card(one, 'Mend the fence').waitFor();
  }
});

test('a copied cookie jar without the page\'s storage shows the way in, and a new login mends it', async t => {
  const { board } = await start(t);
  const page = await openPage(t, browser, board);
  await enter(page);
  const copy = await openPage(t, browser, null);
  await copy.context().addCookies(await page.context().cookies());
  await copy.goto(board);
  await field(copy).waitFor();
  assert.doesNotMatch(await copy.content(), /Mend the fence/);
  await enter(copy);
  await page.reload();
  await card(page, 'Mend the fence').waitFor();

  await page.context().clearCookies(); // and the key without its cookie
  await page.reload();
  await field(page).waitFor();
  await page.waitForFunction(() => localStorage.getItem('ostler.key') === null);
});

test('where storage is forbidden one is logged in for as long as the page lives', async t => {
  const { board } = await start(t);
  const page = await openPage(t, browser, board, { before: it => it.addInitScript(() => {
    for (const name of ['getItem', 'setItem', 'removeItem'])
      Storage.prototype[name] = () => { throw new DOMException('forbidden', 'SecurityError'); };
  }) });
  await enter(page);
  await page.getByRole('link', { name: 'Health' }).or(page.locator('a.connection')).first().click();
  await page.getByRole('heading', { name: 'Logged in' }).waitFor();
});

for (const [name, options] of [['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['phone', PHONE], ['phone-dark', { ...PHONE, colorScheme: 'dark' }]])
  test(`who is logged in is listed, and revoked from another browser: ${name}`, async t => {
    const { daemon, board } = await start(t);
    const [page, other] = [await openPage(t, browser, board, options), await openPage(t, browser, board)];
    for (const one of [page, other]) await enter(one);
    await login(daemon, PASSWORD, { 'user-agent': 'curl/8.5.0' });
    await page.locator('a.connection').click();
    const rows = page.locator('.logins li');
    await page.locator('.logins li:nth-child(3)').waitFor();
    assert.match(await rows.first().innerText(), /Chrome \d+ on Linux\s+this browser\s+from (127\.0\.0\.1|::1) \(/);
    assert.equal(await page.locator('.login-current').count(), 1);
    await noSidewaysScroll(page);
    const buttons = page.getByRole('button', { name: /^Revoke the login of / });
    assert.equal(await buttons.count(), 3);
    for (const box of await Promise.all((await buttons.all()).map(one => one.boundingBox())))
      assert.ok(box.height >= (options.isMobile ? 40 : 30), 'large enough');
    await shoot(page, `logins-${name}`);

    await page.getByRole('button', { name: /^Revoke the login of curl/ }).click();
    await page.locator('.logins li:nth-child(3)').waitFor({ state: 'detached' });
    await rows.nth(1).getByRole('button').click();
    await field(other).waitFor(); // at once
    assert.doesNotMatch(await other.content(), /Mend the fence/);
    await other.waitForFunction(() => localStorage.getItem('ostler.key') === null);
    await page.locator('.logins li:nth-child(2)').waitFor({ state: 'detached' });
    await rows.first().getByRole('button').click(); // one's own, too
    await field(page).waitFor();
    assert.equal(await cookieOf(page), undefined);
  });
