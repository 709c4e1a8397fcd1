// The board in a browser: how soon all of it is there, and how it keeps up while its agents work.
import { Daemon } from '../e2e/lib/daemon.mjs';
import { launchBrowser } from '../e2e/lib/page.mjs';
import { append, feed, payloads, record } from './fleet.mjs';
import { quantile, report } from './report.mjs';

const SESSIONS = 300, RATE = 400, STEP_MS = 25;
const VIEW = { width: 1280, height: 800 };

/** Sessions in the middle of something: some think, some use a tool, some ask, some are done. */
function* crew() {
  for (let i = 0; i < SESSIONS; i++) {
    const all = [...payloads(i, { prompts: 2 })], left = [12, 7, 3, 0][i % 4];
    yield* all.slice(0, all.length - left);
    if (i % 20 === 2) {
      const { session_id, cwd } = all[0];
      yield { session_id, cwd, hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'git push --force' } };
    }
  }
}

/** What all sessions say in turn, each at another point of its own: at any time some begin, some use tools, some are done. Without an end. */
function* work() {
  const all = Array.from({ length: SESSIONS }, (_, i) => [...payloads(i, { prompts: 1 })]);
  for (let n = 0; ; n++) for (const [i, one] of all.entries()) yield one[(n + i) % one.length];
}

/** Appends events to the spool at the rate, for so long. Answers how many there were. */
async function load(daemon, source, ms) {
  const begun = performance.now();
  let said = 0;
  for (;;) {
    const now = performance.now() - begun;
    if (now >= ms) return said;
    const due = Math.floor(now * RATE / 1000), lines = [];
    for (; said < due; said++) lines.push(record(source.next().value));
    if (lines.length) append(daemon.home, lines.join(''));
    await new Promise(resolve => setTimeout(resolve, STEP_MS));
  }
}

/** What the pills come to when all sessions are there: those that are to be seen are in that of the wanting and in one of their own. */
async function pillsOf(daemon) {
  const sessions = Object.values(await daemon.get('/api/sessions'));
  if (sessions.length !== SESSIONS) throw new Error(`${sessions.length} sessions`);
  return SESSIONS + sessions.filter(s => ['error', 'finished', 'exited'].includes(s.attention?.kind)).length;
}

/** Counts frames from the first on, and tells when the whole board was first on the screen: all counted, cards down to its lower edge. */
function watch(pills) {
  window.frames_ = [];
  window.complete_ = 0;
  const count = () => [...document.querySelectorAll('.pill b')].reduce((sum, b) => sum + Number(b.textContent), 0);
  const filled = () => [...document.querySelectorAll('a.card')].some(card => card.getBoundingClientRect().bottom >= innerHeight);
  const frame = now => {
    window.frames_.push(now);
    if (!window.complete_ && count() >= pills && filled())
      requestAnimationFrame(() => { window.complete_ ||= performance.now(); });
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

const STILL = '<!doctype html><title>still</title><p>A page on which nothing happens.';

/** What the page did while `during` ran: frames a second, the longest waits between them, and where its time went. */
async function measure(page, during) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Performance.enable');
  const figures = async () => Object.fromEntries((await cdp.send('Performance.getMetrics')).metrics.map(m => [m.name, m.value]));
  const before = await figures();
  await page.evaluate(() => { window.frames_ = []; });
  const said = await during();
  const frames = await page.evaluate(() => window.frames_);
  await cdp.send('HeapProfiler.collectGarbage'); // or nodes that are no longer in the document would count
  const after = await figures();
  const gaps = frames.slice(1).map((at, i) => at - frames[i]).sort((a, b) => a - b);
  const share = name => (after[name] - before[name]) * 1000 / frames.length;
  await cdp.detach();
  return {
    said, rate: (frames.length - 1) * 1000 / (frames.at(-1) - frames[0]), worst: quantile(gaps, 0.99), nodes: after.Nodes,
    script: share('ScriptDuration'), layout: share('LayoutDuration') + share('RecalcStyleDuration'), task: share('TaskDuration'),
  };
}

async function open(browser, url, pills) {
  const context = await browser.newContext({ viewport: VIEW });
  const page = await context.newPage();
  await page.addInitScript(watch, pills);
  await page.goto(url);
  return page;
}

/** From the navigation to the frame that shows everything, each time in a browser that knows nothing of the board. */
async function firstComplete(browser, daemon, pills, times) {
  const took = [];
  for (let i = 0; i < times; i++) {
    const page = await open(browser, daemon.url, pills);
    await page.waitForFunction(() => window.complete_ > 0);
    took.push(await page.evaluate(() => window.complete_));
    await page.context().close();
  }
  return took.sort((a, b) => a - b);
}

export async function benchPage(newHome, quick) {
  const ms = quick ? 3000 : 6000;
  const daemon = await new Daemon(newHome()).start();
  const browser = await launchBrowser();
  try {
    await feed(daemon, crew());
    const source = work();
    const took = await firstComplete(browser, daemon, await pillsOf(daemon), quick ? 3 : 5);
    report(`a board of ${SESSIONS} sessions until all is there, median`, quantile(took, 0.5), 'ms', ['≤', 800], `worst ${Math.round(took.at(-1))}`);

    const still = await open(browser, `data:text/html,${STILL}`, Infinity);
    const peer = await measure(still, () => load(daemon, source, ms));
    await still.context().close();
    const page = await open(browser, daemon.url, await pillsOf(daemon));
    await page.waitForFunction(() => window.complete_ > 0);
    const idle = await measure(page, () => new Promise(resolve => setTimeout(resolve, ms)));
    const busy = await measure(page, () => load(daemon, source, ms));
    report('a page on which nothing happens, beside the same load', peer.rate, 'frames/s');
    report('the board when nothing happens', idle.rate, 'frames/s', undefined, `${Math.round(idle.nodes)} DOM nodes`);
    report(`the board at ${RATE} events/s`, busy.rate, 'frames/s', ['≥', 30], `${busy.said} events, longest wait of 99 % ${Math.round(busy.worst)} ms`);
    report('its nodes in the DOM', busy.nodes, '', ['≤', 3000]);
    report('its script a frame', busy.script, 'ms', undefined, `of ${busy.task.toFixed(1)} ms of work`);
    report('its style and layout a frame', busy.layout, 'ms');
    await page.keyboard.press('g');
    const moving = await measure(page, () => load(daemon, source, ms));
    report('the same by status, where cards change their groups', moving.rate, 'frames/s', ['≥', 30], `script ${moving.script.toFixed(1)} ms a frame, ${Math.round(moving.nodes)} nodes`);
  } finally {
    await browser.close();
    await daemon.stop();
  }
}
