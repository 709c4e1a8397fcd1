// One agent of each CLI, and what a person sees of them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { Agent, register } from '../lib/agents.mjs';
import { startDaemon } from '../lib/daemon.mjs';
import { card, launchBrowser, openPage } from '../lib/page.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const SHELL_TOOL = { claude: 'Bash', gemini: 'run_shell_command', codex: 'Bash' };

/** From now on the page notes which labels each card shows, one after the other, and how many cards there were at most. */
async function watchCards(page) {
  await page.evaluate(() => {
    window.seen = { cards: {}, most: 0 };
    const look = () => {
      const cards = [...document.querySelectorAll('a.card')];
      window.seen.most = Math.max(window.seen.most, cards.length);
      for (const it of cards) {
        const seen = (window.seen.cards[it.getAttribute('href')] ??= { labels: [] });
        const label = it.querySelector('.card-label').textContent;
        if (seen.labels.at(-1) !== label) seen.labels.push(label);
        seen.title = it.querySelector('.card-title').textContent;
      }
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

/** One agent of each CLI, and their cards by name. */
async function startAll(t) {
  const daemon = await startDaemon(t);
  for (const cli of Object.keys(SHELL_TOOL)) register[cli](daemon.home);
  const page = await openPage(t, browser, daemon.url);
  await page.getByText('ostler demo').waitFor();
  await watchCards(page);
  const agents = {};
  for (const cli of Object.keys(SHELL_TOOL))
    agents[cli] = await Agent.start(t, daemon, cli, path.join(daemon.home, 'work', `${cli}-shed`));
  return { daemon, page, agents };
}

const label = (it, text) => it.locator('.card-label').getByText(text, { exact: true }).waitFor();
const activity = (it, text) => it.locator('.card-activity').filter({ hasText: text }).waitFor();

test('one agent of each CLI: three cards show each step, once', async t => {
  const { page, agents } = await startAll(t);
  for (const [cli, agent] of Object.entries(agents)) {
    const it = card(page, `Paint the ${cli} shed`), name = SHELL_TOOL[cli];
    if (cli !== 'codex') await label(card(page, `${cli}-shed`), 'Idle');
    await agent.do('prompt', { text: `Paint the ${cli} shed` });
    await label(it, 'Thinking');
    await agent.do('tool', { name, input: { command: 'make paint' }, run: ['sleep', '600'] });
    await label(it, 'Working');
    await activity(it, name);
    await activity(it, 'make paint');
    await agent.do('finish', { output: 'wet' });
    await activity(it, 'Last activity');
    await agent.do('tool', { name, input: { command: 'make dry' }, run: ['sleep', '600'], ask: true });
    await label(it, 'Approve');
    await it.locator('.card-ask').getByText('make dry').waitFor();
    await agent.do('answer', { allow: true });
    await agent.do('finish', { output: 'dry' });
    await label(it, 'Working');
  }

  const claude = card(page, 'Paint the claude shed');
  await agents.claude.do('question', { text: 'Which colour?', options: ['red', 'blue'] });
  await label(claude, 'Question');
  await claude.locator('.card-ask').getByText('Which colour?').waitFor();
  await agents.claude.do('choose', { label: 'red' });
  await label(claude, 'Working');

  for (const agent of Object.values(agents)) await agent.do('stop', { message: 'Painted.' });
  for (const cli of Object.keys(agents)) await label(card(page, `Paint the ${cli} shed`), 'Finished');
  assert.equal(await page.locator('a.card').count(), 3);
  for (const agent of Object.values(agents)) await agent.exit();
  // They stand with those that have ended, and still say what nobody has seen yet.
  for (const cli of Object.keys(agents)) await page.locator('section.group[data-tone="ended"]').getByText(`Paint the ${cli} shed`).waitFor();

  const { cards, most } = await page.evaluate(() => window.seen);
  assert.equal(most, 3, 'never a fourth card');
  assert.equal(Object.keys(cards).length, 3, 'nor another in the place of one');
  const turn = ['Idle', 'Thinking', 'Working', 'Approve', 'Working'];
  const expected = {
    claude: [...turn, 'Question', 'Working', 'Finished'],
    gemini: [...turn, 'Finished'],
    codex: [...turn, 'Finished'],
  };
  for (const { title, labels } of Object.values(cards)) {
    const [, cli] = /Paint the (\w+) shed/.exec(title);
    // Codex' first two events come together: whether the first one is seen is a matter of milliseconds.
    if (cli === 'codex' && labels[0] === 'Thinking') labels.unshift('Idle');
    assert.deepEqual(labels, expected[cli], cli);
  }
});

test('kill -9 of an agent: its card says so at once, the others go on', async t => {
  const { page, agents } = await startAll(t);
  for (const [cli, agent] of Object.entries(agents)) {
    await agent.do('prompt', { text: `Paint the ${cli} shed` });
    await agent.do('tool', { name: SHELL_TOOL[cli], input: { command: 'make paint' }, run: ['sleep', '600'] });
    await activity(card(page, `Paint the ${cli} shed`), 'make paint');
  }
  const begun = performance.now();
  await agents.codex.kill();
  await label(card(page, 'Paint the codex shed'), 'Exited');
  assert.ok(performance.now() - begun < 5000, 'noticed, not found out by the way');
  await agents.claude.do('finish', { output: 'painted' });
  await activity(card(page, 'Paint the claude shed'), 'Last activity');
  await label(card(page, 'Paint the claude shed'), 'Working');
  await label(card(page, 'Paint the gemini shed'), 'Working');
  assert.equal((await page.evaluate(() => window.seen)).most, 3);
});
