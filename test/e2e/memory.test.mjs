// A daemon that gets no more memory dies; nothing is lost or twice, terminals live on, and the next one starts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { Daemon, keepers, makeHome, ostler } from './lib/daemon.mjs';
import { query } from './lib/database.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

const LIVES = 3, EVENTS = 20; // events in each life, before it is cut short
const LITTLE = 1 << 20; // bytes that it may take more than it has

/** A control group for processes that may take only so much; null where none can be made. */
function makeGroup(t) {
  const v1 = '/sys/fs/cgroup/memory', name = `ostler-e2e-${process.pid}-${Math.trunc(performance.now())}`;
  const [root, limit, usage] = fs.existsSync(`${v1}/memory.limit_in_bytes`)
    ? [v1, 'memory.limit_in_bytes', 'memory.usage_in_bytes'] : ['/sys/fs/cgroup', 'memory.max', 'memory.current'];
  const dir = path.join(root, name);
  try {
    fs.mkdirSync(dir);
    fs.accessSync(path.join(dir, limit), fs.constants.W_OK);
  } catch {
    fs.rmSync(dir, { recursive: true, force: true });
    return null;
  }
  cleanup(t, async () => {
    const members = () => fs.readFileSync(path.join(dir, 'cgroup.procs'), 'utf8').trim();
    for (const pid of members().split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGKILL'); // of this test only
    while (members()) await new Promise(resolve => { setTimeout(resolve, 10); });
    fs.rmdirSync(dir);
  });
  return {
    under: ['sh', '-c', `echo $$ > ${dir}/cgroup.procs && exec "$@"`, 'sh'],
    squeeze: () => fs.writeFileSync(path.join(dir, limit), String(Number(fs.readFileSync(path.join(dir, usage), 'utf8')) + LITTLE)),
    release: () => fs.writeFileSync(path.join(dir, limit), v1 === root ? '-1' : 'max'),
  };
}

/** Bodies of megabytes, until it is gone, or so often. */
async function press(daemon, rounds = Infinity) {
  const body = JSON.stringify({ hook_event_name: 'Stop', session_id: 'none', filler: 'x'.repeat(8 << 20) });
  for (let round = 0; daemon.running && round < rounds; round++)
    await Promise.race([daemon.exited, Promise.all(Array.from({ length: 4 }, () => daemon.post(body).then(answer => answer.text()).catch(() => {})))]);
}

/** Events, a terminal, and as many lives as there are; `cut` ends each of them. */
async function live(t, daemon, cut) {
  const { home } = daemon, agent = new Agent({ cwd: '/srv/scarce' });
  cleanup(t, () => daemon.stop());
  let nth = 0;
  const hook = () => runHook(home, agent.pre('Bash', { command: `echo mark-${nth++}` }));
  await daemon.start();
  assert.equal((await ostler(home, ['run', '--detach', 'sh', '-c', 'echo begun; exec cat'])).code, 0);
  const kept = keepers(home);
  assert.equal(kept.length, 1);
  for (let life = 0; life < LIVES; life++) {
    for (let i = 0; i < EVENTS; i++) await hook();
    await cut(daemon, hook);
    await hook(); // while nobody is there
    assert.deepEqual(keepers(home), kept, 'its keeper lives');
    await daemon.start();
  }
  const board = await Board.connect(t, daemon);
  await board.session(agent.id, s => s.toolCalls >= nth);
  assert.equal((await daemon.get('/api/terminals')).terminals[0].connection, 'live');
  await daemon.stop();
  const rows = query(home, `SELECT t.tool_input_summary AS said FROM tool_calls t JOIN sessions s ON s.id = t.session_id WHERE s.session_id = '${agent.id}' ORDER BY t.pos`);
  assert.deepEqual(rows.map(row => row.said), Array.from({ length: nth }, (_, i) => `echo mark-${i}`), 'each once, in its order');
  assert.deepEqual(query(home, 'PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  assert.deepEqual(keepers(home), kept);
}

test('killed by the limit of its control group', { timeout: 240_000 }, async t => {
  const group = process.getuid() === 0 ? makeGroup(t) : null;
  if (!group) return t.skip('no control group with a limit can be made here');
  const daemon = new Daemon(makeHome(t), { under: group.under });
  await live(t, daemon, async (_, hook) => {
    group.squeeze();
    await Promise.all([press(daemon), hook().then(hook)]);
    assert.equal((await daemon.exited).signal, 'SIGKILL', daemon.log);
    group.release();
  });
});

test('memory that it asks for and does not get', { timeout: 240_000 }, async t => {
  const may = 'allocator_may_return_null=1:handle_abort=0:abort_on_error=1'; // ASan: as malloc does it
  const env = { ASAN_OPTIONS: [process.env.ASAN_OPTIONS, may].filter(Boolean).join(':') };
  const daemon = new Daemon(makeHome(t), { env });
  await live(t, daemon, async (_, hook) => {
    const now = Number(/VmSize:\s+(\d+)/.exec(fs.readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8'))[1]) * 1024;
    execFileSync('prlimit', ['--pid', String(daemon.child.pid), `--as=${now + LITTLE}:${now + LITTLE}`]);
    await Promise.all([press(daemon, 5), hook().then(hook)]);
    // A body that does not fit is refused; where it cannot do without, it says so and ends.
    if (daemon.running) await daemon.kill('SIGKILL');
    else assert.match(daemon.log, /out of memory|failed to (allocate|mmap)|Cannot allocate memory/);
    daemon.log = '';
  });
});
