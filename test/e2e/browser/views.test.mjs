// How the board is arranged: by project or by status, teams around their leader, and what a person sets on a session.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHooks } from '../lib/hook.mjs';
import { card, launchBrowser, noSidewaysScroll, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';
import { FakeDaemon, attention, summary } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

/** Each group's heading with the ids of its cards, as they stand. */
const groups = page => page.locator('section.group').evaluateAll(sections => sections.map(s =>
  [s.querySelector('.group-name').textContent, ...[...s.querySelectorAll('a.card')].map(c => c.dataset.id)]));

const team = (id, fields) => summary(id, { teamId: 't', teamName: 'squad', teamRole: 'member', ...fields });
const SESSIONS = [
  team('lead', { teamRole: 'leader', agentName: 'team-lead', agentColor: 'blue', status: 'working' }),
  team('m1', { agentName: 'reader', agentType: 'Explore', agentColor: 'green', status: 'approval', attention: attention('approval'), startedAt: 1 }),
  team('m2', { agentName: 'writer', agentColor: 'red; background: url(https://evil.test/x)', status: 'waiting', attention: attention('finished'), startedAt: 2,
    projectPath: '/home/dev/beta', projectName: 'beta' }),
  summary('solo', { projectPath: '/home/dev/gamma', projectName: 'gamma', status: 'ended' }),
];
const TEAMS = [{ teamId: 't', teamName: 'squad', parentId: 'lead', childIds: ['m1', 'm2'], parentSessionId: 'agent-lead',
  childSessionIds: [], createdAt: 1 }];

async function open(t, options = {}) {
  const daemon = await startDaemon(t);
  const { page, fake } = await FakeDaemon.open(t, browser, daemon, { sessions: SESSIONS, teams: TEAMS, ...options });
  await page.locator('a.card').first().waitFor();
  return { page, fake };
}

test('by project, by status, and the choice stays', async t => {
  const { page, fake } = await open(t);
  assert.deepEqual(await groups(page), [['alpha', 'lead', 'm1', 'm2'], ['Ended', 'solo']]);
  assert.equal(await page.locator('a.asking').count(), 2);
  await page.keyboard.press('g');
  const byStatus = [['Needs you', 'm1'], ['Finished', 'm2'], ['Working', 'lead'], ['Ended', 'solo']];
  assert.deepEqual(await groups(page), byStatus);
  assert.equal(await page.locator('a.asking').count(), 0, 'nobody stands there twice');
  await page.locator('.card-frame[data-id="m2"] .card-project', { hasText: 'beta' }).waitFor();
  await page.reload();
  await page.locator('a.card').first().waitFor();
  assert.deepEqual(await groups(page), byStatus);
  fake.update('m1', { status: 'working', attention: null });
  fake.update('m2', { attention: null });
  await page.getByText('Nobody needs you.').waitFor();
  await page.getByRole('button', { name: 'By project' }).click();
  assert.deepEqual(await groups(page), [['alpha', 'lead', 'm1', 'm2'], ['Ended', 'solo']]);
});

test('a team is drawn together, in colours that are colours', async t => {
  const { page, fake } = await open(t);
  await page.locator('.team .team-leader .card-frame[data-id="lead"]', { hasText: 'team-lead' }).waitFor();
  await page.locator('.team .team-chip', { hasText: 'squad' }).waitFor();
  const agent = id => page.locator(`.card-frame[data-id="${id}"]`).evaluate(e => e.style.getPropertyValue('--agent'));
  assert.equal(await agent('m1'), 'var(--agent-green)');
  assert.equal(await agent('m2'), '', 'what is no colour is not set');
  assert.equal(await page.evaluate(() => document.documentElement.outerHTML.includes('evil.test')), false);
  await page.locator('.team-members .card-frame[data-id="m1"]', { hasText: 'reader · Explore' }).waitFor();
  fake.say({ type: 'team_update', seq: ++fake.seq, team: { ...TEAMS[0], teamName: 'crew', childIds: ['m1', 'm2', 'm3'] } });
  await page.locator('.team-leader .team-chip', { hasText: 'crew3' }).waitFor();

  // By status the members stand apart; the chip points at the others, and leads to them.
  await page.keyboard.press('g');
  const chip = page.locator('.card-frame[data-id="m1"] .team-chip');
  await chip.focus();
  const pointed = () => page.locator('.card-frame[data-pointed="true"]').evaluateAll(all => all.map(f => f.dataset.id).sort());
  assert.deepEqual(await pointed(), ['lead', 'm1', 'm2']);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.dataset.id === 'm2');
  assert.deepEqual(await pointed(), []);
});

for (const width of [390, 720, 1100, 1440, 1800])
  test(`at ${width} px a team fits, and its lines reach its cards`, async t => {
    const many = [...SESSIONS, ...[3, 4, 5, 6].map(i => team(`m${i}`, { startedAt: 10 + i, agentName: `agent-${i}` }))];
    const { page } = await open(t, { sessions: many, viewport: { width, height: 900 } });
    await noSidewaysScroll(page);
    const loose = await page.locator('.team-members > li').evaluateAll(items => items.filter(li => {
      const branch = getComputedStyle(li, '::before');
      const reach = parseFloat(branch.left) + parseFloat(branch.width);
      return Math.abs(reach - (li.querySelector('.card-frame').getBoundingClientRect().left - li.getBoundingClientRect().left)) > 1;
    }).length);
    assert.equal(loose, 0);
    assert.equal(await page.locator('.team-members > li').count(), 6);
  });

test('a team for real: its agents say who they are', async t => {
  const daemon = await startDaemon(t);
  const lead = new Agent({ cwd: '/home/dev/alpha' }), kid = new Agent({ cwd: '/home/dev/beta' });
  const env = { CLAUDE_CODE_PARENT_SESSION_ID: lead.id, CLAUDE_CODE_AGENT_NAME: 'reader', CLAUDE_CODE_AGENT_TYPE: 'Explore',
    CLAUDE_CODE_TEAM_NAME: 'crew' };
  await runHooks(daemon.home, [lead.start(), lead.prompt('Lead them')]);
  const page = await openPage(t, browser, daemon.url);
  await card(page, 'Lead them').waitFor();
  await runHooks(daemon.home, [kid.start(), kid.prompt('Read it all')], { env });
  await page.locator('.team .team-leader', { hasText: 'crew' }).getByText('Lead them').waitFor();
  await page.locator('.team .team-members', { hasText: 'reader · Explore' }).getByText('Read it all').waitFor();
  assert.equal(await page.locator('a.card').count(), 2);
  await page.reload();
  await page.locator('.team .team-members').getByText('Read it all').waitFor();
});

test('a title, a label and a colour are set where they stand, for everybody', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, turn(agent, 'Mend the fence'));
  const there = await openPage(t, browser, daemon.url);
  const page = await openPage(t, browser, `${daemon.url}/session/${agent.id}`, { expect: /503/ });
  const panel = page.locator('aside.panel');
  await panel.getByText('Known by').waitFor();
  await page.keyboard.press('e');
  await panel.getByRole('textbox', { name: 'title' }).fill('My fence');
  await page.keyboard.press('Enter');
  await panel.locator('.panel-title', { hasText: 'My fence' }).waitFor();
  await panel.getByRole('button', { name: 'Edit the label' }).click();
  await panel.getByRole('textbox', { name: 'label' }).fill('urgent');
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Teal' }).click();
  for (const board of [page, there]) {
    const it = board.locator('.card-frame', { hasText: 'My fence' });
    await it.locator('.chip.label', { hasText: 'urgent' }).waitFor();
    await it.locator('.swatch').waitFor();
    assert.equal(await it.evaluate(e => e.style.getPropertyValue('--accent')), '#2f9a95');
  }
  await panel.getByRole('button', { name: 'No colour' }).click();
  await there.locator('.card-frame .swatch').waitFor({ state: 'detached' });

  await page.keyboard.press('e');
  await panel.getByRole('textbox', { name: 'title' }).fill('Never mind');
  await page.keyboard.press('Escape');
  await panel.locator('.panel-title', { hasText: 'My fence' }).waitFor();
  await page.route('**/title', route => route.fulfill({ status: 503, json: { error: 'the database cannot be written' } }));
  await page.keyboard.press('e');
  await panel.getByRole('textbox', { name: 'title' }).fill('Not now');
  await page.keyboard.press('Enter');
  await page.getByText('“My fence” was not changed: the database cannot be written').waitFor();
  assert.equal(await panel.getByRole('textbox', { name: 'title' }).inputValue(), 'Not now', 'the words are not lost');
});

test('the help says it all', async t => {
  const { page } = await open(t);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  for (const words of ['Close the card', 'Group by project or by status', 'Health of the daemon']) await help.getByText(words).waitFor();
});
