// The first moments of a daemon with terminals of an earlier one, when it may be killed or told something before it has caught up.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { keepers, startDaemon } from './lib/daemon.mjs';
import { gone, GUEST, Keeper, TYPE } from './lib/keeper.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const LINES = 50_000, LINE_BYTES = 81; // enough that they take a while to be read

/** A terminal that has printed much, all of it on disk, and lives on. */
async function printed(t, daemon) {
  const made = await makeTerminal(daemon, { argv: ['perl', '-e', `$| = 1; print "x" x 79, "\\n" for 1 .. ${LINES}; sleep 1000`], workingDir: '/' });
  const tty = await Tty.connect(t, daemon, made, { exact: true, offset: 0 });
  await tty.until(() => tty.offset === LINES * LINE_BYTES, 'what it prints');
  return { ...made, bytes: tty.offset };
}

/** [type, payload] of the frames that whole bytes hold. */
function* frames(bytes) {
  for (let at = 0; at + 8 <= bytes.length && at + 8 + bytes.readUInt32LE(at) <= bytes.length; at += 8 + bytes.readUInt32LE(at))
    yield [bytes.readUInt16LE(at + 4), bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at))];
}

test('what is in the journal is acknowledged before anything else, so that a daemon that is killed soon has told it', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t), made = await printed(t, daemon);
  await daemon.stop(); // the journal is whole
  const [keeper] = keepers(daemon.home), socket = path.join(daemon.home, 'terminals', made.terminalId, 'keeper.sock');
  process.kill(keeper, 'SIGKILL');
  await gone(keeper);
  fs.rmSync(socket);
  // In the keeper's place somebody who never answers: whatever comes was said without having been asked.
  const server = net.createServer({ allowHalfOpen: true });
  const heard = new Promise(resolve => {
    server.on('connection', connection => {
      let bytes = Buffer.alloc(0);
      connection.on('error', () => {});
      connection.on('data', chunk => {
        bytes = Buffer.concat([bytes, chunk]);
        const all = [...frames(bytes)];
        if (all.length >= 2) resolve(all);
      });
    });
  });
  server.listen(socket);
  await once(server, 'listening');
  t.after(() => server.close());
  await daemon.start();
  const [[first, hello], [second, flow]] = await heard;
  assert.deepEqual([first, second], [TYPE.HELLO, TYPE.FLOW]);
  assert.equal(hello.readBigUInt64LE(16), BigInt(made.bytes), 'it goes on where the journal ends');
  assert.equal(flow.readBigUInt64LE(0), BigInt(made.bytes), 'and says that it has what is before');
  await daemon.crash();
  server.closeAllConnections?.();
});

test('a terminal that is deleted while it is being adopted does not leave its program behind', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t), made = await printed(t, daemon);
  const [keeper] = keepers(daemon.home);
  await daemon.crash();
  const record = { ostler: { v: 1, via: 'daemon', hook_sent_at: Date.now(), command: { name: 'delete', session: made.terminalId } }, payload: {} };
  fs.appendFileSync(path.join(daemon.home, 'spool/active'), `${JSON.stringify(record)}\n`);
  await daemon.start();
  await gone(keeper);
  assert.deepEqual((await daemon.get('/api/terminals')).terminals, []);
});

/** Between a keeper and the daemon: passes everything on, but the keeper's output only once it is let through, and slowly. */
async function holdOutput(t, socket) {
  const real = `${socket}.real`, held = [], ends = [];
  let welcomed;
  const welcome = new Promise(resolve => { welcomed = resolve; });
  fs.renameSync(socket, real);
  const server = net.createServer(daemon => {
    const keeper = net.connect(real);
    let bytes = Buffer.alloc(0);
    daemon.pipe(keeper);
    for (const end of [daemon, keeper]) ends.push(end.on('error', () => {}));
    daemon.on('close', () => keeper.destroy());
    keeper.on('close', () => daemon.destroy());
    keeper.on('data', chunk => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let n; bytes.length >= 8 && bytes.length >= (n = 8 + bytes.readUInt32LE(0)); bytes = bytes.subarray(n)) {
        const frame = bytes.subarray(0, n), type = frame.readUInt16LE(4);
        if (type === TYPE.OUTPUT) held.push([daemon, frame]);
        else daemon.write(frame);
        if (type === TYPE.WELCOME) welcomed();
      }
    });
  });
  server.listen(socket);
  await once(server, 'listening');
  cleanup(t, () => {
    server.close();
    for (const end of ends) end.destroy();
  });
  return { welcome, letThrough() {
    const timer = setInterval(() => {
      const [daemon, frame] = held.shift() ?? [];
      daemon?.write(frame);
    }, 20);
    cleanup(t, () => clearInterval(timer));
  } };
}

test('who looks at a terminal that is catching up gets every byte, and so does who comes later', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t), go = path.join(daemon.home, 'go'), more = 8000;
  const made = await makeTerminal(daemon, { workingDir: '/', argv: ['perl', '-e', `$| = 1; print "x" x 79, "\\n" for 1 .. ${LINES};
    select undef, undef, undef, 0.01 until -e $ARGV[0]; print "y" x 79, "\\n" for 1 .. ${more}; sleep 1000`, go] });
  const tty = await Tty.connect(t, daemon, made, { exact: true, offset: 0 }), socket = path.join(daemon.home, 'terminals', made.terminalId, 'keeper.sock');
  await tty.until(() => tty.offset === LINES * LINE_BYTES, 'what it prints');
  await daemon.crash();
  fs.writeFileSync(go, '');
  const guest = await Object.assign(new Keeper(), { socket }).join(t, { role: GUEST, keep: false });
  await guest.until(() => guest.offset === (LINES + more) * LINE_BYTES, 'what it prints while no daemon runs');
  const keeper = await holdOutput(t, socket);
  await daemon.start();
  await keeper.welcome;
  keeper.letThrough();
  await tty.open();
  await tty.until(() => tty.offset === (LINES + more) * LINE_BYTES, 'the rest');
  for (let i = 0; i < 100; i++) await daemon.get('/api/terminals'); // whatever else was begun for it has ended by now
  const late = await Tty.connect(t, daemon, made, { exact: true, offset: LINES * LINE_BYTES });
  await late.until(() => late.offset === (LINES + more) * LINE_BYTES, 'the rest once more');
  assert.deepEqual([tty.snapshots, tty.gaps, late.snapshots, late.gaps], [0, [], 0, []]);
  assert.equal(late.output, `${'y'.repeat(79)}\r\n`.repeat(more));
});

test('a daemon without descriptors takes no terminal for dead: it catches up with them when it has some', { timeout: 120_000 }, async t => {
  const daemon = await startDaemon(t);
  for (let i = 0; i < 40; i++) await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: '/' });
  await daemon.crash();
  daemon.nofile = 50; // too few for all of them
  await daemon.start();
  await daemon.says(/waits: its keeper does not answer: Too many open files/);
  const all = keepers(daemon.home), left = 10;
  for (const keeper of all.slice(left)) process.kill(keeper, 'SIGKILL'); // that gives some back
  for (let live = 0; live < left;) live = (await daemon.get('/api/terminals')).terminals.filter(({ connection }) => connection === 'live').length;
});
