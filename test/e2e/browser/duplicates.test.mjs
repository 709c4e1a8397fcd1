// One agent, one card, whatever the wire says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDaemon } from '../lib/daemon.mjs';
import { runHooks } from '../lib/hook.mjs';
import { card, launchBrowser, openPage } from '../lib/page.mjs';
import { Agent, turn } from '../lib/payloads.mjs';
import { FakeDaemon, NOW, summary } from './fake.mjs';

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const ids = page => page.locator('a.card').evaluateAll(cards => cards.map(c => c.dataset.id).sort());

for (const grouping of ['project', 'status'])
  test(`by ${grouping}: a snapshot with the old id beside the new one, and a card that replaces another`, async t => {
    const daemon = await startDaemon(t);
    const old = summary('old', { sessionId: 'x', status: 'approval', pendingTool: 'Bash', lastActivityAt: NOW - 9000 });
    const now = summary('new', { sessionId: 'x', status: 'working', lastActivityAt: NOW });
    const { page, fake } = await FakeDaemon.open(t, browser, daemon, { sessions: [now, old, now, summary('b')] });
    await page.locator('a.card').first().waitFor();
    if (grouping === 'status') await page.keyboard.press('g');
    assert.deepEqual(await ids(page), ['b', 'new']);
    await page.getByText('Nobody needs you.').waitFor();

    fake.update('b2', { ...summary('b2', { sessionId: 'y' }), replacesId: 'agent-b' });
    await page.locator('a.card[data-id="b2"]').waitFor();
    assert.deepEqual(await ids(page), ['b2', 'new']);
    fake.update('b', { status: 'approval', pendingTool: 'Bash' });
    fake.update('b2', { toolCalls: 77 });
    await page.locator('.card-tools', { hasText: '77 tool calls' }).waitFor();
    assert.deepEqual(await ids(page), ['b2', 'new']);
  });

test('a session that is resumed keeps its one card, over reloads and reconnects', async t => {
  const daemon = await startDaemon(t, { samePort: true });
  const agent = new Agent({ cwd: '/home/dev/alpha' });
  await runHooks(daemon.home, [agent.start(), ...turn(agent, 'Mend the fence'), agent.end('other')]);
  const page = await openPage(t, browser, daemon.url, { expectLoss: true });
  await card(page, 'Mend the fence').waitFor();
  await runHooks(daemon.home, [agent.start('resume'), ...turn(agent, 'And the gate')]);
  await card(page, 'And the gate').waitFor();
  assert.equal((await ids(page)).length, 1);
  await daemon.crash();
  await page.getByText('Daemon not reachable').waitFor();
  await daemon.start();
  await page.getByText('Daemon not reachable').waitFor({ state: 'detached' });
  assert.equal((await ids(page)).length, 1);
  await page.reload();
  await card(page, 'And the gate').waitFor();
  assert.equal((await ids(page)).length, 1);
});
