// Peers that mean harm, or are of another time: each loses its own connection, and nothing else happens.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { BUILD, makeHome } from './lib/daemon.mjs';
import { frame, gone, GUEST, hello, Keeper, KEEPER, KEEPERS, Peer, TYPE, u64 } from './lib/keeper.mjs';
import { Random } from './lib/random.mjs';

const closed = socket => new Promise(resolve => { socket.on('close', resolve); socket.resume(); });

for (const program of KEEPERS) {
  const name = path.basename(program);

  test(`${name}: garbage closes its own connection only`, async t => {
    const keeper = await Keeper.start(t, ['cat'], { program });
    const daemon = await keeper.join(t);
    const random = new Random(3), noise = n => Buffer.from(Array.from({ length: n }, () => random.below(256)));
    const size = n => { const head = Buffer.alloc(8); head.writeUInt32LE(n, 0); head.writeUInt16LE(1, 4); return head; };
    const greeted = (...frames) => Buffer.concat([hello({ role: GUEST }), ...frames]);
    const attacks = [
      size(0xffffffff), size(40_000), size(0), noise(100_000), Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      frame(TYPE.INPUT, u64(0), Buffer.from('x')), frame(TYPE.END), frame(TYPE.WELCOME, Buffer.alloc(80)), hello().subarray(0, 20),
      frame(TYPE.HELLO, Buffer.alloc(31)), greeted(hello()), greeted(size(50_000)), greeted(frame(TYPE.FLOW, Buffer.alloc(15))),
      greeted(frame(TYPE.RESIZE, Buffer.alloc(3))), greeted(frame(TYPE.INPUT, Buffer.alloc(7))), greeted(frame(TYPE.SIGNAL)),
      greeted(frame(TYPE.INPUT, u64(0), Buffer.alloc((32 << 10) + 1))),
    ];
    for (const bytes of attacks) {
      const socket = await keeper.dial(t);
      const end = closed(socket);
      socket.write(bytes);
      if (bytes.length === 20) socket.end(); // half a frame, and then nothing
      await end;
    }
    daemon.type('still here\n');
    await daemon.says('still here\r\nstill here');
    assert.equal(daemon.text, 'still here\r\nstill here\r\n');
  });

  test(`${name}: noise after a good beginning, in any pieces`, async t => {
    const keeper = await Keeper.start(t, ['sleep', '1000'], { program });
    const daemon = await keeper.join(t);
    const random = new Random(11);
    for (let i = 0; i < 200; i++) {
      const socket = await keeper.dial(t);
      const end = closed(socket);
      socket.write(hello({ role: GUEST }));
      for (let j = random.below(20); j > 0; j--) {
        const payload = Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)));
        const type = random.pick([TYPE.FLOW, TYPE.INPUT, TYPE.RESIZE, TYPE.RELEASE, 0, 99, 65535]);
        const bytes = frame(type, payload), cut = random.below(bytes.length + 1);
        socket.write(bytes.subarray(0, cut));
        if (random.chance(0.9)) socket.write(bytes.subarray(cut));
      }
      socket.destroy();
      await end;
    }
    await keeper.join(t);
    assert.ok(keeper.running);
    await daemon.closed;
    assert.match(daemon.refused, /Another daemon/);
  });

  test(`${name}: what cannot be is refused with a sentence`, async t => {
    const keeper = await Keeper.start(t, ['cat'], { program });
    for (const [options, sentence] of [
      [{ version: 2 }, /version 1/], [{ version: 0 }, /version 1/], [{ role: 3 }, /daemons and guests/],
      [{ epoch: 999 }, /epoch/], [{ offset: 1 }, /offset/],
    ]) {
      const peer = await keeper.connect(t, options);
      await peer.closed;
      assert.match(peer.refused, sentence);
      assert.equal(peer.welcome, undefined);
    }
    await keeper.join(t, { epoch: 1000 });
  });

  test(`${name}: however many say nothing, the daemon finds a place`, async t => {
    const keeper = await Keeper.start(t, ['cat'], { program });
    const guests = await Promise.all(Array.from({ length: 8 }, () => keeper.join(t, { role: GUEST })));
    const ninth = await keeper.connect(t, { role: GUEST });
    await ninth.closed;
    assert.match(ninth.refused, /Too many/);
    const silent = [];
    for (let i = 0; i < 12; i++) silent.push(await keeper.dial(t));
    const daemon = await keeper.join(t);
    await daemon.until(() => daemon.guests === 8);
    assert.ok(guests.every(guest => !guest.ended));
  });

  test(`${name}: frames of a newer peer are skipped`, async t => {
    const keeper = await Keeper.start(t, ['cat'], { program });
    const peer = await keeper.join(t);
    peer.send(1234, Buffer.from('new'));
    peer.send(TYPE.RELEASE, Buffer.from('with more'));
    peer.send(TYPE.FLOW, u64(0, 1 << 20, 77));
    peer.type('hello\n');
    await peer.says('hello\r\nhello');
  });

  test(`${name}: another user is turned away`, { skip: process.getuid() !== 0 && 'only root can be somebody else' }, async t => {
    const keeper = await Keeper.start(t, ['cat'], { program });
    assert.equal(fs.statSync(keeper.socket).mode & 0o777, 0o600);
    const script = `const s = require('node:net').connect(${JSON.stringify(keeper.socket)});
      s.on('error', error => console.log(error.code)); s.on('data', bytes => console.log(String(bytes.subarray(8))));`;
    const asNobody = async () => {
      const child = spawn(process.execPath, ['-e', script], { uid: 65534, gid: 65534, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
      let said = '';
      child.stdout.on('data', chunk => { said += chunk; });
      await once(child, 'close');
      return said.trim();
    };
    fs.chmodSync(keeper.home, 0o755);
    assert.equal(await asNobody(), 'EACCES');
    fs.chmodSync(keeper.socket, 0o666);
    assert.equal(await asNobody(), 'This terminal belongs to another user.');
    const own = new Peer(await keeper.dial(t));
    own.socket.write(hello());
    await own.until(() => own.welcome);
  });
}

test('without descriptors to spare, who comes waits', async t => {
  const home = makeHome(t), wrapper = path.join(home, 'few');
  fs.writeFileSync(wrapper, `#!/bin/sh\nulimit -n 10\nexec '${KEEPER}' "$@"\n`, { mode: 0o755 });
  const keeper = await Keeper.start(t, ['cat'], { program: wrapper, home });
  const daemon = await keeper.join(t), guests = await Promise.all(Array.from({ length: 3 }, () => keeper.join(t, { role: GUEST })));
  const waiting = await keeper.connect(t, { role: GUEST });
  daemon.type('hello\n');
  await daemon.says('hello\r\nhello');
  const before = keeper.ticks;
  await new Promise(resolve => { setTimeout(resolve, 600); }); // it must not turn in circles meanwhile
  assert.ok(keeper.ticks - before < 10, `${keeper.ticks - before} ticks`);
  assert.equal(waiting.welcome, undefined);
  await guests[0].kill();
  await waiting.until(() => waiting.welcome, 'a welcome');
});

/** A line of /proc/PID/status. */
const status = (pid, name) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];

test('a keeper is confined, and its program is not', async t => {
  if (status(process.pid, 'Seccomp') === undefined) return t.skip('this kernel has no seccomp');
  const keeper = await Keeper.start(t, ['sh', '-c', 'grep -E "^(Seccomp|NoNewPrivs):" /proc/self/status; echo told; exec cat'], { program: KEEPER });
  const peer = await keeper.join(t);
  await peer.says('told');
  for (const [name, ours] of [['Seccomp', status(process.pid, 'Seccomp')], ['NoNewPrivs', status(process.pid, 'NoNewPrivs')]]) {
    assert.match(peer.text, new RegExp(`${name}:\\s+${ours}`), `${name} of the program is what it would be anywhere`);
    assert.equal(status(keeper.child, name), ours);
  }
  assert.deepEqual([status(keeper.pid, 'Seccomp'), status(keeper.pid, 'NoNewPrivs')], ['2', '1']);
  // Everything that it has to do, it still can: sizes, signals, input, the end, and its socket goes with it.
  peer.resize(91, 31);
  await peer.until(() => peer.sizes.at(-1)?.cols === 91, 'a size');
  peer.type('still here\n');
  await peer.says('still here');
  peer.signal(15);
  assert.equal((await peer.exited()).signal, 15);
  peer.send(TYPE.RELEASE);
  await gone(keeper.pid);
  assert.equal(fs.existsSync(keeper.socket), false);
});

test('a keeper that somebody has taken over can run nothing, open nothing and remove nothing', async t => {
  if (status(process.pid, 'Seccomp') === undefined) return t.skip('this kernel has no seccomp');
  const home = makeHome(t), [own, another] = ['own', 'another'].map(name => path.join(home, name));
  for (const file of [own, another]) fs.writeFileSync(file, '');
  const child = spawn(path.join(BUILD, 'test/agents/confined'), [own, another], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', chunk => { said += chunk; });
  await once(child, 'close');
  if (said === 'not here\n') return t.skip('it is built with sanitizers, which need more');
  assert.deepEqual(said.trim().split('\n'), ['open EPERM', 'openat EPERM', 'socket EPERM', 'exec EPERM', 'fork EPERM', 'mmap EPERM', 'ptrace EPERM', 'kill all EPERM', 'kill one EPERM', 'TIOCSTI EPERM',
    'remove another EPERM', 'its own path elsewhere EPERM', 'write over its path EPERM', 'look at another EPERM', 'look at its own allowed', 'remove its own allowed',
    'kill group allowed', 'write allowed']);
  assert.deepEqual([own, another].map(file => fs.existsSync(file)), [false, true]);
});

test('a program with the set-user-id bit is what it is in a terminal of ours', { skip: process.getuid() === 0 ? false : 'only root can make one' }, async t => {
  const home = makeHome(t), program = path.join(home, 'whoami');
  fs.copyFileSync('/usr/bin/id', program);
  fs.chmodSync(home, 0o755);
  fs.chownSync(program, 65534, 65534);
  fs.chmodSync(program, 0o4755);
  const keeper = await Keeper.start(t, ['sh', '-c', `${program} -u; echo told; exec cat`], { program: KEEPER });
  const peer = await keeper.join(t);
  await peer.says('told');
  assert.match(peer.text, /^65534\r\n/);
});
