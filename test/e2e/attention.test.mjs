// Who needs a person, through the real hook and daemon: what stays, what is answered elsewhere, what the CLIs' own files tell.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { environment, ostler, startDaemon } from './lib/daemon.mjs';
import { HOOK, runHook, runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

const seen = (daemon, id, body = {}) => daemon.fetch(`/api/sessions/${id}/seen`, { method: 'POST', body: JSON.stringify(body) });

/** An agent whose transcript lies in this home, as Claude Code's would, so that its file of states is found there. */
function agentAt(home, cwd = '/srv/app') {
  const agent = new Agent({ cwd });
  const event = agent.event.bind(agent);
  const transcript_path = path.join(home, '.claude/projects/-srv-app', `${agent.id}.jsonl`);
  agent.event = (name, fields) => ({ ...event(name, fields), transcript_path });
  return agent;
}

/** Writes what Claude Code does, as it does it: in place. */
function say(home, agent, status, waitingFor) {
  const directory = path.join(home, '.claude/sessions');
  fs.mkdirSync(directory, { recursive: true });
  const state = { pid: 4711, sessionId: agent.id, kind: 'interactive', status, ...(waitingFor && { waitingFor }), statusUpdatedAt: Date.now() };
  fs.writeFileSync(path.join(directory, '4711.json'), JSON.stringify(state));
}

test('what is finished stays until somebody has seen it, over a crash and in every browser', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start(), agent.prompt('Go'), agent.stop('All done.\n\nTwo files changed.')]);
  const first = await Board.connect(t, daemon);
  const { attention, lastWords } = await first.session(agent.id, s => s.attention?.kind === 'finished');
  assert.deepEqual([attention.text, attention.detail, attention.form, attention.certain],
    ['All done.…', 'All done.\n\nTwo files changed.', 'markdown', true]);
  assert.equal(lastWords, 'All done.\n\nTwo files changed.');
  await daemon.crash();
  await daemon.start();
  const [one, other] = [await Board.connect(t, daemon), await Board.connect(t, daemon)];
  assert.deepEqual((await one.session(agent.id)).attention, attention);
  assert.equal((await seen(daemon, agent.id, { since: attention.since - 1 })).status, 200);
  assert.deepEqual((await daemon.get(`/api/sessions/${agent.id}`)).attention, attention, 'another one was seen');
  assert.equal((await seen(daemon, agent.id, { since: 'now' })).status, 400);
  assert.equal((await seen(daemon, 'nobody')).status, 404);
  assert.deepEqual(await (await seen(daemon, agent.id, { since: attention.since })).json(), { ok: true });
  for (const board of [one, other]) await board.session(agent.id, s => s.attention === null);
  await daemon.crash();
  await daemon.start();
  assert.equal((await daemon.get(`/api/sessions/${agent.id}`)).attention, null, 'that it was seen is remembered');
});

test('what the agent said stands in a card once: in the news that it is finished, and by itself when that was seen', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.start(), agent.prompt('Go'), agent.stop('All done.')]);
  const early = await Board.connect(t, daemon, { v1: true });
  const { attention, lastWords = null } = await early.session(agent.id, s => s.attention?.kind === 'finished');
  assert.deepEqual([attention.text, attention.detail ?? null, lastWords], ['All done.', null, null]);
  assert.equal((await daemon.get(`/api/sessions/${agent.id}`)).lastWords, 'All done.');
  assert.equal((await seen(daemon, agent.id)).status, 200);
  await early.session(agent.id, s => s.attention === null && s.lastWords === 'All done.');
  const late = await Board.connect(t, daemon, { v1: true });
  assert.equal((await late.session(agent.id)).lastWords, 'All done.');
});

test('a request is whole: what is approved is what is shown', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const command = `echo ${'x'.repeat(5000)} && rm -rf /v`;
  await runHooks(daemon.home, [agent.prompt('Go'), agent.pre('Bash', { command }), agent.permission('Bash', { command })]);
  const plain = await Board.connect(t, daemon);
  const whole = await plain.session(agent.id, s => s.attention);
  assert.equal(whole.attention.detail, command);
  assert.match(whole.attention.text, /…$/, 'a line that is a part says so');
  assert.match(whole.pendingToolDetail, /…$/);
  const board = await Board.connect(t, daemon, { v1: true });
  const card = await board.session(agent.id, s => s.attention);
  assert.equal(card.attention.cut, true);
  assert.equal((await daemon.get(`/api/sessions/${agent.id}`)).attention.detail, command);
  const { stdout } = await ostler(daemon.home, ['ls']);
  assert.match(stdout, /^approval /m);
});

test('a request of more than 64 KiB says how much is missing, in whole characters, also after a crash', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const command = `echo ${'é'.repeat(40_000)} && rm -rf /v`;
  await runHooks(daemon.home, [agent.prompt('Go'), agent.pre('Bash', { command }), agent.permission('Bash', { command })]);
  const board = await Board.connect(t, daemon);
  const { attention } = await board.session(agent.id, s => s.attention);
  const [, kept, missing] = attention.detail.match(/^(echo é+)\n… \(cut here, (\d+) bytes follow\)$/);
  assert.equal(Buffer.byteLength(kept) + Number(missing), Buffer.byteLength(command));
  assert.ok(Buffer.byteLength(attention.detail) <= 64 << 10 && Buffer.byteLength(attention.detail) > (64 << 10) - 100);
  await daemon.crash();
  await daemon.start();
  assert.deepEqual((await daemon.get(`/api/sessions/${agent.id}`)).attention, attention);
});

test('ls shows who needs a person first, what is only guessed behind what is certain, and marks what it cuts', async t => {
  const daemon = await startDaemon(t);
  const [asks, done, broken] = ['/srv/asks', '/srv/done', '/srv/broken'].map(cwd => new Agent({ cwd }));
  const guessed = new Agent({ cwd: '/srv/guessed' });
  // By hooks of others: a question that a timer makes out of silence.
  for (const payload of [guessed.prompt('Go'), guessed.pre('AskUserQuestion', { questions: [{ question: 'Which?' }] })]) await daemon.post(payload);
  await runHooks(daemon.home, [done.prompt('Go'), done.stop('All done.'), broken.prompt('Go'), broken.event('StopFailure', { error: 'rate_limit' }),
    asks.prompt('Go'), asks.permission('Bash', { command: `echo ${'x'.repeat(500)}` })]);
  const board = await Board.connect(t, daemon);
  await board.session(guessed.id, s => s.attention?.certain === false);
  await board.session(asks.id, s => s.attention);
  const { stdout } = await ostler(daemon.home, ['ls']);
  const rows = stdout.trim().split('\n').slice(1);
  assert.deepEqual(rows.map(row => row.split(/\s+/)[0]), ['approval', 'question?', 'error', 'finished']);
  assert.match(rows[0], /x…\s*$/);
});

test('what was answered at the desk is off the board: Claude Code says so in its own file', async t => {
  const daemon = await startDaemon(t);
  const agent = agentAt(daemon.home);
  const board = await Board.connect(t, daemon);
  const ask = async command => {
    await runHooks(daemon.home, [agent.prompt('Go'), agent.pre('Bash', { command }), agent.permission('Bash', { command })]);
    say(daemon.home, agent, 'waiting', 'permission prompt');
    return board.session(agent.id, s => s.attention?.detail === command);
  };
  // The directory of states is made by the CLI, perhaps after its first event.
  fs.mkdirSync(path.join(daemon.home, '.claude'));
  await runHook(daemon.home, agent.start());
  await board.session(agent.id);
  say(daemon.home, agent, 'idle');
  await ask('make');
  say(daemon.home, agent, 'busy');
  const working = await board.session(agent.id, s => !s.attention);
  assert.deepEqual([working.status, working.statusEvidence.source, working.pendingTool], ['working', 'file', null]);
  // No, and Esc: nothing but the file tells.
  await ask('rm x');
  say(daemon.home, agent, 'idle');
  assert.equal((await board.session(agent.id, s => !s.attention)).status, 'waiting');
  // While nobody looks.
  await ask('rm y');
  await daemon.crash();
  say(daemon.home, agent, 'busy');
  await daemon.start();
  const again = await Board.connect(t, daemon);
  assert.equal((await again.session(agent.id, s => !s.attention)).status, 'working');
  // What is no state of anybody's, or not whole yet, is nothing.
  const directory = path.join(daemon.home, '.claude/sessions');
  for (const [name, text] of [['1.json', '{"sessionId":"x"'], ['2.json', ''], ['3.json', '[]'], ['x.key', 'secret'], ['4711.json', '{']])
    fs.writeFileSync(path.join(directory, name), text);
  fs.symlinkSync('/etc/passwd', path.join(directory, '5.json'));
  say(daemon.home, agent, 'idle');
  await again.session(agent.id, s => s.status === 'waiting');
});

/** A process that is an agent: it calls the hook with what it is told on stdin, and starts what it is told to. */
async function startRunner(t, home, cli) {
  const script = `const { spawn, spawnSync } = require('node:child_process');
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const order = JSON.parse(line);
      if (order.run) spawn('sleep', ['60'], { stdio: 'ignore' });
      else spawnSync(${JSON.stringify(HOOK)}, ['--cli', ${JSON.stringify(cli)}], { input: JSON.stringify(order) });
      console.log('done');
    });`;
  const child = spawn(process.execPath, ['-e', script], { env: environment(home), stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  cleanup(t, () => process.kill(-child.pid, 'SIGKILL'));
  return async (...orders) => {
    for (const order of orders) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      await once(child.stdout, 'data');
    }
  };
}

test('Codex and Gemini: the command that runs shows that it was allowed', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  for (const cli of ['codex', 'gemini']) {
    const agent = new Agent({ cwd: `/srv/${cli}` }), input = { command: 'sleep 60' };
    const run = await startRunner(t, daemon.home, cli);
    if (cli === 'codex') await run(agent.prompt('Go'), agent.pre('Bash', input), agent.permission('Bash', input));
    else await run(agent.event('BeforeAgent', { prompt: 'Go' }), agent.event('BeforeTool', { tool_name: 'run_shell_command', tool_input: input }),
      agent.event('Notification', { notification_type: 'ToolPermission', message: 'Run', details: { type: 'exec', ...input } }));
    await board.session(agent.id, s => s.attention?.detail === 'sleep 60');
    // Nothing younger than the question runs yet: it stands.
    await new Promise(resolve => setTimeout(resolve, 700));
    assert.equal(board.find(agent.id).status, 'approval');
    await run({ run: true });
    const session = await board.session(agent.id, s => !s.attention);
    assert.deepEqual([session.status, session.statusEvidence.source], ['working', 'process']);
  }
});

test('of several calls at once each that fails is marked, also when the daemon died meanwhile', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  const call = n => ({ tool_name: 'Bash', tool_input: { command: `make ${n}` }, tool_use_id: `toolu_${n}` });
  await runHooks(daemon.home, [agent.start(), agent.prompt('Go'), ...[1, 2, 3].map(n => agent.event('PreToolUse', call(n)))]);
  const board = await Board.connect(t, daemon);
  await board.session(agent.id, s => s.toolLog?.length === 3);
  await daemon.crash();
  await daemon.start();
  await runHooks(daemon.home, [agent.event('PostToolUseFailure', { ...call(1), error: 'Exit code 1' })]);
  const again = await Board.connect(t, daemon);
  const { toolLog } = await again.session(agent.id, s => s.toolLog.some(entry => entry.failed));
  assert.deepEqual(toolLog.map(({ input, error }) => [input, error]), [['make 1', 'Exit code 1'], ['make 2', undefined], ['make 3', undefined]]);
  await daemon.crash();
  await daemon.start();
  assert.deepEqual((await daemon.get(`/api/sessions/${agent.id}`)).toolLog, toolLog);
});

test('the records that other CLIs keep: answers, errors, failed commands, models', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const write = (file, ...lines) => fs.appendFileSync(file, lines.map(line => `${JSON.stringify({ timestamp: new Date().toISOString(), ...line })}\n`).join(''));
  const start = cli => {
    const file = path.join(daemon.home, `${cli}.jsonl`), agent = new Agent({ cwd: `/srv/${cli}` });
    const event = agent.event.bind(agent);
    agent.event = (name, fields) => ({ ...event(name, fields), transcript_path: file });
    return { file, agent, tell: (...payloads) => runHooks(daemon.home, payloads, { args: ['--cli', cli] }) };
  };

  const gemini = start('gemini');
  write(gemini.file, { type: 'gemini', content: 'x', model: 'gemini-3-pro' });
  await gemini.tell(gemini.agent.event('BeforeAgent', { prompt: 'Go' }));
  await board.session(gemini.agent.id, s => s.model === 'gemini-3-pro');
  await gemini.tell(gemini.agent.event('Notification', { notification_type: 'ToolPermission', message: 'Run', details: { command: 'touch a' } }));
  await board.session(gemini.agent.id, s => s.attention?.kind === 'approval');
  write(gemini.file, { type: 'info', content: 'Request cancelled.' });
  assert.equal((await board.session(gemini.agent.id, s => !s.attention)).status, 'waiting');

  const codex = start('codex');
  write(codex.file, { type: 'session_meta', payload: {} });
  await codex.tell(codex.agent.prompt('Go'), codex.agent.pre('Bash', { command: 'false' }), codex.agent.post('Bash', { command: 'false' }, 'no'));
  await board.session(codex.agent.id, s => s.toolLog?.length === 1);
  write(codex.file, { type: 'event_msg', payload: { type: 'item_completed', item: { type: 'CommandExecution', id: 'toolu_000001', exit_code: 3 } } },
    { type: 'event_msg', payload: { type: 'task_complete', error: { message: 'last status: 429' } } });
  const failed = await board.session(codex.agent.id, s => s.attention?.kind === 'error');
  assert.equal(failed.attention.text, 'last status: 429');
  assert.equal((await daemon.get(`/api/sessions/${codex.agent.id}`)).toolLog[0].error, 'Exit code 3');

  const copilot = new Agent({ cwd: '/srv/copilot' }), home = path.join(daemon.home, '.copilot/session-state', copilot.id);
  const events = path.join(home, 'events.jsonl');
  fs.mkdirSync(home, { recursive: true });
  write(events, { type: 'session.start', data: { selectedModel: 'gpt-x' } });
  const tell = payload => runHook(daemon.home, { ...payload, transcript_path: undefined }, { args: ['--cli', 'copilot'] });
  await tell(copilot.prompt('Go'));
  await board.session(copilot.id, s => s.model === 'gpt-x');
  await tell(copilot.notification('permission_prompt', 'Run command: touch b'));
  await board.session(copilot.id, s => s.attention?.kind === 'approval');
  write(events, { type: 'permission.requested', data: { requestId: 'r1', permissionRequest: { kind: 'shell', fullCommandText: 'touch b && rm -rf c' } } });
  await board.session(copilot.id, s => s.attention?.detail === 'touch b && rm -rf c');
  write(events, { type: 'permission.completed', data: { requestId: 'r1', result: { kind: 'approved' } } });
  assert.equal((await board.session(copilot.id, s => !s.attention)).status, 'working');
  // A prompt that was taken back: another, shorter file takes the place of this one. It is followed from then on.
  fs.writeFileSync(`${events}.tmp`, '{"type":"session.start","data":{}}\n');
  fs.renameSync(`${events}.tmp`, events);
  await board.session(copilot.id, s => s.status === 'waiting');
  write(events, { type: 'assistant.message', data: { content: 'Shall I?' } });
  await board.session(copilot.id, s => s.lastWords === 'Shall I?');
});

test('a session that has ended leaves plain clients, and stays for boards that show it', async t => {
  const daemon = await startDaemon(t);
  const agent = new Agent();
  await runHooks(daemon.home, [agent.prompt('Go'), agent.stop('Done.'), agent.end('other')]);
  const plain = await Board.connect(t, daemon), board = await Board.connect(t, daemon, { v1: true });
  await plain.waitFor(m => m.type === 'session_removed' && m.sessionId === agent.id);
  assert.deepEqual(Object.keys(await daemon.get('/api/sessions')), []);
  const { [agent.id]: kept } = await daemon.get('/api/sessions?ended=1');
  assert.deepEqual([kept.status, kept.hidden, kept.attention.kind], ['ended', true, 'finished']);
  assert.equal(board.find(agent.id).status, 'ended');
  assert.match((await ostler(daemon.home, ['ls'])).stdout, /^finished /m, 'nobody has seen it yet');
  await seen(daemon, agent.id);
  assert.doesNotMatch((await ostler(daemon.home, ['ls'])).stdout, /alpha/);
  assert.match((await ostler(daemon.home, ['ls', '-a'])).stdout, /^ended /m);
  await daemon.crash();
  await daemon.start();
  const late = await Board.connect(t, daemon);
  assert.equal(late.find(agent.id), undefined);
  // It lives again: it is there again, the same card.
  await runHook(daemon.home, agent.prompt('One more thing'));
  assert.equal((await late.session(agent.id, s => s.status === 'prompting')).id, kept.id);
});
