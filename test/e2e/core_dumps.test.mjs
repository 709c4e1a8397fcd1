// What our programs have in memory is written to no core dump, and read by nobody but root. Programs in terminals keep what they had.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD, Daemon, environment, keepers, makeHome, OSTLER, startDaemon } from './lib/daemon.mjs';
import { HOOK, runHook } from './lib/hook.mjs';
import { gone } from './lib/keeper.mjs';
import { Agent } from './lib/payloads.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const NOBODY = 65534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
const PATTERN = fs.readFileSync('/proc/sys/kernel/core_pattern', 'utf8').trim();
/** The sanitizers have their own mind about cores and signals, which is not what is shipped. */
const PLAIN = { ASAN_OPTIONS: [process.env.ASAN_OPTIONS, 'disable_coredump=0:handle_segv=0:handle_abort=0:handle_sigbus=0'].filter(Boolean).join(':') };

/** Where a file called core… would be: where the process is; a keeper is in the root. */
const cores = dir => fs.readdirSync(dir).filter(name => name.startsWith('core'));

/** Starts the words in that directory, with cores of any size. */
const inDir = dir => ['sh', '-c', `cd ${dir} && ulimit -c unlimited && exec "$@"`, 'sh'];

/** Runs it there, lets it get going, and kills it as a fault would. */
async function fault(t, dir, words, env) {
  const [program, ...args] = [...inDir(dir), ...words];
  const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'] }), ended = once(child, 'exit');
  cleanup(t, () => child.kill('SIGKILL'));
  const exe = () => { try { return path.basename(fs.readlinkSync(`/proc/${child.pid}/exe`)); } catch { return ''; } };
  const waits = () => /^State:\s+S/m.test(fs.readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  const basename = path.basename(fs.realpathSync(words[0]));
  while ((exe() !== basename || !waits()) && child.exitCode === null) await new Promise(resolve => { setTimeout(resolve, 2); });
  child.kill('SIGSEGV');
  const [, signal] = await ended;
  assert.equal(signal, 'SIGSEGV');
}

test('daemon, keeper, hook and command line leave no core; a program in a terminal does', { timeout: 60_000 }, async t => {
  const dir = makeHome(t), home = makeHome(t), atRoot = cores('/');
  cleanup(t, () => cores('/').filter(name => !atRoot.includes(name)).forEach(name => fs.rmSync(path.join('/', name))));
  if (PATTERN !== 'core') return t.skip(`cores go elsewhere here: ${PATTERN}`);
  await fault(t, dir, ['/bin/cat'], environment(home));
  assert.equal(cores(dir).length, 1, 'cores can be made here');
  cores(dir).forEach(name => fs.rmSync(path.join(dir, name)));

  const daemon = new Daemon(home, { under: inDir(dir), env: PLAIN });
  await daemon.start();
  cleanup(t, () => daemon.stop());
  const hosted = path.join(dir, 'hosted');
  fs.mkdirSync(hosted);
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'ulimit -c; kill -SEGV $$'], workingDir: hosted });
  const tty = await Tty.connect(t, daemon, made);
  await tty.until(() => tty.exit, 'its end');
  assert.match(`${tty.snapshot ?? ''}${tty.output}`, /unlimited/);
  assert.equal(cores(hosted).length, 1, 'what is hosted has the limit that the person had');

  await makeTerminal(daemon, { argv: ['sleep', '1000'], workingDir: dir });
  const [keeper] = keepers(home);
  process.kill(keeper, 'SIGSEGV');
  await gone(keeper);
  assert.deepEqual(cores('/'), atRoot);
  await fault(t, dir, [HOOK], environment(home, PLAIN));
  await fault(t, dir, [OSTLER, 'password', 'set'], environment(home, PLAIN));
  assert.equal((await daemon.kill('SIGSEGV')).signal, 'SIGSEGV');
  assert.deepEqual(cores(dir), []);

  await fault(t, dir, [HOOK], environment(home, { ...PLAIN, OSTLER_CORE: '1' }));
  assert.equal(cores(dir).length, 1, 'unless it is asked for');
});

/** A home of nobody's. */
function makeNobodysHome(t) {
  const home = makeHome(t);
  fs.mkdirSync(path.join(home, 'run'), { mode: 0o700 });
  for (const one of [home, path.join(home, 'run')]) fs.chownSync(one, NOBODY, NOBODY);
  return home;
}

test('as a plain user: memory is root\'s to read, and everything works all the same', { timeout: 60_000 }, async t => {
  if (process.getuid() !== 0) return t.skip('taking on another user takes root');
  const home = makeNobodysHome(t), other = makeNobodysHome(t), nobody = { under: AS_NOBODY };
  const daemon = await startDaemon(t, { home, ...nobody }), agent = new Agent();
  const made = await makeTerminal(daemon, { argv: ['sh', '-c', 'echo begun; exec cat'], workingDir: '/' });
  const tty = await Tty.connect(t, daemon, made);
  await tty.until(() => `${tty.snapshot ?? ''}${tty.output}`.includes('begun'), 'its output');
  const { pid } = await daemon.get(`/api/terminals/${made.terminalId}`);
  const owner = of => fs.statSync(`/proc/${of}/environ`).uid;
  assert.deepEqual([daemon.child.pid, keepers(home)[0], pid].map(owner), [0, 0, NOBODY]);
  const run = async (where, ...args) => {
    const child = spawn(AS_NOBODY[0], [...AS_NOBODY.slice(1), OSTLER, ...args], { env: environment(where), stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { said += chunk; });
    const [code] = await once(child, 'close');
    return { code, said };
  };
  await runHook(home, agent.start(), { program: AS_NOBODY[0], args: [...AS_NOBODY.slice(1), path.join(BUILD, 'ostler-hook')] });
  const doctor = await run(home, 'doctor', '--json');
  const bad = doctor.said.trim().split('\n').map(line => JSON.parse(line)).filter(line => line.state === 'bad');
  assert.deepEqual(bad, []);

  // Who has the port can not be read from its descriptors any more.
  const refused = await run(other, 'serve', '--no-open', '--port', String(daemon.port));
  assert.equal(refused.code, 1);
  assert.match(refused.said, new RegExp(`port ${daemon.port} is served by another ostler \\(pid ${daemon.child.pid}\\)`));
  const next = new Daemon(other, { ownPort: true, args: ['--port', String(daemon.port), '--replace'], ...nobody });
  cleanup(t, () => next.stop());
  await next.start();
  assert.deepEqual(await daemon.exited, { code: 0, signal: null });
  assert.equal(next.port, daemon.port);
});
