// Pages of other sites in a real browser: what they try, and what becomes of it. And TLS as a person sees it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, test } from 'node:test';
import { cleanup } from '../lib/cleanup.mjs';
import { startDaemon } from '../lib/daemon.mjs';
import { runHook } from '../lib/hook.mjs';
import { card, launchBrowser, openPage } from '../lib/page.mjs';
import { Agent } from '../lib/payloads.mjs';

const EVIL = 'evil.test'; // resolves to this machine, as a name that was rebound would
let browser;
before(async () => { browser = await launchBrowser({ args: [`--host-resolver-rules=MAP ${EVIL} 127.0.0.1, MAP sub.localhost 127.0.0.1`] }); });
after(() => browser?.close());

/** A site of somebody else's, on a port of its own. */
async function startSite(t) {
  const site = http.createServer((_, answer) => answer.setHeader('content-type', 'text/html').end('<!doctype html><title>Cat pictures</title>'));
  site.listen(0, '127.0.0.1');
  cleanup(t, () => { site.close(); site.closeAllConnections(); });
  await once(site, 'listening');
  return site.address().port;
}

/** A page whose console is nobody's business. */
async function openForeign(t, url, options = {}) {
  const context = await browser.newContext(options);
  cleanup(t, () => context.close());
  const page = await context.newPage();
  if (url) await page.goto(url);
  return page;
}

/** All that a page can try against `target`; answers what it got of each. Runs in the page. */
async function attack({ target, forged }) {
  const outcome = async promise => {
    try {
      return await promise;
    } catch (error) {
      return `refused: ${error.name}`;
    }
  };
  const read = options => outcome(fetch(`${target}/api/sessions`, options).then(async answer => `${answer.type} ${await answer.text()}`));
  const post = (type, more = {}) => outcome(fetch(`${target}/api/hooks`, {
    method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(forged), ...more,
  }).then(answer => answer.type));
  const element = (tag, set) => new Promise(done => {
    const it = document.createElement(tag);
    it.onload = () => done('loaded');
    it.onerror = () => done('refused');
    set(it);
    document.body.append(it);
  });
  const socket = path => new Promise(done => {
    const ws = new WebSocket(`${target.replace(/^http/, 'ws')}${path}`);
    ws.onopen = () => done('open');
    ws.onmessage = event => done(`message ${event.data}`);
    ws.onerror = () => done('refused');
  });
  const form = () => new Promise(done => {
    const frame = document.createElement('iframe');
    frame.name = target; // a name of its own
    document.body.append(frame);
    const it = Object.assign(document.createElement('form'), { action: `${target}/api/hooks`, method: 'post', target: frame.name, enctype: 'text/plain' });
    it.append(Object.assign(document.createElement('input'), { name: JSON.stringify(forged).replace(/}$/, ',"x":"'), value: '"}' }));
    document.body.append(it);
    frame.onload = () => done('answered');
    it.submit();
  });
  return {
    read: await read(),
    readOpaque: await read({ mode: 'no-cors' }),
    readWithCookies: await read({ credentials: 'include' }),
    post: await post('application/json'),
    postPlain: await post('text/plain', { mode: 'no-cors' }),
    postBeacon: String(navigator.sendBeacon(`${target}/api/hooks`, JSON.stringify(forged))),
    form: await form(),
    script: await element('script', it => { it.src = `${target}/api/sessions`; }),
    image: await element('img', it => { it.src = `${target}/favicon.svg`; }),
    board: await socket('/ws'),
    root: await socket('/'),
    terminal: await socket('/ws/session/x/worker/y'),
  };
}

for (const [what, host] of [['another port of this machine', '127.0.0.1'], ['another site', EVIL], ['a name under localhost', 'sub.localhost']])
  test(`a page on ${what} cannot read, post, or open a socket`, async t => {
    const daemon = await startDaemon(t);
    const agent = new Agent({ cwd: '/srv/secret' });
    await runHook(daemon.home, agent.start());
    const page = await openForeign(t, `http://${host}:${await startSite(t)}/`);
    for (const target of [`http://127.0.0.1:${daemon.port}`, `http://localhost:${daemon.port}`]) {
      const got = await page.evaluate(attack, { target, forged: new Agent({ id: 'forged' }).start() });
      for (const tried of ['read', 'readOpaque', 'readWithCookies', 'post'])
        assert.match(got[tried], /^refused/, `${tried}: ${got[tried]}`);
      for (const tried of ['script', 'image', 'board', 'root', 'terminal'])
        assert.equal(got[tried], 'refused', `${tried}: ${got[tried]}`);
      assert.doesNotMatch(JSON.stringify(got), /secret/);
    }
    // What a page may send without reading the answer was sent, and refused.
    const sessions = await daemon.get('/api/sessions');
    assert.equal(sessions.forged, undefined);
    assert.equal(sessions[agent.id]?.cwd ?? sessions[agent.id]?.projectPath, '/srv/secret');
  });

test('a page cannot frame the board', async t => {
  const daemon = await startDaemon(t);
  const page = await openForeign(t, `http://${EVIL}:${await startSite(t)}/`);
  await page.evaluate(url => new Promise(done => {
    const frame = Object.assign(document.createElement('iframe'), { src: url, onload: done });
    document.body.append(frame);
  }), daemon.url);
  const framed = page.frames().find(frame => frame !== page.mainFrame());
  assert.equal(await framed.locator('a.connection, header').count(), 0);
  assert.match(framed.url(), /chrome-error/);
});

test('a rebound name is refused, with everything under it', async t => {
  const daemon = await startDaemon(t);
  const page = await openForeign(t);
  const origin = `http://${EVIL}:${daemon.port}`;
  for (const where of ['/', '/api/sessions', '/api/health']) {
    const answer = await page.goto(origin + where);
    assert.equal(answer.status(), 421, where);
    assert.match(await answer.text(), /does not serve that Host/);
  }
  // Now the page is of that origin: even from there nothing is to be had.
  const got = await page.evaluate(async () => {
    const answer = await fetch('/api/sessions');
    const socket = await new Promise(done => {
      const ws = new WebSocket(`ws://${location.host}/ws`);
      ws.onopen = () => done('open');
      ws.onerror = () => done('refused');
    });
    return [answer.status, socket];
  }).catch(error => [String(error)]);
  // Our own policy for such an answer (default-src 'none') stops the page before it can even ask.
  assert.ok(got[0] === 421 || /Failed to fetch|refused/i.test(got[0]), String(got));
  assert.notEqual(got[1], 'open');
});

test('whatever agents and people call things: no script runs, nothing is loaded, nothing leaves', async t => {
  const daemon = await startDaemon(t);
  const asked = [];
  const page = await openPage(t, browser, `${daemon.url}/`, { before: it => it.on('request', request => asked.push(request.url())) });
  const load = '<img src="http://evil.test/i" onerror="window.hit=1"><script>window.hit=1</script>';
  const words = `${load} ![x](http://evil.test/m) [y](javascript:window.hit=1) <iframe src="/api/sessions?framed"></iframe>`;
  for (const [i, id] of ['__proto__', 'constructor', 'toString', '"><img src=x>', '../../x', 'plain'].entries()) {
    const agent = new Agent({ id, cwd: `/srv/p${i}<img src=x onerror=window.hit=1>` });
    const env = { CLAUDE_CODE_PARENT_SESSION_ID: 'plain', CLAUDE_CODE_TEAM_NAME: load, CLAUDE_CODE_AGENT_NAME: load, CLAUDE_CODE_AGENT_COLOR: 'var(--x, url(/api/health?agent))' };
    for (const payload of [agent.start(), agent.prompt(words), agent.pre('Bash', { command: words }), agent.event('Stop', { last_assistant_message: words })])
      await runHook(daemon.home, payload, { env: id === 'plain' ? {} : env });
    let whole;
    while (!(whole = new Map(Object.entries(await daemon.get('/api/sessions?ended=1'))).get(id)));
    for (const color of ['v\\61r(--x, url(/api/health?accent))', 'var(--x, url(/api/health?accent))'])
      assert.equal((await daemon.fetch(`/api/sessions/${whole.id}/accent-color`, { method: 'PUT', body: JSON.stringify({ color }) })).status, 200);
  }
  for (const i of [0, 1, 2, 3, 4, 5]) await page.getByText(`p${i}<img`).first().waitFor();
  await page.locator('a.card').first().click();
  await page.locator('text=onerror').first().waitFor();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.deepEqual(asked.filter(url => new URL(url).origin !== daemon.url || /[?](agent|accent|framed)/.test(url)), []);
});

test('TLS: the board is live over wss', async t => {
  const daemon = await startDaemon(t, { args: ['--tls'] });
  const page = await openPage(t, browser, `https://localhost:${daemon.port}/`, { ignoreHTTPSErrors: true });
  await page.locator('a.connection', { hasText: 'Connected' }).waitFor();
  const sockets = await page.evaluate(() => performance.getEntriesByType('navigation')[0].nextHopProtocol);
  assert.equal(sockets, 'http/1.1');
  const agent = new Agent({ cwd: '/srv/sealed' });
  await runHook(daemon.home, agent.start());
  await card(page, 'sealed').waitFor();
  await runHook(daemon.home, agent.prompt('Say it safely'));
  await card(page, 'Say it safely').waitFor();
});

test('TLS: a page of the same name in plain http cannot open the socket', async t => {
  const daemon = await startDaemon(t, { args: ['--tls'] });
  const page = await openForeign(t, `http://127.0.0.1:${await startSite(t)}/`, { ignoreHTTPSErrors: true });
  const got = await page.evaluate(attack, { target: `https://127.0.0.1:${daemon.port}`, forged: new Agent({ id: 'forged' }).start() });
  for (const tried of ['board', 'root', 'terminal', 'script', 'image']) assert.equal(got[tried], 'refused', tried);
  for (const tried of ['read', 'readOpaque', 'post']) assert.match(got[tried], /^refused/, tried);
});

test('the board works by each of its names', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/srv/named' });
  await runHook(daemon.home, agent.start());
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const page = await openPage(t, browser, `http://${host}:${daemon.port}/`);
    await page.locator('a.connection', { hasText: 'Connected' }).waitFor();
    await card(page, 'named').waitFor();
  }
});
