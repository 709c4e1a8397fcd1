// How the board is arranged: by project or by status, teams around their leader, and what a person sets on a session.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { launchBrowser, noSidewaysScroll } from '../lib/page.mjs';
import { FakeDaemon, summary } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

/** Each group's heading with the ids of its cards, as they stand. */
const groups = page => page.locator('section.group').evaluateAll(sections => sections.map(s =>
  [s.querySelector('.group-name').textContent, ...[...s.querySelectorAll('a.card')].map(c => c.dataset.id)]));

const team = (id, fields) => summary(id, { teamId: 't', teamName: 'squad', teamRole: 'member', ...fields });
const SESSIONS = [
  team('lead', { teamRole: 'leader', agentName: 'team-lead', agentColor: 'blue', status: 'working' }),
  team('m1', { agentName: 'reader', agentType: 'Explore', agentColor: 'green', status: 'approval', pendingTool: 'Bash', startedAt: 1 }),
  team('m2', { agentName: 'writer', agentColor: 'red; background: url(https://evil.test/x)', status: 'waiting', startedAt: 2,
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
  assert.deepEqual(await groups(page), [['alpha', 'lead', 'm1', 'm2'], ['gamma', 'solo']]);
  assert.equal(await page.locator('a.asking').count(), 1);
  await page.keyboard.press('g');
  const byStatus = [['Needs you', 'm1'], ['Your turn', 'm2'], ['Working', 'lead'], ['Ended', 'solo']];
  assert.deepEqual(await groups(page), byStatus);
  assert.equal(await page.locator('a.asking').count(), 0, 'nobody stands there twice');
  await page.locator('.card-frame[data-id="m2"] .card-project', { hasText: 'beta' }).waitFor();
  await page.reload();
  await page.locator('a.card').first().waitFor();
  assert.deepEqual(await groups(page), byStatus);
  fake.update('m1', { status: 'working', pendingTool: null });
  await page.getByText('Nobody needs you.').waitFor();
  await page.getByRole('button', { name: 'By project' }).click();
  assert.deepEqual(await groups(page), [['alpha', 'lead', 'm1', 'm2'], ['gamma', 'solo']]);
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

test('a title, a label and a colour are set where they stand', async t => {
  const { page, fake } = await open(t, { path: '/session/lead', expect: /400/ });
  const puts = [];
  await page.route(/\/api\/sessions\/lead\/[a-z-]+$/, async route => {
    const what = new URL(route.request().url()).pathname.split('/').at(-1);
    puts.push([what, route.request().postDataJSON()]);
    if (route.request().postDataJSON().title === 'No') return route.fulfill({ status: 400, json: { error: 'title: that will not do' } });
    await route.fulfill({ json: { ok: true } });
  });
  const panel = page.locator('aside.panel');
  await panel.getByText('Known by').waitFor();
  await page.keyboard.press('e');
  await panel.getByRole('textbox', { name: 'title' }).fill('Lead them all');
  await page.keyboard.press('Enter');
  await panel.locator('.panel-title', { hasText: 'Lead them all' }).waitFor();
  await page.locator('a.card[data-id="lead"]', { hasText: 'Lead them all' }).waitFor();

  await panel.getByRole('button', { name: 'Edit the label' }).click();
  await panel.getByRole('textbox', { name: 'label' }).fill('urgent');
  await page.keyboard.press('Enter');
  await page.locator('.card-frame[data-id="lead"] .chip.label', { hasText: 'urgent' }).waitFor();
  await panel.getByRole('button', { name: 'Teal' }).click();
  await page.locator('.card-frame[data-id="lead"] .swatch').waitFor();
  assert.deepEqual(puts, [['title', { title: 'Lead them all' }], ['label', { label: 'urgent' }], ['accent-color', { color: '#2f9a95' }]]);

  await page.keyboard.press('e');
  await panel.getByRole('textbox', { name: 'title' }).fill('Never mind');
  await page.keyboard.press('Escape');
  await panel.locator('.panel-title', { hasText: 'Lead them all' }).waitFor();
  await page.keyboard.press('e');
  await panel.getByRole('textbox', { name: 'title' }).fill('No');
  await page.keyboard.press('Enter');
  await page.getByText('was not changed: title: that will not do').waitFor();
  fake.update('lead', { title: 'From elsewhere' });
  await page.locator('a.card[data-id="lead"]', { hasText: 'From elsewhere' }).waitFor();
  assert.equal(puts.length, 4);
});

test('the help says it all', async t => {
  const { page } = await open(t);
  await page.keyboard.press('?');
  const help = page.getByRole('dialog');
  for (const words of ['Close the card', 'Group by project or by status', 'Health of the daemon']) await help.getByText(words).waitFor();
});
