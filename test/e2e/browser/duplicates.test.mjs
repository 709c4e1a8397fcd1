// One agent, one card, whatever the wire says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { startAgent } from '../lib/hook.mjs';
import { card, launchBrowser, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';
import { FakeDaemon, NOW, attention, summary } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const ids = page => page.locator('a.card').evaluateAll(cards => cards.map(c => c.dataset.id).sort());

for (const grouping of ['project', 'status'])
  test(`by ${grouping}: a snapshot with the old id beside the new one, and a card that replaces another`, async t => {
    const daemon = await startDaemon(t);
    const old = summary('old', { sessionId: 'x', attention: attention('approval'), lastActivityAt: NOW - 9000 });
    const now = summary('new', { sessionId: 'x', status: 'working', lastActivityAt: NOW });
    const { page, fake } = await FakeDaemon.open(t, browser, daemon, { sessions: [now, old, now, summary('b')] });
    await page.locator('a.card').first().waitFor();
    if (grouping === 'status') await page.keyboard.press('g');
    assert.deepEqual(await ids(page), ['b', 'new']);
    await page.getByText('Nobody needs you.').waitFor();

    fake.update('b2', { ...summary('b2', { sessionId: 'y' }), replacesId: 'agent-b' });
    await page.locator('a.card[data-id="b2"]').waitFor();
    assert.deepEqual(await ids(page), ['b2', 'new']);
    fake.update('b', { attention: attention('approval') });
    fake.update('b2', { toolCalls: 77 });
    await page.locator('.card-tools', { hasText: '77 tool calls' }).waitFor();
    assert.deepEqual(await ids(page), ['b2', 'new']);
  });

test('a session that is resumed under a new id keeps its one card, over reloads and reconnects', async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const agent = new Agent({ cwd: '/home/dev/alpha' }), again = new Agent({ cwd: '/home/dev/alpha' });
  const page = await openPage(t, browser, daemon.url, { expectLoss: true });
  await page.getByText('The stable is empty').waitFor();
  // One process that goes on with another conversation: first one id, then another.
  const payloads = [agent.start(), ...turn(agent, 'Mend the fence'), again.start('resume'), ...turn(again, 'And the gate')];
  await startAgent(t, daemon.home, payloads, { polite: true });
  await card(page, 'And the gate').waitFor();
  const [before, ...more] = await ids(page);
  assert.deepEqual(more, []);
  assert.equal((await daemon.get(`/api/sessions/${agent.id}`)).sessionId, again.id);

  await page.goto(`${daemon.url}/session/${agent.id}`); // the address from before leads to it still
  const panel = page.locator('aside.panel');
  await panel.getByText('1 earlier conversation').click();
  await panel.locator('.earlier').getByText('Mend the fence').waitFor();
  assert.deepEqual(await ids(page), [before]);
  assert.equal(new URL(page.url()).pathname, `/session/${before}`);

  await daemon.crash();
  await page.getByText('Daemon not reachable').waitFor();
  await daemon.start();
  await page.getByText('Daemon not reachable').waitFor({ state: 'detached' });
  assert.deepEqual(await ids(page), [before]);
  await page.reload();
  await card(page, 'And the gate').waitFor();
  assert.deepEqual(await ids(page), [before]);
});
