// Real processes behind the hooks: what they do decides what a silence means.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { environment, makeHome, startDaemon } from './lib/daemon.mjs';
import { Agent } from './lib/payloads.mjs';

/** A process as an agent would be one, with a helper of before and perhaps a tool's process, that lives on. */
async function startAgent(t, home, { tool }) {
  const script = `const { spawn } = require('node:child_process');
    spawn('sleep', ['60'], { stdio: 'ignore' }); // as old as the agent, like an MCP server
    setTimeout(() => {
      if (${tool}) spawn('sleep', ['60'], { stdio: 'ignore' });
      console.log('ready');
    }, 2500); // the helper must be older than the call by more than the clocks may differ`;
  const child = spawn(process.execPath, ['-e', script], { env: environment(home), stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  cleanup(t, () => process.kill(-child.pid, 'SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('an agent whose hooks name no process is found by its name and directory, and missed when it goes', { timeout: 90_000 }, async t => {
  const daemon = await startDaemon(t);
  const cwd = fs.realpathSync(makeHome(t));
  fs.copyFileSync('/bin/sleep', path.join(cwd, 'claude'), fs.constants.COPYFILE_FICLONE);
  const child = spawn(path.join(cwd, 'claude'), ['600'], { cwd, stdio: 'ignore' });
  cleanup(t, () => child.kill('SIGKILL'));
  const board = await Board.connect(t, daemon);
  const agent = new Agent({ cwd });
  await daemon.post(agent.start());
  await daemon.post(agent.prompt('Go'));
  await board.session(agent.id, s => s.cachedPid === child.pid);
  // A guess is good enough to look at, not to shoot at.
  const answer = await daemon.fetch(`/api/sessions/${agent.id}/kill`, { method: 'POST', body: '{"confirm":true}' });
  assert.equal((await answer.json()).pid, null);
  assert.equal(child.exitCode, null);
  await daemon.post(agent.prompt('Still here'));
  await board.session(agent.id, s => s.status === 'prompting');
  child.kill('SIGKILL');
  const session = await board.session(agent.id, s => s.status === 'ended' && s.statusEvidence.event === 'exit');
  assert.equal(session.statusEvidence.source, 'process');
});

test('a slow tool of an agent with hooks of others: with a process of its own it works, without one it may wait for a person', { timeout: 60_000 }, async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const busy = new Agent({ cwd: '/srv/busy' }), asking = new Agent({ cwd: '/srv/asking' });
  const [process1, process2] = await Promise.all([
    startAgent(t, daemon.home, { tool: true }), startAgent(t, daemon.home, { tool: false }),
  ]);
  // The busy one first: its time is over before the other's.
  for (const [agent, { pid }] of [[busy, process1], [asking, process2]])
    for (const payload of [agent.prompt('Go'), agent.pre('Bash', { command: 'make' })]) await daemon.post({ ...payload, claude_pid: pid });
  const session = await board.session(asking.id, s => s.status === 'approval');
  assert.equal(session.waitingDetail, 'Approve Bash: make');
  assert.equal(session.statusEvidence.source, 'timer');
  assert.deepEqual([session.attention.kind, session.attention.certain], ['approval', false], 'a guess says that it is one');
  const { [busy.id]: working } = await daemon.get('/api/sessions');
  assert.equal(working.status, 'working');
  assert.equal(working.cachedPid, process1.pid);
});
