// No byte is lost while somebody comes back in time, and what is lost later is said.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ALL, gone, GUEST, HOLD_MS, Keeper, KEEPER, KEEPERS, RING_BYTES, TYPE } from './lib/keeper.mjs';
import { drawnSeed, Random } from './lib/random.mjs';

const sh = script => ['sh', '-c', script];

/** A program that prints `what` once it is told to, and nothing else but that it is ready. */
const READY = 'ready\r\n';
const waiting = what => sh(`stty -echo; echo ready; read go; exec ${what}`);

async function ready(t, keeper) {
  const peer = await keeper.join(t, { role: GUEST });
  await peer.says(READY);
  return peer;
}

/** Waits for what nobody tells. */
async function until(condition, what) {
  for (const end = Date.now() + 60_000; !condition();) {
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    await new Promise(resolve => { setTimeout(resolve, 10); });
  }
}

/** What `seq 1 n` prints in a terminal. */
function numbers(n) {
  const lines = [];
  for (let i = 1; i <= n; i++) lines.push(`${i}\r\n`);
  return Buffer.from(lines.join(''));
}

for (const program of KEEPERS) {
  const name = path.basename(program);

  test(`${name}: a hundred readers killed at any moment, and every byte in its place`, async t => {
    const seed = drawnSeed(1), random = new Random(seed);
    const LINES = 1_000_000, expected = numbers(LINES);
    const keeper = await Keeper.start(t, sh(`read go; exec seq 1 ${LINES}`), { program });
    const stream = []; // what a daemon has kept for good
    let offset = 0, kept = 0;
    (await keeper.join(t)).type('\n');
    for (let i = 0; i < 100; i++) {
      const peer = await keeper.join(t, { offset: kept });
      assert.ok(peer.welcome.oldest <= kept, `seed ${seed}: ${kept} was overwritten`);
      const wanted = kept + random.below(80_000);
      while (!peer.exit && peer.offset < wanted && peer.offset + 1 < expected.length + 2) {
        await peer.until(() => peer.exit || peer.pieces.length, 'output');
        if (peer.exit) break;
        const bytes = peer.output;
        peer.pieces = [];
        offset = peer.offset;
        stream.push({ at: offset - bytes.length, bytes });
        // Kept for good is less than what was read, and acknowledged is less than that.
        if (random.chance(0.7)) kept = offset - random.below(bytes.length);
        if (random.chance(0.7)) peer.acknowledge(Math.max(0, kept - random.below(1000)));
      }
      if (random.chance(0.3)) peer.socket.write(Buffer.from([9, 0, 0])); // dies in the middle of a word
      await peer.kill();
    }
    const peer = await keeper.join(t, { offset: kept, onOutput: () => {} });
    const pump = setInterval(() => peer.acknowledge(), 1); // as it goes, so that the program can
    await peer.exited();
    clearInterval(pump);
    stream.push({ at: peer.offset - peer.output.length, bytes: peer.output });
    const all = Buffer.alloc(peer.offset);
    for (const { at, bytes } of stream) bytes.copy(all, at);
    const start = all.indexOf('1\r\n2\r\n');
    assert.ok(all.subarray(start).equals(expected), `seed ${seed}`);
    assert.equal(peer.gaps.length, 0);
  });

  test(`${name}: a reader's process is killed, and what it had not acknowledged is there`, async t => {
    const random = new Random(9), expected = numbers(700_000);
    const keeper = await Keeper.start(t, sh('stty -echo; exec seq 1 700000'), { program });
    const script = `import { Peer, hello } from ${JSON.stringify(new URL('lib/keeper.mjs', import.meta.url).href)};
      import net from 'node:net';
      const peer = new Peer(net.connect(process.argv[1]), { keep: false, onOutput: () => {
        peer.acknowledge();
        if (peer.offset - Number(process.argv[2]) > Number(process.argv[3])) process.stdout.write('enough');
      } });
      peer.socket.write(hello({ offset: Number(process.argv[2]) }));`;
    let kept = 0;
    for (let i = 0; i < 8; i++) {
      const reader = spawn(process.execPath, ['--input-type=module', '-e', script, keeper.socket, kept, random.below(400_000)].map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(reader.stdout, 'data');
      reader.kill('SIGKILL');
      await once(reader, 'close');
      const { welcome } = await keeper.join(t, { role: GUEST, offset: ALL });
      assert.ok(welcome.acknowledged >= kept && welcome.oldest <= welcome.acknowledged);
      kept = welcome.acknowledged;
    }
    const peer = await keeper.join(t, { offset: kept });
    const pump = setInterval(() => peer.acknowledge(), 2);
    await peer.exited();
    clearInterval(pump);
    assert.deepEqual([peer.gaps.length, peer.first], [0, kept]);
    assert.ok(kept > 0 && peer.output.equals(expected.subarray(kept)));
  });

  test(`${name}: what is not acknowledged holds the program, and lets it go on`, async t => {
    const expected = Buffer.concat([Buffer.from(READY), numbers(400_000)]);
    const keeper = await Keeper.start(t, waiting('seq 1 400000'), { program });
    const peer = await keeper.join(t);
    await peer.says(READY);
    peer.type('\n');
    await peer.until(() => peer.offset === RING_BYTES, 'as much as is held');
    await peer.kill();
    const again = await keeper.join(t);
    assert.deepEqual([again.welcome.oldest, again.welcome.newest], [0, RING_BYTES]);
    await again.until(() => again.offset === RING_BYTES);
    again.acknowledge(RING_BYTES / 2);
    await again.until(() => again.offset === RING_BYTES * 1.5);
    again.acknowledge(ALL); // more than it has been sent: counts as what it has
    await again.until(() => again.offset === RING_BYTES * 2.5);
    again.acknowledge();
    assert.equal((await again.exited()).code, 0);
    assert.ok(again.output.equals(expected));
  });

  test(`${name}: a daemon that acknowledges nothing holds the program for a while only, and again when it does`, async t => {
    const keeper = await Keeper.start(t, sh('stty -echo; echo ready; read go; seq 1 600000; touch went-on; read go; seq 1 600000'), { program });
    const hung = await keeper.join(t, { limit: READY.length }); // reads no more than that, and says nothing
    await hung.says(READY);
    const guest = await keeper.connect(t, { role: GUEST, offset: ALL, slow: true, keep: false }); // and one that is stopped as well
    hung.type('\n');
    await until(() => fs.existsSync(path.join(keeper.home, 'went-on')), 'the program to go on');
    const printed = READY.length + numbers(600_000).length;

    guest.resize(91, 31); // a size that it gets in the middle of what is missing
    hung.acknowledge(READY.length, ALL);
    await hung.until(() => hung.offset === printed, 'what is left');
    assert.deepEqual(hung.gaps, [{ from: READY.length, to: printed - RING_BYTES }]);
    assert.ok(hung.output.subarray(READY.length).equals(numbers(600_000).subarray(-RING_BYTES)));
    await hung.until(() => hung.sizes.at(-1).cols === 91, 'the new size');

    // It has come to life: the second time every byte is held for it.
    hung.acknowledge();
    hung.type('\n');
    const pump = setInterval(() => hung.acknowledge(), 3);
    await hung.exited();
    clearInterval(pump);
    assert.equal(hung.gaps.length, 1);
    assert.ok(hung.output.subarray(READY.length + RING_BYTES).equals(numbers(600_000)));
  });

  test(`${name}: a limit is kept to the byte`, async t => {
    const keeper = await Keeper.start(t, waiting('seq 1 10000'), { program });
    (await ready(t, keeper)).type('\n');
    const peer = await keeper.join(t, { limit: 0 });
    const guest = await keeper.join(t, { role: GUEST, limit: 0 });
    for (const limit of [1, 2, 77, 5000, 5001]) {
      for (const one of [peer, guest]) one.acknowledge(0, limit);
      for (const one of [peer, guest]) await one.until(() => one.offset === limit, `${limit} bytes`);
    }
    peer.acknowledge(0, ALL);
    await peer.exited();
    assert.equal(guest.offset, 5001);
    assert.ok(peer.output.equals(Buffer.concat([Buffer.from(READY), numbers(10_000)])));
    assert.ok(guest.output.equals(peer.output.subarray(0, 5001)));
  });

  test(`${name}: with nobody there for long it goes on, and says what is missing`, async t => {
    const expected = numbers(600_000);
    const keeper = await Keeper.start(t, sh('exec seq 1 600000'), { program });
    const begun = Date.now();
    const watcher = await keeper.join(t, { role: GUEST, offset: ALL });
    await watcher.exited(); // a guest is nobody: it does not hold the program, nor is it held for one
    assert.ok(Date.now() - begun >= HOLD_MS - 500, `${Date.now() - begun} ms`);
    const late = await keeper.join(t);
    await late.exited();
    assert.deepEqual(late.gaps, [{ from: 0, to: late.welcome.oldest }]);
    assert.equal(late.exit.offset, expected.length);
    assert.equal(late.offset - late.gaps[0].to, RING_BYTES);
    assert.ok(late.output.equals(expected.subarray(expected.length - RING_BYTES)));
    const middle = await keeper.join(t, { role: GUEST, offset: late.welcome.oldest + 10 });
    await middle.exited();
    assert.equal(middle.gaps.length, 0);
  });

  test(`${name}: a paste of any size arrives whole`, async t => {
    const random = new Random(5), bytes = Buffer.from(Array.from({ length: 600_000 }, () => random.between(1, 255)));
    const keeper = await Keeper.start(t, sh(`stty raw -echo; echo ready; head -c ${bytes.length} >copy; echo done`), { program });
    const peer = await keeper.join(t);
    await peer.says('ready');
    await peer.paste(bytes);
    await peer.exited();
    assert.ok(fs.readFileSync(path.join(keeper.home, 'copy')).equals(bytes));
  });

  test(`${name}: input that the program never reads holds nothing up`, async t => {
    const keeper = await Keeper.start(t, sh('stty raw -echo; echo ready; exec yes'), { program });
    let seen = 0;
    const peer = await keeper.join(t, { keep: false, onOutput: bytes => { seen += bytes.length; } });
    await peer.until(() => seen > 100);
    const guest = await keeper.join(t, { role: GUEST, keep: false });
    for (const one of [peer, guest]) one.type(Buffer.alloc(1 << 20, 'x')); // without regard to the window
    for (let target = 1; target <= 8; target++) {
      await peer.until(() => peer.offset >= target * RING_BYTES / 2, 'more output');
      peer.acknowledge();
    }
    peer.send(TYPE.END);
    const pump = setInterval(() => peer.acknowledge(), 5);
    await peer.exited();
    clearInterval(pump);
  });
}

test('200 MB reach the daemon while guests look on who read nothing', async t => {
  const MIB = 200, LINE = 'y'.repeat(62); // 64 bytes with the end of the line
  const keeper = await Keeper.start(t, sh(`stty -echo; echo ${LINE}; read go; yes ${LINE} | head -c ${(MIB << 14) * 63 - 63}`), { program: KEEPER });
  const pattern = Buffer.from(`${LINE}\r\n`.repeat(2048));
  const check = (bytes, offset) => {
    if (!bytes.equals(pattern.subarray(offset % 64, offset % 64 + bytes.length))) assert.fail(`the bytes at ${offset} are wrong`);
  };
  const guests = await Promise.all(Array.from({ length: 8 }, () => keeper.connect(t, { role: GUEST, slow: true, keep: false, onOutput: check })));
  const peer = await keeper.join(t, { keep: false, onOutput: check });
  await peer.until(() => peer.guests === 8 && peer.offset === 64, 'all guests, and the program');
  peer.type('\n');
  const pump = setInterval(() => peer.acknowledge(), 3);
  await peer.exited();
  clearInterval(pump);
  assert.equal(peer.offset, MIB << 20);
  const memory = Number(/^Pss:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${keeper.pid}/smaps_rollup`, 'utf8'))[1]);
  assert.ok(memory < 2048, `${memory} KiB`); // the ring, and a frame for each of them
  for (const guest of guests) {
    guest.socket.resume();
    await guest.exited();
    assert.ok(guest.gaps.length >= 1);
    assert.equal(guest.offset, MIB << 20);
  }
  peer.send(TYPE.RELEASE);
  await gone(keeper.pid);
});

test('frames that a guest has half of end as they began', async t => {
  // The guest reads a little now and then while the ring turns over: Peer checks every offset, this every byte.
  const keeper = await Keeper.start(t, waiting('seq 1 1500000'), { program: KEEPER });
  const expected = Buffer.concat([Buffer.from(READY), numbers(1_500_000)]);
  const check = (bytes, offset) => { if (!bytes.equals(expected.subarray(offset, offset + bytes.length))) assert.fail(`the bytes at ${offset} are wrong`); };
  const guest = await keeper.join(t, { role: GUEST, keep: false, onOutput: check });
  const peer = await keeper.join(t, { keep: false, onOutput: check });
  await peer.until(() => peer.offset === READY.length);
  peer.type('\n');
  guest.socket.pause();
  const pump = setInterval(() => {
    peer.acknowledge();
    if (guest.socket.isPaused()) guest.socket.resume();
    else guest.socket.pause();
  }, 7);
  await peer.exited();
  clearInterval(pump);
  guest.socket.resume();
  await guest.exited();
  assert.equal(guest.offset, expected.length);
  assert.equal(peer.offset, expected.length);
});
