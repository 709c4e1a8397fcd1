// Thousands of connections at once that do nothing good: memory stays, the owner comes in, and afterwards all is as it was.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { bearer, configure, hashOf, login, PASSWORD } from './lib/login.mjs';
import { raw } from './lib/raw.mjs';
import { Account, noStranger, Stranger } from './lib/stranger.mjs';

const MANY = 5000, NOFILE = 20_000;
const MEMORY_MORE = 160 << 20; // of a thousand connections, and when they are gone: ASan keeps what was freed for a while
const A_FEW = 4; // descriptors: our own kept connections, files that are opened when they are first needed
const IDLE_TICKS = 20; // of 100 a second, in two seconds in which nothing happens

const skip = noStranger() || false;
let account;
before(() => { if (!skip) account = new Account(); });
after(() => account?.leave());

const descriptors = daemon => fs.readdirSync(`/proc/${daemon.child.pid}/fd`).length;

/** CPU time that it took so far, in ticks. */
function ticks(daemon) {
  const words = fs.readFileSync(`/proc/${daemon.child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(words[11]) + Number(words[12]);
}

/** Looks until so few descriptors are open. */
async function until(daemon, few) {
  const signal = AbortSignal.timeout(60_000);
  while (descriptors(daemon) > few) {
    assert.ok(!signal.aborted, `${descriptors(daemon)} descriptors, not ${few}`);
    await new Promise(resolve => { setTimeout(resolve, 20); });
  }
}

async function isAsleep(daemon, what) {
  const before = ticks(daemon);
  await new Promise(resolve => { setTimeout(resolve, 2000); }); // nothing happens, which is the point
  const took = ticks(daemon) - before;
  assert.ok(took < IDLE_TICKS, `${what}: ${took} ticks of CPU while nothing happened`);
}

const upgrade = (port, more = '') => `GET /ws HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;
const kinds = {
  'say nothing': () => '',
  'never end their heads': port => `GET /api/sessions HTTP/1.1\r\nHost: localhost:${port}\r\nX-Slow: ${'a'.repeat(2000)}`,
  'open WebSockets and read nothing': upgrade,
};

for (const [what, text] of Object.entries(kinds))
  for (const [whose, comesByPort] of [['another user', true], ['the owner', false]])
    test(`${MANY} connections of ${whose} that ${what}`, { skip: whose === 'the owner' ? false : skip }, async t => {
      const home = makeHome(t);
      if (comesByPort) configure(home, hashOf(PASSWORD)); // without a password strangers are turned away at the door
      const daemon = await startDaemon(t, { home, nofile: NOFILE });
      const headers = comesByPort ? bearer(await login(daemon)) : {};
      const peer = await Stranger.arrive(t, comesByPort ? account : { uid: process.getuid(), gid: process.getgid() }, { nofile: NOFILE });
      assert.equal((await ostler(home, ['status'])).code, 0);
      const at = { rss: daemon.rss, descriptors: descriptors(daemon) };

      await peer.does('many', { host: '127.0.0.1', port: daemon.port, count: MANY, text: text(daemon.port) });
      assert.ok(daemon.rss - at.rss < MEMORY_MORE, `${(daemon.rss - at.rss) >> 20} MiB more`);
      assert.equal((await ostler(home, ['status'])).code, 0, 'the owner comes in by the socket');
      const door = await raw(path.join(home, 'run', 'ostler.sock'), 'GET /api/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n');
      assert.equal(door.status, 200);
      // Strangers do not keep the owner from the port; the owner's own programs may, and then it says so.
      const byPort = await daemon.fetch('/api/sessions', { headers }).then(answer => answer.status, () => 'closed');
      if (comesByPort) assert.equal(byPort, 200);
      else assert.ok([200, 503, 'closed'].includes(byPort), String(byPort));
      await isAsleep(daemon, 'while they are there');

      await peer.does('leave');
      await until(daemon, at.descriptors + A_FEW);
      assert.equal((await daemon.fetch('/api/sessions', { headers })).status, 200);
      assert.ok(daemon.rss - at.rss < MEMORY_MORE, `${(daemon.rss - at.rss) >> 20} MiB are kept`);
      await isAsleep(daemon, 'afterwards');
    });

test('the owner\'s socket takes thousands, too, and the port is not kept from anybody by them', async t => {
  const daemon = await startDaemon(t, { nofile: NOFILE });
  const peer = await Stranger.arrive(t, { uid: process.getuid(), gid: process.getgid() }, { nofile: NOFILE });
  const before = { rss: daemon.rss, descriptors: descriptors(daemon) };
  await peer.does('many', { path: path.join(daemon.home, 'run', 'ostler.sock'), count: MANY, text: 'GET / HT' });
  assert.equal((await daemon.fetch('/api/sessions')).status, 200);
  assert.ok(daemon.rss - before.rss < MEMORY_MORE, `${(daemon.rss - before.rss) >> 20} MiB more`);
  await isAsleep(daemon, 'while they are there');
  await peer.does('leave');
  await until(daemon, before.descriptors + A_FEW);
  assert.equal((await ostler(daemon.home, ['status'])).code, 0);
});
