// Files that are not what they seem: whatever stands where a file of ostler's own should be, nothing hangs, nothing is written elsewhere,
// and somebody says which file it is.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Daemon, makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { homeWithPassword } from './lib/login.mjs';

const NOBODY = 65534, IS_ROOT = process.getuid() === 0, TERABYTE = 2 ** 40, WAIT_MS = 60_000;

/** What can stand there. Each makes it at `file`; `victim` is what must keep its bytes. */
const ODD = {
  'a FIFO': file => execFileSync('mkfifo', [file]),
  'a device': IS_ROOT && (file => execFileSync('mknod', [file, 'c', '1', '5'])),
  'a link': (file, victim) => fs.symlinkSync(victim, file),
  'a link to a device': file => fs.symlinkSync('/dev/zero', file),
  'a dangling link': (file, victim) => fs.symlinkSync(`${victim}.absent`, file),
  'a directory': file => fs.mkdirSync(file),
  "another user's file": IS_ROOT && (file => { fs.writeFileSync(file, 'theirs'); fs.chownSync(file, NOBODY, NOBODY); }),
};
/** What is a plain file of ours, with something in it that nobody expects. */
const STRANGE = {
  'mode 0666': file => { fs.writeFileSync(file, ''); fs.chmodSync(file, 0o666); },
  'nothing in it': file => fs.writeFileSync(file, ''),
  'a terabyte of nothing': file => { fs.writeFileSync(file, ''); fs.truncateSync(file, TERABYTE); },
};

/** Every file by its path in OSTLER_HOME. `starts`: the daemon does without it, or puts another one in its place; else it must refuse. */
const FILES = {
  'lock': { starts: false },
  'ostler.db': { starts: false },
  'ostler.db-wal': { starts: false },
  'ostler.db-shm': { starts: false },
  'transcripts.db': { starts: true },
  'transcripts.db-wal': { starts: true },
  'tokens': { starts: true, password: true },
  'run/daemon.json': { starts: true, replaced: true },
  'config/config.json': { starts: false, mayBeLink: true },
  'config/redact.patterns': { starts: false, mayBeLink: true },
  'config/hook.token': { starts: true, unopened: true }, // the owner's own hooks need none
  'tls.pem': { starts: false, args: ['--tls'] },
  'ostler.log': { starts: false, log: true },
};

function prepare(t, file, { password }) {
  const home = password ? homeWithPassword(t) : makeHome(t), at = path.join(home, file), victim = path.join(home, 'victim');
  fs.mkdirSync(path.dirname(at), { recursive: true, mode: 0o700 });
  fs.writeFileSync(victim, 'kept', { mode: 0o600 });
  return { home, at, victim };
}

/** Starts a daemon: null when it listens (and has stopped again), else what it said before it ended. */
async function tried(t, home, { args = [], log }) {
  const daemon = new Daemon(home, { args: [...args, ...(log ? ['--log', path.join(home, 'ostler.log')] : [])] });
  const slow = setTimeout(() => daemon.kill(), WAIT_MS);
  try {
    await daemon.start();
    await daemon.post({ hook_event_name: 'SessionStart', session_id: 'x' }, { 'x-ostler-hook-token': 'wrong' }).then(r => r.arrayBuffer(), () => {});
    await daemon.stop();
    return null;
  } catch {
    const { signal } = await daemon.exited;
    assert.equal(signal, null, `it hung:\n${daemon.log}`);
    await daemon.says(/ostler serve: /); // its last words may come behind its end
    daemon.checkLog();
    return daemon.log;
  } finally {
    clearTimeout(slow);
  }
}

const AT_ONCE = { concurrency: 4 };

describe('what is no plain file of ours', AT_ONCE, () => {
  for (const [file, how] of Object.entries(FILES))
    for (const [name, make] of Object.entries(ODD))
      if (make) test(`${file} is ${name}`, async t => {
        const { home, at, victim } = prepare(t, file, how);
        if (how.mayBeLink && name === 'a link') fs.writeFileSync(victim, 'no JSON (');
        const kept = fs.readFileSync(victim, 'utf8');
        make(at, victim);
        const said = await tried(t, home, how);
        const isFine = how.starts || (how.mayBeLink && name === 'a dangling link') || (how.replaced && name !== 'a directory');
        if (!isFine) assert.ok(said?.includes(at), `it must name ${at}: ${said}`);
        else if (!(how.replaced && name === 'a directory')) assert.equal(said, null);
        assert.equal(fs.readFileSync(victim, 'utf8'), kept, 'nothing is written elsewhere');
        assert.ok(!fs.existsSync(`${victim}.absent`), 'nor made');
        if (!['a FIFO', 'a link', "another user's file"].includes(name)) return; // what the doctor says of the others is the same
        const stillThere = fs.lstatSync(at, { throwIfNoEntry: false });
        if (!stillThere || stillThere.isFile() && !name.startsWith('another')) return;
        const { stdout, signal } = await ostler(home, ['doctor', '--json']);
        assert.equal(signal, null);
        const bad = stdout.trim().split('\n').map(line => JSON.parse(line)).filter(line => line.state === 'bad');
        if (!(how.mayBeLink && name === 'a dangling link') && file !== 'config/redact.patterns')
          assert.ok(bad.some(line => line.what.includes(at) && line.todo), `the doctor names ${at}: ${JSON.stringify(bad)}`);
      });
});

describe('what is a plain file of ours, and strange', AT_ONCE, () => {
  for (const [file, how] of Object.entries(FILES))
    for (const [name, make] of Object.entries(STRANGE))
      test(`${file} has ${name}`, async t => {
        const { home, at } = prepare(t, file, how);
        make(at);
        const said = await tried(t, home, how); // no matter which, but it is soon
        if (said) assert.ok(said.includes(at), said);
        const st = fs.statSync(at, { throwIfNoEntry: false });
        if (st && name === 'mode 0666' && !how.unopened) assert.equal(st.mode & 0o022, 0, 'nobody else can write to it any more');
      });
});

test("a state directory of another user's is not used, nor is one made in another user's", { skip: !IS_ROOT }, async t => {
  const home = makeHome(t);
  fs.chownSync(home, NOBODY, NOBODY);
  for (const dir of [home, path.join(home, 'made')]) {
    const { code, stderr } = await ostler(dir, ['serve', '--port', '0', '--no-open']);
    assert.equal(code, 1);
    assert.ok(stderr.includes(dir) && /belongs to another user/.test(stderr), stderr);
  }
  assert.deepEqual(fs.readdirSync(home), []);
  // As root with a user's HOME: nothing of root's is left in it.
  const { code, stderr } = await ostler(home, ['serve', '--port', '0', '--no-open'], { env: { OSTLER_HOME: '' } });
  assert.equal(code, 1);
  assert.match(stderr, /belongs to another user/);
  assert.deepEqual(fs.readdirSync(home), []);
  fs.chownSync(home, 0, 0);
});

test('settings of a CLI that are a FIFO, a device or a directory are refused in time', async t => {
  for (const make of ['a FIFO', 'a link to a device', 'a directory']) {
    const home = makeHome(t), file = path.join(home, '.claude/settings.json');
    fs.mkdirSync(path.dirname(file));
    ODD[make](file);
    const { code, stderr, signal } = await ostler(home, ['hooks', 'install', '--cli', 'claude']);
    assert.deepEqual([code, signal], [1, null]);
    assert.ok(stderr.includes('settings.json'), stderr);
  }
});

test('links as the state directory and as the configuration stay what they are', async t => {
  const real = makeHome(t), outer = makeHome(t), home = path.join(outer, 'link'), config = path.join(real, 'dotfiles.json');
  fs.symlinkSync(real, home);
  fs.mkdirSync(path.join(real, 'config'), { mode: 0o700 });
  fs.writeFileSync(config, '{"maxTerminals": 5}');
  fs.symlinkSync('../dotfiles.json', path.join(real, 'config/config.json'));
  const daemon = await startDaemon(t, { home });
  await daemon.get('/api/health');
  assert.equal((await ostler(home, ['config', 'set', 'maxTerminals', '6'])).code, 0);
  assert.ok(fs.lstatSync(path.join(real, 'config/config.json')).isSymbolicLink());
  assert.equal(fs.readFileSync(config, 'utf8'), '{"maxTerminals": 6}');
});
