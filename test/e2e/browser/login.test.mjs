// The way in, as a person sees it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHooks } from '../lib/hook.mjs';
import { ask, bearer, configure, cookieName, hashOf, homeWithPassword, login, PASSWORD } from '../lib/login.mjs';
import { card, launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

// What a browser writes of a request that was refused, as the test wants it to be.
const REFUSED = /status of (401|429)/;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const field = page => page.getByLabel('Password');
const enter = async (page, password) => {
  await field(page).fill(password);
  await page.keyboard.press('Enter');
};

/** A daemon with a password and one card. */
async function start(t, options = {}) {
  const home = homeWithPassword(t);
  const daemon = await startDaemon(t, { home, ...options });
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(home, [agent.start(), ...turn(agent, 'Mend the fence')]);
  return { home, daemon };
}

/** With OSTLER_SHOTS a picture is left there, for people to look at. */
async function shoot(page, name) {
  const dir = process.env.OSTLER_SHOTS;
  if (dir) await page.screenshot({ path: path.join(dir, `${name}.png`) });
}

test('the password, by keyboard alone, leads to the board; nothing of it is seen before', async t => {
  const { daemon } = await start(t);
  const page = await openPage(t, browser, daemon.url, { expect: REFUSED });
  await field(page).waitFor();
  assert.equal(await field(page).evaluate(it => it === document.activeElement), true, 'it waits for the password');
  assert.doesNotMatch(await page.content(), /Mend the fence/);
  assert.equal(await page.title(), 'ostler');
  await noSidewaysScroll(page);
  await shoot(page, 'login');

  await page.keyboard.press('Enter'); // nothing is no password
  await page.keyboard.type('tq?jx wrong'); // no key is a shortcut here
  await page.keyboard.press('Enter');
  await page.getByText('That is not the password.').waitFor();
  await shoot(page, 'login-wrong');
  await page.keyboard.type(PASSWORD); // replaces what was there
  await page.keyboard.press('Enter');
  await card(page, 'Mend the fence').waitFor();
  assert.equal(await page.locator('.login').count(), 0);
  await page.reload();
  await card(page, 'Mend the fence').waitFor();
});

test('no script can read the cookie, and the page keeps its own half alone', async t => {
  const { daemon } = await start(t);
  const page = await openPage(t, browser, daemon.url);
  await enter(page, PASSWORD);
  await card(page, 'Mend the fence').waitFor();
  const [half] = await page.context().cookies();
  assert.deepEqual([half.name, half.httpOnly, half.sameSite, half.path], [cookieName(daemon), true, 'Strict', '/']);
  const kept = await page.evaluate(() => [document.cookie, ...Object.values(localStorage), ...Object.values(sessionStorage)].join());
  assert.ok(!kept.includes(half.value));
  assert.ok(!kept.includes(PASSWORD));
  const { key } = await page.evaluate(() => JSON.parse(localStorage.getItem('ostler.key')));
  assert.ok(!await page.evaluate(() => location.href + document.documentElement.outerHTML).then(text => text.includes(key)));
  for (const secret of [half.value, key]) assert.equal((await daemon.fetch('/api/sessions', { headers: bearer(secret) })).status, 401);
});

for (const [name, options] of [['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['phone', PHONE], ['phone-dark', { ...PHONE, colorScheme: 'dark' }]])
  test(`looks right: ${name}`, async t => {
    const { daemon } = await start(t);
    const page = await openPage(t, browser, daemon.url, { ...options, expect: REFUSED });
    await enter(page, 'wrong');
    await page.getByText('That is not the password.').waitFor();
    await noSidewaysScroll(page);
    const button = page.getByRole('button', { name: 'Log in' });
    assert.ok((await button.boundingBox()).height >= 40 && (await field(page).boundingBox()).height >= 40, 'large enough for a finger');
    const [ink, paper] = await button.evaluate(it => [getComputedStyle(it).color, getComputedStyle(it).backgroundColor]);
    assert.notEqual(ink, paper);
    await shoot(page, `login-${name}`);
    await field(page).fill(PASSWORD);
    await button.click();
    await card(page, 'Mend the fence').waitFor();
    await noSidewaysScroll(page);
    await shoot(page, `board-${name}`);
    if (options.isMobile) { // where there is no room in the header it is among the rest about the daemon
      await page.locator('a.connection').click();
      await page.getByRole('heading', { name: 'Health' }).waitFor();
    }
    await page.locator('[aria-label="Log out"]:visible').click();
    await page.getByText('Log out?').waitFor();
    await shoot(page, `logout-${name}`);
  });

test('who tries too often is told how long to wait, and may go on then', async t => {
  const { daemon } = await start(t);
  const page = await openPage(t, browser, daemon.url, { expect: REFUSED });
  await field(page).waitFor();
  for (let i = 0; i < 6; i++) assert.equal((await ask(daemon, '/api/auth/login', { password: 'wrong' })).status, 401);
  await enter(page, PASSWORD);
  const waiting = page.getByRole('button', { name: /^Wait \d+ s$/ });
  await waiting.waitFor();
  assert.ok(await waiting.isDisabled());
  await page.getByText('Too many tries: please wait.').waitFor();
  await shoot(page, 'login-wait');
  await page.getByText('You may try again now.').waitFor();
  await page.getByRole('button', { name: 'Log in' }).click();
  await card(page, 'Mend the fence').waitFor();
});

test('without a daemon the page says so, and lets in when it is back', async t => {
  const { daemon } = await start(t, { samePort: true });
  const page = await openPage(t, browser, daemon.url, { expectLoss: true });
  await field(page).waitFor();
  await daemon.stop();
  await enter(page, PASSWORD);
  await page.getByText('The daemon does not answer.').waitFor();
  await shoot(page, 'login-offline');
  await daemon.start();
  await page.getByText('The daemon does not answer.').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Log in' }).click();
  await card(page, 'Mend the fence').waitFor();
});

test('logging out shows the way in again; everywhere, in other browsers too, and back there it goes on where it was', async t => {
  const { daemon } = await start(t);
  const [one, two] = [await openPage(t, browser, daemon.url), await openPage(t, browser, daemon.url)];
  for (const page of [one, two]) {
    await enter(page, PASSWORD);
    await card(page, 'Mend the fence').click();
    await page.locator('aside.panel').waitFor();
  }
  await one.getByRole('button', { name: 'Log out' }).click();
  await one.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await one.getByRole('button', { name: 'Log out' }).click();
  await one.getByRole('dialog').getByRole('button', { name: 'Log out' }).click();
  await field(one).waitFor();
  assert.doesNotMatch(await one.content(), /Mend the fence/);
  assert.deepEqual(await one.context().cookies(), []);
  assert.equal(await one.evaluate(() => localStorage.getItem('ostler.key')), null);
  assert.equal(await two.locator('aside.panel').count(), 1);

  const token = await login(daemon);
  assert.equal((await ask(daemon, '/api/auth/logout', { everywhere: true }, bearer(token))).status, 200);
  await field(two).waitFor();
  assert.doesNotMatch(await two.content(), /Mend the fence/);
  await enter(two, PASSWORD);
  await two.locator('aside.panel').waitFor(); // the address is still the session's
});

test('a password that is set or taken away while somebody looks', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.start(), ...turn(agent, 'Mend the fence')]);
  const page = await openPage(t, browser, daemon.url);
  await card(page, 'Mend the fence').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Log out' }).count(), 0, 'there is nothing to log out of');
  configure(daemon.home, hashOf('new'));
  await ask(daemon, '/api/auth/reload', '');
  await field(page).waitFor();
  await enter(page, 'new');
  await card(page, 'Mend the fence').waitFor();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  fs.rmSync(path.join(daemon.home, 'config/config.json'));
  await ask(daemon, '/api/auth/reload', '');
  await page.getByRole('button', { name: 'Log out' }).waitFor({ state: 'detached' });
  await card(page, 'Mend the fence').waitFor();
});
