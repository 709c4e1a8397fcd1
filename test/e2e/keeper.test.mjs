// One terminal and its keeper: what runs in it, what it is told and what it tells.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { makeHome } from './lib/daemon.mjs';
import { alive, DAEMON, gone, GUEST, Keeper, KEEPERS, TYPE } from './lib/keeper.mjs';

const sh = script => ['sh', '-c', script];

for (const program of KEEPERS) {
  const name = path.basename(program);

  test(`${name}: what is typed is echoed, and the end is told`, async t => {
    const keeper = await Keeper.start(t, sh('stty -echo; echo ready; read line; echo "<$line>"; exit 3'), { program, cols: 91, rows: 33 });
    const peer = await keeper.join(t);
    const { keeper: pid, child, childStart, version, epoch, exited, cols, rows } = peer.welcome;
    assert.deepEqual({ pid, child, childStart, version, epoch, exited, cols, rows },
      { pid: keeper.pid, child: keeper.child, childStart: keeper.childStart, version: 1, epoch: 1000, exited: 0, cols: 91, rows: 33 });
    await peer.says('ready');
    peer.type('hello\n');
    const before = Date.now() - 60_000;
    assert.deepEqual({ ...await peer.exited(), atMs: 0 }, { code: 3, signal: 0, offset: peer.offset, atMs: 0 });
    assert.ok(peer.exit.atMs > before && peer.exit.atMs <= Date.now());
    assert.equal(peer.text, 'ready\r\n<hello>\r\n');
    peer.send(TYPE.RELEASE);
    await peer.closed;
    await gone(keeper.pid);
    assert.equal(fs.existsSync(keeper.socket), false);
  });

  test(`${name}: an end that nobody saw is told to whoever comes`, async t => {
    for (const [script, code, signal] of [['echo out; exit 7', 7, 0], ['echo out; exit 0', 0, 0], ['echo out; kill -9 $$', -1, 9], ['echo out; kill -SEGV $$', -1, 11]]) {
      const keeper = await Keeper.start(t, sh(script), { program });
      await gone(keeper.child);
      for (const role of [GUEST, DAEMON]) {
        const peer = await keeper.join(t, { role });
        const exit = await peer.exited();
        assert.deepEqual([exit.code, exit.signal, peer.text], [code, signal, 'out\r\n']);
        if (role === DAEMON) peer.send(TYPE.RELEASE);
      }
      await gone(keeper.pid);
    }
  });

  test(`${name}: the program starts with nothing of ours`, async t => {
    const files = ['pipe', 'pipe', 'pipe'];
    const keeper = await Keeper.start(t, sh('ls /proc/self/fd | wc -l; grep -E "Sig(Blk|Ign)" /proc/self/status; umask; tty; ps -o sid=,pgid=,tpgid= -p $$; echo $$; pwd'),
      { program, stdio: files, env: { EXTRA: 'x' } });
    const peer = await keeper.join(t);
    await peer.exited();
    const lines = peer.text.split('\r\n');
    assert.equal(lines[0], '4'); // 0, 1, 2 and the directory that ls reads
    assert.match(lines[1], /^SigBlk:\s+0+$/);
    // The C library keeps 32 and 33 for itself: how those are inherited nobody can change.
    assert.equal(BigInt(`0x${/^SigIgn:\s+(\w+)$/.exec(lines[2])[1]}`) & ~(3n << 31n), 0n);
    assert.equal(Number.parseInt(lines[3], 8), process.umask());
    assert.match(lines[4], /^\/dev\/pts\/\d+$/);
    const [sid, pgid, tpgid] = lines[5].trim().split(/\s+/);
    assert.deepEqual([sid, pgid, tpgid, lines[6]], Array(4).fill(String(keeper.child)));
    assert.equal(lines[7], fs.realpathSync(keeper.home));
    const open = fs.readdirSync(`/proc/${keeper.pid}/fd`).map(fd => { try { return fs.readlinkSync(`/proc/${keeper.pid}/fd/${fd}`); } catch { return ''; } });
    assert.deepEqual(open.filter(link => link.startsWith('pipe:')), []);
    assert.equal(fs.readlinkSync(`/proc/${keeper.pid}/cwd`), '/');
  });

  test(`${name}: it says in one line why it cannot start`, async t => {
    const home = makeHome(t), file = path.join(home, 'file');
    fs.writeFileSync(file, '#!/nowhere/sh\n', { mode: 0o644 });
    const refused = (argv, options, sentence) => assert.rejects(Keeper.start(t, argv, { program, home, ...options }), { message: sentence });
    await refused(['true'], { cwd: '/no/such dir' }, 'error the directory /no/such dir does not exist');
    await refused(['true'], { cwd: file }, `error ${file} is no directory`);
    await refused(['no-such-program; rm -rf $HOME'], {}, 'error the program no-such-program; rm -rf $HOME was not found: install it, or give its whole path');
    await refused([file], {}, `error cannot run ${file}: Permission denied`);
    await refused(['a\nok 1 2 3'], {}, 'error the program a?ok 1 2 3 was not found: install it, or give its whole path');
    await refused(['true'], { cols: 0 }, 'error --cols takes a number, not 0');
    await refused(['true'], { socket: path.join(home, 'none/keeper.sock') }, /^error cannot listen at .*: No such file or directory$/);
    await refused(['true'], { socket: file }, /^error cannot listen at .*: Address (already )?in use$/);
    assert.deepEqual(fs.readdirSync(home), ['file']);
  });

  test(`${name}: a terminal in use stays its keeper's, a dead one's socket is replaced`, async t => {
    const home = makeHome(t);
    const keeper = await Keeper.start(t, ['cat'], { program, home });
    await assert.rejects(Keeper.start(t, ['true'], { program, home }), /in use/);
    await keeper.join(t);
    process.kill(keeper.pid, 'SIGKILL');
    await gone(keeper.pid);
    assert.ok(fs.existsSync(keeper.socket));
    const next = await Keeper.start(t, ['cat'], { program, home, epoch: 2000 });
    assert.equal((await next.join(t)).welcome.epoch, 2000);
    assert.equal(fs.statSync(next.socket).mode & 0o777, 0o600);
  });

  test(`${name}: the size is the program's, and changes are told in their place`, async t => {
    const keeper = await Keeper.start(t, sh('trap "stty size" WINCH; stty size; while :; do read line; echo "$line"; done'), { program, cols: 100, rows: 30 });
    const peer = await keeper.join(t);
    await peer.says('30 100');
    peer.resize(120, 40);
    await peer.says('40 120');
    peer.type('one\n');
    await peer.until(() => /one\r\n(\r\n)*one/.test(peer.text), 'what was typed'); // a signal may cut the shell's first read short
    peer.resize(64, 20);
    await peer.says('20 64');
    assert.deepEqual(peer.sizes.map(({ cols, rows }) => [cols, rows]), [[100, 30], [120, 40], [64, 20]]);
    assert.equal(peer.sizes[1].offset, peer.text.indexOf('40 120'));
    assert.equal(peer.sizes[2].offset, peer.text.indexOf('20 64'));
    await peer.kill();

    const again = await keeper.join(t);
    await again.until(() => again.sizes.length === 3);
    assert.deepEqual(again.sizes, peer.sizes);
    assert.deepEqual([again.welcome.cols, again.welcome.rows], [64, 20]);
    const middle = await keeper.join(t, { offset: peer.sizes[1].offset + 1 });
    await middle.until(() => middle.sizes.length === 2);
    assert.deepEqual(middle.sizes, [{ ...peer.sizes[1], offset: peer.sizes[1].offset + 1 }, peer.sizes[2]]);
  });

  test(`${name}: ten thousand sizes end with the last one`, async t => {
    const keeper = await Keeper.start(t, sh('read line; stty size'), { program });
    const peer = await keeper.join(t);
    for (let i = 1; i <= 10_000; i++) peer.resize(20 + (i % 500), 10 + (i % 90));
    peer.resize(77, 33);
    peer.type('\n');
    await peer.says('33 77');
    const late = await keeper.join(t, { role: GUEST });
    await late.exited();
    assert.ok(late.sizes.length <= 128);
    assert.deepEqual(late.sizes.at(-1), { ...peer.sizes.at(-1) });
  });

  test(`${name}: a signal goes to what is in the foreground`, async t => {
    const keeper = await Keeper.start(t, ['bash', '--norc', '-i'], { program, env: { PS1: 'prompt>' } });
    const peer = await keeper.join(t);
    await peer.says('prompt>');
    peer.type('sleep 1000; echo "status $?"\n');
    await peer.says('sleep 1000');
    const foreground = () => fs.readFileSync(`/proc/${keeper.child}/stat`, 'utf8').split(') ')[1].split(' ')[5];
    while (foreground() === String(keeper.child)) await new Promise(resolve => { setImmediate(resolve); });
    peer.signal(os.constants.signals.SIGTERM);
    await peer.says('status 143');
    peer.type('exit 5\n');
    assert.equal((await peer.exited()).code, 5);
  });

  test(`${name}: an end is a hangup, and a program that will not hear of it is killed`, async t => {
    const polite = await Keeper.start(t, sh('trap "echo bye; exit 4" HUP; echo ready; while :; do read line; done'), { program });
    const stubborn = await Keeper.start(t, sh('trap "" HUP TERM; echo ready; while :; do read line; done'), { program });
    const peers = [await polite.join(t), await stubborn.join(t)];
    for (const peer of peers) {
      await peer.says('ready');
      peer.send(TYPE.END);
      peer.send(TYPE.END);
    }
    assert.equal((await peers[0].exited()).code, 4);
    assert.match(peers[0].text, /bye/);
    const exit = await peers[1].exited();
    assert.deepEqual([exit.code, exit.signal], [-1, 9]);
  });

  test(`${name}: one that is stopped ends as well`, async t => {
    const keeper = await Keeper.start(t, sh('echo ready; kill -STOP $$'), { program });
    const peer = await keeper.join(t);
    await peer.says('ready');
    peer.send(TYPE.END);
    assert.equal((await peer.exited()).signal, 1);
  });

  test(`${name}: SIGTERM ends program and keeper, SIGHUP nothing`, async t => {
    const keeper = await Keeper.start(t, sh('trap "echo bye; exit 4" HUP; echo ready; while :; do read line; done'), { program });
    const peer = await keeper.join(t);
    await peer.says('ready');
    for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE', 'SIGUSR1']) process.kill(keeper.pid, signal);
    process.kill(keeper.pid, 'SIGTERM');
    assert.equal((await peer.exited()).code, 4);
    assert.ok(keeper.running);
    await peer.kill(); // without a release it waits for a moment only
    await gone(keeper.pid);
    assert.equal(fs.existsSync(keeper.socket), false);
  });

  test(`${name}: who is left behind in the terminal is not waited for`, async t => {
    const keeper = await Keeper.start(t, sh(`trap "" HUP; setsid sh -c 'echo pid $$; exec sleep 1000' & sleep 1000 & echo pid $!; read line; echo bye`), { program });
    const peer = await keeper.join(t);
    const pids = () => [...peer.text.matchAll(/^pid (\d+)\r$/gm)].map(([, pid]) => Number(pid));
    await peer.until(() => pids().length === 2, 'two that will be left behind');
    peer.type('\n');
    assert.equal((await peer.exited()).code, 0);
    assert.match(peer.text, /bye/);
    for (const pid of pids()) {
      assert.ok(alive(pid));
      process.kill(pid, 'SIGKILL');
    }
  });

  test(`${name}: a keeper that is killed hangs up on its program`, async t => {
    const home = makeHome(t), note = path.join(home, 'note');
    const keeper = await Keeper.start(t, sh(`trap "echo hup >'${note}'; exit" HUP; echo ready; while :; do sleep 0.05; done`), { program, home });
    const peer = await keeper.join(t);
    await peer.says('ready');
    const changes = fs.watch(home);
    process.kill(keeper.pid, 'SIGKILL');
    while (!fs.existsSync(note)) await once(changes, 'change');
    changes.close();
    await gone(keeper.child);
  });

  test(`${name}: a program that closes its terminal costs nothing`, async t => {
    const keeper = await Keeper.start(t, sh('echo ready; exec <&- >&- 2>&-; exec sleep 1'), { program });
    const peer = await keeper.join(t);
    await peer.says('ready');
    const before = keeper.ticks;
    assert.equal((await peer.exited()).code, 0);
    assert.ok(keeper.ticks - before < 20, `${keeper.ticks - before} ticks`);
  });

  test(`${name}: a path longer than a socket's address`, async t => {
    const home = makeHome(t), dir = path.join(home, ...Array(3).fill('d'.repeat(80)));
    fs.mkdirSync(dir, { recursive: true });
    const keeper = await Keeper.start(t, ['echo', 'far away'], { program, home, socket: path.join(dir, 'keeper.sock') });
    const peer = await keeper.join(t);
    await peer.exited();
    assert.equal(peer.text, 'far away\r\n');
    peer.send(TYPE.RELEASE);
    await gone(keeper.pid);
    assert.deepEqual(fs.readdirSync(dir), []);
  });

  test(`${name}: a second daemon takes over, guests stay`, async t => {
    const keeper = await Keeper.start(t, ['cat'], { program });
    const first = await keeper.join(t), guest = await keeper.join(t, { role: GUEST });
    await first.until(() => first.guests === 1);
    const second = await keeper.join(t);
    await first.closed;
    assert.equal(first.refused, 'Another daemon has taken this terminal over.');
    guest.type('from a guest\n');
    await second.says('from a guest\r\nfrom a guest');
    await guest.says('from a guest\r\nfrom a guest');
    await guest.kill();
    await second.until(() => second.guests === 0);
  });

  test(`${name}: what the former daemon said last is heard before the next is welcome`, async t => {
    const keeper = await Keeper.start(t, sh('stty raw -echo; echo ready; cat'), { program });
    for (let i = 1; i <= 20; i++) {
      const peer = await keeper.join(t);
      await peer.says('ready');
      peer.type(`answer ${i}.`, i);
      peer.socket.destroySoon(); // written, and then gone
      const next = await keeper.join(t);
      assert.equal(next.welcome.answered, i);
      await next.says(`answer ${i}.`);
      await next.kill();
    }
  });
}

test('an idle keeper is asleep', async t => {
  const keeper = await Keeper.start(t, ['cat']);
  const peer = await keeper.join(t);
  await peer.until(() => peer.sizes.length === 1);
  const wakes = () => Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(fs.readFileSync(`/proc/${keeper.pid}/status`, 'utf8'))[1]);
  const before = wakes();
  await new Promise(resolve => { setTimeout(resolve, 1000); }); // nothing happens, which is the point
  assert.ok(wakes() - before <= 1);
  assert.ok(alive(keeper.child));
});
