// Notifications in a real Chromium: the real service worker gets what the real daemon pushed to the test's push service, with every
// page closed, and answers from the notification. Chromium has no push service here, so that the way from the push service to the
// browser is the test's own: it opens the message as a browser would and hands the text to the worker (CDP deliverPushMessage). Nor can
// anybody touch a notification here: the worker gets the event as if it had been.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { cleanup } from '../lib/cleanup.mjs';
import { environment, makeHome, ostler, startDaemon } from '../lib/daemon.mjs';
import { HOOK, runHooks } from '../lib/hook.mjs';
import { homeWithPassword } from '../lib/login.mjs';
import { launchBrowser, openPage } from '../lib/page.mjs';
import { Agent } from '../lib/payloads.mjs';
import { Browser, PushService, allowLoopback, subscribe } from '../lib/push_service.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const NO_SERVICE = /push service|Push API|Registration failed/i;

/** A phone's browser in which notifications were turned on, with no page open; `deliver` is its push service. */
async function pocket(t, daemon, { board = `http://localhost:${daemon.port}`, hash = '' } = {}) {
  const page = await openPage(t, browser, null, { ...PHONE, permissions: ['notifications'], expect: NO_SERVICE });
  const context = page.context();
  await page.goto(`${board}/${hash}`);
  await page.locator('.app').waitFor();
  await page.goto(`${board}/health`);
  const registered = context.waitForEvent('serviceworker');
  await page.getByRole('button', { name: 'Notify me here' }).click();
  const worker = await registered;
  await page.getByText(/^On/).waitFor();
  const blank = await context.newPage();
  const cdp = await context.newCDPSession(blank);
  const seen = new Promise(resolve => cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const ours = registrations.find(r => r.scopeURL === `${board}/` && !r.isDeleted);
    if (ours) resolve(ours.registrationId);
  }));
  await cdp.send('ServiceWorker.enable');
  const registrationId = await seen;
  const keyInWorker = () => worker.evaluate(() => new Promise(resolve => {
    const open = indexedDB.open('ostler');
    open.onsuccess = () => {
      const get = open.result.transaction('worker').objectStore('worker').get('key');
      get.onsuccess = () => resolve(get.result ?? null);
    };
  }));
  return {
    page, context, worker, keyInWorker,
    deliver: message => cdp.send('ServiceWorker.deliverPushMessage', { origin: board, registrationId, data: JSON.stringify(message) }),
    /** What stands in the phone's list, once it is as wanted. */
    notifications: wanted => worker.evaluate(async count => {
      for (;;) {
        const all = await registration.getNotifications();
        if (all.length === count) return all.map(({ title, body, tag, actions }) => ({ title, body, tag, actions: actions.map(a => a.action) }));
        await new Promise(done => setTimeout(done, 20));
      }
    }, wanted),
    /** A tap; answers when the worker is done with it. */
    tap: action => worker.evaluate(async action => {
      const [notification] = await registration.getNotifications();
      const event = new NotificationEvent('notificationclick', { notification, action });
      let done = null;
      event.waitUntil = promise => { done = promise; };
      self.dispatchEvent(event);
      await done;
    }, action),
  };
}

function request(t, daemon, agent, input) {
  const hook = spawn(HOOK, ['--cli', 'claude', '--reply'], { env: environment(daemon.home), stdio: ['pipe', 'pipe', 'inherit'] });
  cleanup(t, () => hook.kill('SIGKILL'));
  let text = '';
  hook.stdout.setEncoding('utf8').on('data', d => { text += d; });
  hook.stdin.end(JSON.stringify(agent.permission('Bash', input)));
  return once(hook, 'close').then(() => text);
}

test('with the page closed: a push is shown, allowed from the notification, and the agent goes on', async t => {
  const home = homeWithPassword(t), service = await PushService.start(t);
  allowLoopback(home, { notifyDelay: 1000 });
  const daemon = await startDaemon(t, { home });
  const made = JSON.parse((await ostler(home, ['pair', '--json', '--name', 'phone', '--url', `http://localhost:${daemon.port}`])).stdout);
  const phone = await pocket(t, daemon, { hash: `#pair=${made.code}` });
  assert.equal(new URL(phone.page.url()).hash, '', 'the code does not stay in the address');

  // Its subscription is the test's: with the halves of this very browser.
  const key = await phone.page.evaluate(() => JSON.parse(localStorage.getItem('ostler.key')).key);
  assert.equal(await phone.keyInWorker(), key, 'the worker has its copy of the key');
  const cookies = (await phone.context.cookies()).map(c => `${c.name}=${c.value}`).join('; ');
  const receiver = new Browser(service);
  assert.equal((await subscribe(daemon, receiver, {}, { cookie: cookies, 'x-ostler-key': key, host: `localhost:${daemon.port}` })).status, 200);
  await phone.page.close();

  const agent = new Agent({ cwd: '/srv/app' });
  await runHooks(home, [agent.start(), agent.prompt('Go')]);
  const printed = request(t, daemon, agent, { command: 'npm test' });
  const { message } = await receiver.next();
  await phone.deliver(message);
  const [shown] = await phone.notifications(1);
  assert.deepEqual([shown.body, shown.actions], ['npm test', ['allow', 'deny']]);
  await phone.tap('allow');
  assert.match(await printed, /"allow"/);
  assert.deepEqual(await phone.notifications(0), []);
});

test('what is over is taken back; what is too long to be seen offers no Allow; what came too late says so', async t => {
  const home = makeHome(t), service = await PushService.start(t);
  allowLoopback(home, { notifyDelay: 1000 });
  const daemon = await startDaemon(t, { home });
  const phone = await pocket(t, daemon, { board: daemon.url.replace('127.0.0.1', 'localhost') });
  const receiver = new Browser(service);
  assert.equal((await subscribe(daemon, receiver)).status, 200);
  await phone.page.close();
  const agent = new Agent(), input = { command: `echo ${'x'.repeat(300)}` };
  await runHooks(home, [agent.start(), agent.prompt('Go'), agent.pre('Bash', input)]);
  void request(t, daemon, agent, input);
  const { message } = await receiver.next();
  await phone.deliver(message);
  assert.deepEqual((await phone.notifications(1))[0].actions, ['deny']);
  await runHooks(home, [agent.post('Bash', input)]); // somebody allowed it at the desk
  const { message: over } = await receiver.next();
  assert.equal(over.gone, true);
  // A tap that crosses that is refused, and the phone says so.
  await phone.tap('deny');
  assert.match((await phone.notifications(1))[0].body, /Not denied: /);
  await phone.deliver(over);
  assert.deepEqual(await phone.notifications(0), []);
  await phone.deliver({ nonsense: true });
  assert.deepEqual(await phone.notifications(0), []);
});

test('a tap on a notification brings the board to the front, at the session', async t => {
  const home = makeHome(t);
  allowLoopback(home);
  const daemon = await startDaemon(t, { home });
  const phone = await pocket(t, daemon, { board: daemon.url.replace('127.0.0.1', 'localhost') });
  const agent = new Agent();
  await runHooks(home, [agent.start(), agent.prompt('Go'), agent.stop('Done.')]);
  const { id } = await daemon.get(`/api/sessions/${agent.id}`);
  await phone.deliver({ kind: 'finished', title: 'alpha', project: 'alpha', text: 'Done.', whole: true, can: [], tag: 't', url: `/session/${id}`, at: 1 });
  await phone.notifications(1);
  await phone.worker.evaluate(() => { WindowClient.prototype.focus = async function () { return this; }; }); // there is no window to bring to the front
  await phone.tap('');
  await phone.page.waitForURL(`**/session/${id}`);
  await phone.deliver({ kind: 'finished', title: 'x', text: 'x', tag: 'u', url: 'https://evil.example/' });
  await phone.notifications(1);
  await phone.tap('');
  await phone.page.waitForURL(url => url.pathname === '/');
});

test('nothing is asked of the browser before somebody asks for it, and it can be turned off again', async t => {
  const home = makeHome(t);
  const daemon = await startDaemon(t, { home });
  await runHooks(home, [new Agent().start()]);
  const page = await openPage(t, browser, null, {
    permissions: ['notifications'], expect: NO_SERVICE,
    before: p => p.addInitScript(() => {
      window.asked = 0;
      const ask = Notification.requestPermission.bind(Notification);
      Notification.requestPermission = () => { window.asked++; return ask(); };
    }),
  });
  await page.goto(daemon.url.replace('127.0.0.1', 'localhost'));
  await page.getByText('Be notified when somebody does').click();
  await page.getByRole('heading', { name: 'Notifications on this device' }).waitFor();
  assert.equal(await page.evaluate(() => window.asked), 0);
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  await page.getByRole('button', { name: 'Notify me here' }).click();
  await page.getByText(/^On/).waitFor();
  assert.equal(await page.evaluate(() => window.asked), 1);
  await page.getByLabel('A turn is finished').check();
  await page.getByLabel('Quiet from').fill('22:00');
  await page.reload();
  await page.getByText(/^On/).waitFor();
  assert.equal(await page.getByLabel('A turn is finished').isChecked(), true);
  assert.equal(await page.getByLabel('Quiet from').inputValue(), '22:00');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('button', { name: 'Notify me here' }).waitFor();
});
