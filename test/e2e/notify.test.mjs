// `notify.command`: a command of the user's own, run by the real daemon.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';
import { allowLoopback } from './lib/push_service.mjs';

/** A command that tells this test what it was given. */
async function teller(t, home) {
  const told = [];
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    let text = '';
    socket.setEncoding('utf8').on('data', d => { text += d; });
    socket.on('end', () => { told.push(JSON.parse(text)); server.emit('told'); socket.end(); });
  });
  const file = path.join(home, 'teller.sock'), program = path.join(home, 'tell it.mjs');
  server.listen(file);
  await once(server, 'listening');
  cleanup(t, () => server.close());
  fs.writeFileSync(program, `#!${process.execPath}
import fs from 'node:fs'; import net from 'node:net';
const stdin = fs.readFileSync(0, 'utf8');
net.connect(${JSON.stringify(file)}).end(JSON.stringify({ stdin: JSON.parse(stdin), args: process.argv.slice(2), env: process.env }));
`, { mode: 0o755 });
  return {
    program,
    async next() {
      const signal = AbortSignal.timeout(30_000);
      while (!told.length) await once(server, 'told', { signal });
      return told.shift();
    },
  };
}

test('the command gets the news as JSON and in its environment, and no shell sees what an agent said', async t => {
  const home = makeHome(t), tells = await teller(t, home);
  allowLoopback(home);
  const set = await ostler(home, ['config', 'set', 'notify.command', `'${tells.program}' --to "a phone" $(touch\\ ${home}/ran)`]);
  assert.equal(set.code, 0, set.stderr);
  const daemon = await startDaemon(t, { home });
  const agent = new Agent({ cwd: '/srv/app' });
  const command = `echo "$(touch ${home}/ran)"; \`touch ${home}/ran\``;
  await runHooks(home, [agent.start(), agent.prompt('Go'), agent.pre('Bash', { command }), agent.permission('Bash', { command })]);
  const { stdin, args, env } = await tells.next();
  assert.deepEqual(args, ['--to', 'a phone', `$(touch ${home}/ran)`]);
  assert.equal(stdin.kind, 'approval');
  assert.equal(stdin.detail, command);
  assert.equal(stdin.tool, 'Bash');
  assert.equal(env.OSTLER_KIND, 'approval');
  assert.equal(env.OSTLER_PROJECT, 'app');
  assert.match(env.OSTLER_URL, new RegExp(`^http://.*/session/${stdin.sessionId}$`));
  assert.equal(env.OSTLER_REQUEST, stdin.requestId);
  assert.ok(!fs.existsSync(path.join(home, 'ran')));
  assert.equal(daemon.running, true);
});

test('one that fails, hangs or is not there is told of in the log, with what it said', async t => {
  for (const [words, says] of [
    [['sh', '-c', 'echo it is broken >&2; exit 3'], /exited with 3: it is broken/],
    [['/nowhere/at/all'], /cannot be run: no such file/],
    [['sh', '-c', 'kill -9 $$'], /ended by signal 9/],
  ]) {
    const home = makeHome(t);
    allowLoopback(home, { 'notify.command': words });
    const daemon = await startDaemon(t, { home });
    const agent = new Agent();
    await runHooks(home, [agent.start(), agent.prompt('Go'), agent.stop('Done.')]);
    await daemon.says(says);
  }
});

/** The processes of a group; those that only wait to be noticed by their parent do not count. */
const aliveOf = group => fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(name => {
  try {
    const [state, , theirs] = fs.readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return state !== 'Z' && Number(theirs) === group;
  } catch {
    return false;
  }
});

test('one that hangs is ended, with all that it started', async t => {
  const home = makeHome(t), pid = path.join(home, 'pid');
  allowLoopback(home, { 'notify.command': ['sh', '-c', `echo $$ >${pid}.new; mv ${pid}.new ${pid}; sleep 1000 & sleep 1000`] });
  const watched = fs.watch(home);
  const daemon = await startDaemon(t, { home });
  const agent = new Agent();
  await runHooks(home, [agent.start(), agent.prompt('Go'), agent.stop('Done.')]);
  while (!fs.existsSync(pid)) await once(watched, 'change', { signal: AbortSignal.timeout(30_000) });
  watched.close();
  await daemon.says(/was ended after 10000 ms/);
  // They were told to go; the kernel takes a moment.
  const group = Number(fs.readFileSync(pid, 'utf8'));
  for (const end = Date.now() + 10_000; aliveOf(group).length && Date.now() < end;) await new Promise(done => setTimeout(done, 20));
  assert.deepEqual(aliveOf(group), []);
});
