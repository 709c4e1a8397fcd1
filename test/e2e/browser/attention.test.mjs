// Who wants a person, for what, in full: it stays until it was seen or answered, and is the same in every browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHook, runHooks } from '../lib/hook.mjs';
import { launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { Agent } from '../lib/payloads.mjs';
import { FakeDaemon, attention, summary } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const DESK = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const SIZES = { desk: DESK, phone: PHONE };

const asking = (page, text) => page.locator('a.asking', { hasText: text });
const request = page => page.locator('aside.panel .request');
const icon = page => page.locator('link[rel="icon"]').getAttribute('href');
const calm = page => page.getByText('Nobody needs you.').waitFor();

/** The card's page says whether somebody looks at it; a headless one always does. */
const hideable = page => page.addInitScript(() => {
  window.shown = true;
  Object.defineProperty(Document.prototype, 'visibilityState', { get: () => (window.shown ? 'visible' : 'hidden') });
  window.show = on => { window.shown = on; document.dispatchEvent(new Event('visibilitychange')); };
});

test('what is finished stays, over a restart, until somebody has seen it, and is gone in every browser', async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.prompt('Mend the fence'), agent.stop('It holds.\n\n- **Three** new posts\n- `nails`')]);
  const here = await openPage(t, browser, daemon.url, { expectLoss: true }), there = await openPage(t, browser, daemon.url, { expectLoss: true });
  for (const page of [here, there]) {
    await asking(page, 'Mend the fence').getByText('Finished').waitFor();
    await page.waitForFunction(() => document.title === '(1) ostler');
  }
  const lit = await icon(there);
  await daemon.crash();
  await here.getByText('Daemon not reachable').waitFor();
  await daemon.start();
  await here.getByText('Daemon not reachable').waitFor({ state: 'detached' });
  await asking(here, 'Mend the fence').getByText('Finished').waitFor();

  await asking(here, 'Mend the fence').click();
  for (const page of [here, there]) {
    await calm(page);
    await page.waitForFunction(() => document.title === 'ostler');
    assert.notEqual(await icon(page), lit);
  }
  // Whoever reads it is not interrupted by that.
  await request(here).getByRole('listitem').filter({ hasText: 'Three new posts' }).waitFor();
  assert.equal(await request(here).locator('strong').textContent(), 'Three');
  await there.reload();
  await calm(there);
  await there.locator('a.card', { hasText: 'Mend the fence' }).getByText('It holds.').waitFor(); // its last words stay on the card

  await here.goto(daemon.url);
  await runHooks(daemon.home, [agent.prompt('And the gate'), agent.stop('It opens.')]);
  for (const page of [here, there, await openPage(t, browser, daemon.url)]) await asking(page, 'It opens.').getByText('Finished').waitFor();
});

test('a page that nobody looks at has seen nothing', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHook(daemon.home, agent.prompt('Mend the fence'));
  const there = await openPage(t, browser, `${daemon.url}/session/${agent.id}`, { before: hideable }), here = await openPage(t, browser, daemon.url);
  await there.locator('aside.panel').getByText('Mend the fence').first().waitFor();
  await there.evaluate(() => window.show(false));
  await runHook(daemon.home, agent.stop('It holds.'));
  await asking(here, 'It holds.').waitFor();
  await there.waitForFunction(() => document.title === '(1) ostler');
  assert.equal((await daemon.get(`/api/sessions/${agent.id}`)).attention.kind, 'finished');
  await there.evaluate(() => window.show(true));
  await calm(here);
});

test('a page that stands open before an empty chair has seen nothing, until somebody comes back to it', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHook(daemon.home, agent.prompt('Mend the fence'));
  const left = await openPage(t, browser, `${daemon.url}/session/${agent.id}`, { before: page => page.clock.install() }), here = await openPage(t, browser, daemon.url);
  await left.locator('aside.panel').getByText('Mend the fence').first().waitFor();
  await left.clock.fastForward('30:00');
  await runHook(daemon.home, agent.stop('It holds.'));
  await left.locator('aside.panel .request').getByText('It holds.').waitFor();
  await asking(here, 'It holds.').waitFor();
  assert.equal((await daemon.get(`/api/sessions/${agent.id}`)).attention.kind, 'finished');
  await left.mouse.move(200, 300);
  await calm(here);
});

test('a request stays until it is answered, also when somebody has read it', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  const call = { command: 'rm -rf build', description: 'Remove it' };
  await runHooks(daemon.home, [agent.prompt('Clean up'), agent.pre('Bash', call), agent.permission('Bash', call)]);
  const page = await openPage(t, browser, daemon.url), other = await openPage(t, browser, daemon.url);
  await asking(page, 'Clean up').getByText('Approve').waitFor();
  await asking(page, 'Clean up').click();
  await request(page).getByText('rm -rf build').waitFor();
  await page.reload();
  await request(page).getByText('rm -rf build').waitFor();
  await asking(other, 'rm -rf build').waitFor();
  await runHook(daemon.home, agent.post('Bash', call));
  for (const one of [page, other]) await calm(one);
  await request(page).waitFor({ state: 'detached' });
});

/** Each line of the text is on the screen, once one has scrolled to it, and within the width of the window. */
async function isReadable(page, locator) {
  await locator.scrollIntoViewIfNeeded();
  const { left, right, width, cut } = await locator.evaluate(e => {
    const range = document.createRange();
    range.selectNodeContents(e);
    const box = range.getBoundingClientRect(), fold = e.closest('.fold-box');
    return { left: box.left, right: box.right, width: innerWidth, cut: fold.scrollHeight > fold.clientHeight + 1 };
  });
  assert.ok(left >= 0 && right <= width, `from ${left} to ${right} of ${width}`);
  assert.equal(cut, false, 'nothing of it is folded away');
  await noSidewaysScroll(page);
}

for (const [size, options] of Object.entries(SIZES)) {
  test(`a long command is read to its last word: ${size}`, async t => {
    const daemon = await startDaemon(t);
    const agent = new Agent({ cwd: '/home/dev/alpha' });
    const command = `${Array.from({ length: 150 }, (_, i) => `cp -r build/part-${i} /srv/www/part-${i}`).join(' && ')} && rm -rf /very/last`;
    await runHooks(daemon.home, [agent.prompt('Publish it'), agent.pre('Bash', { command }), agent.permission('Bash', { command })]);
    const page = await openPage(t, browser, daemon.url, options);
    const it = page.locator('a.card', { hasText: 'Publish it' });
    await it.getByText('… show all').waitFor(); // on the card there is no room for it, and that is said
    await it.click();
    const code = request(page).locator('.detail-command');
    await request(page).getByRole('button', { name: '… show all' }).click();
    await code.filter({ hasText: 'rm -rf /very/last' }).waitFor();
    assert.equal(await code.textContent(), command);
    await isReadable(page, code);
  });

  test(`a question with its options, a plan, an edit: ${size}`, async t => {
    const daemon = await startDaemon(t);
    const [asks, plans, edits] = ['alpha', 'beta', 'gamma'].map(name => new Agent({ cwd: `/home/dev/${name}` }));
    const questions = [{ question: 'Which colour?', header: 'Colour', multiSelect: true,
      options: [{ label: 'Red', description: 'as the barn' }, { label: 'Green', description: 'as the gate' }, { label: 'Blue' }, { label: 'The grey of the road' }] }];
    const plan = `# Paint it\n\n1. Sand **all** of it\n2. Two coats\n\n<img src=x onerror="window.owned=1">\n\n${'Let it dry. '.repeat(300)}\n\n## The end`;
    const edit = { file_path: '/home/dev/gamma/src/paint.c', old_string: 'int coats = 1;', new_string: 'int coats = 2;' };
    await runHooks(daemon.home, [
      asks.prompt('Choose a colour'), asks.pre('AskUserQuestion', { questions }), asks.permission('AskUserQuestion', { questions }),
      plans.prompt('Plan the work'), plans.pre('ExitPlanMode', { plan }), plans.permission('ExitPlanMode', { plan }),
      edits.prompt('Two coats'), edits.pre('Edit', edit), edits.permission('Edit', edit),
    ]);
    const page = await openPage(t, browser, daemon.url, options);
    await asking(page, 'Which colour?').getByText('Question').waitFor();
    await asking(page, 'Plan the work').getByText('Plan to review Paint it').waitFor();
    const short = page.locator('a.card', { hasText: 'Choose a colour' }).locator('.card-ask');
    assert.deepEqual(await short.locator('.card-options i').allTextContents(), ['Red', 'Green', 'Blue', 'The grey of the road']);
    assert.equal(await short.getAttribute('data-longer'), 'false', 'the card has room for the answers');

    await page.locator('a.card', { hasText: 'Choose a colour' }).click();
    const red = request(page).getByRole('listitem').filter({ hasText: 'Red' });
    await red.getByText('as the barn').waitFor();
    await request(page).getByText('Any number of them may be chosen.').waitFor();
    await isReadable(page, red);

    await page.goto(`${daemon.url}/session/${plans.id}`);
    await request(page).getByRole('heading', { name: 'Paint it' }).waitFor();
    await request(page).getByRole('button', { name: '… show all' }).click();
    await isReadable(page, request(page).getByRole('heading', { name: 'The end' }));
    assert.deepEqual(await request(page).locator('.markdown ol li').allTextContents(), ['Sand all of it', 'Two coats']);
    await request(page).getByText('<img src=x').waitFor();
    assert.equal(await page.evaluate(() => window.owned), undefined);

    await page.goto(`${daemon.url}/session/${edits.id}`);
    for (const [mark, line] of [['removed', 'int coats = 1;'], ['added', 'int coats = 2;'], ['file', 'src/paint.c']])
      await request(page).locator(`.diff-line[data-mark="${mark}"]`).getByText(line).waitFor();
  });
}

test('an error has a pill of its own, and pills narrow the board', async t => {
  const daemon = await startDaemon(t);
  const [good, bad] = ['alpha', 'beta'].map(name => new Agent({ cwd: `/home/dev/${name}` }));
  await runHooks(daemon.home, [good.prompt('Mend the fence'), good.pre('Bash', { command: 'make' }), bad.prompt('Paint it'),
    bad.event('StopFailure', { error: 'rate_limit', error_details: '429 Too Many Requests' })]);
  const page = await openPage(t, browser, daemon.url);
  await asking(page, 'Paint it').getByText('Error').waitFor();
  const names = () => page.locator('a.card .card-title').allTextContents();
  const pill = name => page.locator('.pill', { hasText: name });
  await pill('1 error').click();
  await page.locator('a.card', { hasText: 'Mend the fence' }).waitFor({ state: 'detached' });
  assert.equal((await names()).length, 1);
  assert.equal(await pill('1 error').getAttribute('aria-pressed'), 'true');
  await pill('1 working').click();
  await page.locator('a.card', { hasText: 'Mend the fence' }).waitFor();
  assert.equal((await names()).length, 1);
  await page.keyboard.press('Escape');
  await page.locator('a.card', { hasText: 'Paint it' }).waitFor();
  assert.equal((await names()).length, 2);
  // Seen, it still is one, but asks for nobody.
  await asking(page, 'Paint it').click();
  await calm(page);
  await pill('1 error').waitFor();
});

test('a card that has no room for all of a request says so', async t => {
  const daemon = await startDaemon(t);
  const session = (id, text, detail, form) => summary(id, { attention: attention('question', { text, detail, form }) });
  const context = Array.from({ length: 40 }, (_, i) => ` line ${i} of what stays as it is`).join('\n');
  const { page } = await FakeDaemon.open(t, browser, daemon, { sessions: [
    session('one', 'Which?', 'Which?\n- Red\n- Green', 'question'),
    session('two', 'Which?', 'Which?\n- Red\n- Green\n\nAnd when?\n- Now', 'question'),
    session('same', 'Edit a.c', `a.c\n-one\n+two\n three`, 'diff'),
    session('later', 'Edit a.c', `a.c\n-one\n+two\n${context}\n-three`, 'diff'),
    session('line', 'Go on?', 'Go on?\n', 'text'),
    session('lines', 'Go on?', 'Go on?\nOr not?', 'text'),
  ] });
  await page.locator('a.card').last().waitFor();
  const longer = await page.locator('.card-frame').evaluateAll(all => all.map(e => [e.dataset.id, e.querySelector('.card-ask').dataset.longer]));
  assert.deepEqual(Object.fromEntries(longer), { one: 'false', two: 'true', same: 'false', later: 'true', line: 'false', lines: 'true' });
});

test('on a phone, too, a pressed pill shows what it narrows the board to', async t => {
  const daemon = await startDaemon(t);
  const sessions = Array.from({ length: 12 }, (_, i) => summary(`s${i}`, { attention: attention('finished', { text: 'It holds.' }) }));
  const { page } = await FakeDaemon.open(t, browser, daemon, { ...PHONE, sessions: [...sessions, summary('busy', { title: 'The busy one', status: 'working' })] });
  await page.locator('a.asking').last().waitFor();
  await page.locator('.pill', { hasText: '1 working' }).click();
  await page.waitForFunction(() => { // it slides there
    const all = [...document.querySelectorAll('a.card')].map(e => e.getBoundingClientRect());
    return all.length === 1 && all[0].top >= 0 && all[0].bottom <= innerHeight;
  });
  await page.locator('.pill', { hasText: '12 need you' }).waitFor();
});

test('a guess is called one; those that have ended stand apart and can be folded away', async t => {
  const daemon = await startDaemon(t);
  const { page } = await FakeDaemon.open(t, browser, daemon, { sessions: [
    summary('guess', { attention: attention('approval', { text: 'Run make', detail: 'make', form: 'command', certain: false }) }),
    summary('old', { title: 'An old one', status: 'ended', endedAt: Date.now() - 60_000 }),
  ] });
  await page.locator('a.asking[data-guess="true"]').getByText('May be waiting').waitFor();
  const ended = page.locator('section.group[data-tone="ended"]');
  await ended.getByText('An old one').waitFor();
  await ended.getByRole('button', { name: 'Ended' }).click();
  await ended.getByText('An old one').waitFor({ state: 'detached' });
  await page.reload();
  await ended.getByRole('button', { name: 'Ended' }).waitFor();
  assert.equal(await ended.locator('a.card').count(), 0);
  await ended.getByRole('button', { name: 'Ended' }).click();
  await ended.getByText('An old one').waitFor();
});
