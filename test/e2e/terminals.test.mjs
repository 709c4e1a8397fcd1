// Terminals over HTTP: made, looked at, refused, ended, deleted.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Board } from './lib/board.mjs';
import { keepers, startDaemon } from './lib/daemon.mjs';
import { makeTerminal, Tty } from './lib/tty.mjs';

const post = (daemon, where, body) => daemon.fetch(where, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) });

test('a shell: its card, its screen, what it takes, its end', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const made = await makeTerminal(daemon, { command: '', workingDir: '~', cols: 90, rows: 20, env: { GREETING: 'good morning' } });
  assert.match(made.terminalId, /^term-\d+-[a-z0-9]{6}$/);
  assert.equal(made.sessionId, made.terminalId);
  const card = await board.session(made.sessionId, s => s.terminalId === made.terminalId);
  assert.deepEqual([card.kind, card.source, card.workerType, card.projectPath], ['quick', 'ssh', 'terminal', daemon.home]);
  await board.session(made.sessionId, s => s.status === 'idle');

  const tty = await Tty.connect(t, daemon, made);
  tty.type('printf "%s|" "$GREETING" "$TERM" "$COLORTERM" "$AGENT_MANAGER_TERMINAL_ID" "$OSTLER_WORKER"; stty size; cd /tmp\r');
  await tty.shows(`good morning|xterm-256color|truecolor|${made.terminalId}|${made.terminalId}|20 90`);
  const one = await daemon.get(`/api/terminals/${made.terminalId}`);
  assert.deepEqual((await daemon.get('/api/terminals')).terminals.map(x => x.terminalId), [made.terminalId]);
  assert.deepEqual([one.sessionId, one.id, one.kind, one.connection, one.cols, one.rows, one.host, one.viewers, one.exitCode, one.signal],
    [made.sessionId, card.id, 'shell', 'live', 90, 20, 'localhost', 1, null, null]);
  assert.ok(one.pid > 1 && one.bytes > 0 && one.uptimeMs >= 0 && one.lastOutputAt >= one.startedAt);

  const screen = await daemon.get(`/api/terminals/${made.terminalId}/screen?scrollback=100`);
  assert.deepEqual([screen.cols, screen.rows, screen.lines.length, screen.alternate], [90, 20, 20, false]);
  assert.ok(screen.lines.some(line => line.includes('good morning|')));
  const snapshot = await daemon.fetch(`/api/terminals/${made.terminalId}/snapshot`);
  assert.equal(snapshot.headers.get('x-ostler-cols'), '90');
  assert.equal(snapshot.headers.get('x-ostler-epoch'), String(one.epoch));
  assert.match(await snapshot.text(), /good morning/);

  const [stats] = await daemon.get('/api/pty-stats');
  assert.deepEqual([stats.terminalId, stats.clients, stats.connection], [made.terminalId, 1, 'live']);
  assert.ok(stats.processes >= 1 && stats.memoryBytes > 100_000 && stats.cpuPercent >= 0 && stats.bufferLines >= 20);

  tty.type('exit 3\r');
  await tty.until(() => tty.exit, 'its end');
  assert.deepEqual([tty.exit.exitCode, tty.exit.signal], [3, null]);
  const ended = await board.session(made.sessionId, s => s.status === 'ended');
  assert.deepEqual([ended.isHistorical, ended.lastTerminalId, ended.events.at(-1).detail], [true, made.terminalId, 'Session ended (exited with 3)']);
  assert.equal((await daemon.get(`/api/terminals/${made.terminalId}`)).exitCode, 3);
  assert.ok((await daemon.get(`/api/terminals/${made.terminalId}/screen`)).lines.some(line => line.includes('exit 3')));
});

test('the validation table: a sentence each, and nothing is started', async t => {
  const daemon = await startDaemon(t, { args: ['--max-terminals', '1'] });
  const refused = [
    ['{', 400, /JSON object/], ['[]', 400, /JSON object/],
    [{ command: 'claude; rm -rf ~' }, 400, /command contains invalid characters/], [{ command: 'x'.repeat(513) }, 400, /command is too long/],
    [{ workingDir: '/tmp/$(id)' }, 400, /workingDir contains/], [{ workingDir: '/no/such/dir' }, 400, /\/no\/such\/dir/],
    [{ workingDir: 'relative' }, 400, /workingDir must begin/], [{ workingDir: 'x'.repeat(1025) }, 400, /workingDir is too long/],
    [{ host: 'a;b' }, 400, /host contains/], [{ host: 'build.example' }, 501, /build\.example/],
    [{ port: 70000 }, 400, /port must be/], [{ username: 'a b' }, 400, /username contains/],
    [{ tmuxSession: 'a b' }, 400, /tmuxSession contains/], [{ tmuxSession: 'main' }, 501, /tmux/], [{ useTmux: true }, 501, /tmux/],
    [{ argv: [] }, 400, /argv/], [{ argv: ['ls'], command: 'ls' }, 400, /not both/], [{ env: { 'A B': 'x' } }, 400, /env/],
    [{ env: { OSTLER_HOSTED: '1' } }, 400, /env/], [{ cols: 1 }, 400, /cols/],
  ];
  for (const [body, status, words] of refused) {
    const answer = await post(daemon, '/api/terminals', body);
    const { success, error } = await answer.json();
    assert.deepEqual([answer.status, success], [status, false], `${JSON.stringify(body)}: ${error}`);
    assert.match(error, words);
  }
  assert.deepEqual(await daemon.get('/api/terminals'), { terminals: [] });
  assert.deepEqual(await daemon.get('/api/sessions'), {});
  assert.deepEqual(keepers(daemon.home), []);

  await makeTerminal(daemon, { command: '', workingDir: daemon.home });
  const full = await post(daemon, '/api/terminals', { command: '' });
  assert.deepEqual([full.status, await full.json()], [429, { success: false, error: 'Terminal limit reached (max 1)' }]);
  for (const where of ['', '/screen', '/snapshot'])
    assert.equal((await daemon.fetch(`/api/terminals/nope${where}`)).status, 404);
  assert.deepEqual(await (await daemon.fetch('/api/terminals/nope', { method: 'DELETE' })).json(), { ok: true });
  assert.equal((await post(daemon, '/api/sessions/nope/resume', {})).status, 404);
});

test('words are words: nothing of them meets a shell', async t => {
  const daemon = await startDaemon(t);
  const file = path.join(daemon.home, 'made-by-a-shell');
  const words = ['; touch ' + file, `$(touch ${file})`, '`touch ' + file + '`', "'", '"', '\\', 'a\nb', '*', '~', '-n'];
  const made = await makeTerminal(daemon, { argv: ['printf', '<%s>', ...words], workingDir: daemon.home });
  const tty = await Tty.connect(t, daemon, made, { exact: true, offset: 0 });
  await tty.until(() => tty.exit, 'its end');
  assert.equal(tty.output, words.map(word => `<${word.replace('\n', '\r\n')}>`).join(''));
  assert.ok(!fs.existsSync(file));
});

test('a command is typed when the shell is ready, and its key is nowhere on disk', async t => {
  const daemon = await startDaemon(t, { env: { SHELL: '/bin/bash' } });
  const made = await makeTerminal(daemon, { command: 'printenv ANTHROPIC_API_KEY', apiKey: 'a-secret-of-mine', workingDir: daemon.home });
  const tty = await Tty.connect(t, daemon, made);
  await tty.until(() => `${tty.snapshot}${tty.output}`.includes('a-secret-of-mine'), 'the key');
  const meta = fs.readFileSync(path.join(daemon.home, 'terminals', made.terminalId, 'meta.json'), 'utf8');
  assert.doesNotMatch(meta, /a-secret-of-mine/);
  assert.equal((await daemon.get(`/api/terminals/${made.terminalId}`)).command, 'printenv ANTHROPIC_API_KEY');
});

test('hung up on, killed, deleted', async t => {
  const daemon = await startDaemon(t);
  const board = await Board.connect(t, daemon);
  const made = await Promise.all([1, 2, 3].map(() => makeTerminal(daemon, { argv: ['sleep', '600'], workingDir: daemon.home })));
  assert.equal(keepers(daemon.home).length, 3);
  await daemon.fetch(`/api/terminals/${made[0].terminalId}`, { method: 'DELETE' });
  const first = await board.session(made[0].sessionId, s => s.status === 'ended');
  assert.equal(first.events.at(-1).detail, 'Session ended (killed by SIGHUP)');
  const gone = await daemon.get(`/api/terminals/${made[0].terminalId}`);
  assert.deepEqual([gone.connection, gone.exitCode, gone.signal, gone.pid], ['ended', null, 'SIGHUP', null]);

  const killed = await post(daemon, `/api/sessions/${made[1].sessionId}/kill`, { confirm: true });
  assert.equal(killed.status, 200);
  await board.session(made[1].sessionId, s => s.status === 'ended');

  const v1 = await Board.connect(t, daemon, { v1: true });
  const tty = await Tty.connect(t, daemon, made[2]);
  const removed = await daemon.fetch(`/api/sessions/${made[2].sessionId}`, { method: 'DELETE' });
  assert.deepEqual(await removed.json(), { ok: true, removed: true });
  await v1.waitFor(m => m.type === 'terminal_removed' && m.terminalId === made[2].terminalId);
  await tty.until(() => tty.messages.some(m => m.type === 'deleted'), 'that it was deleted');
  assert.equal((await daemon.fetch(`/api/terminals/${made[2].terminalId}`)).status, 404);
  for (const { sessionId } of made.slice(0, 2)) await daemon.fetch(`/api/sessions/${sessionId}`, { method: 'DELETE' });
  const dir = path.join(daemon.home, 'terminals');
  while (fs.readdirSync(dir).length || keepers(daemon.home).length) await new Promise(resolve => setTimeout(resolve, 20));
  assert.deepEqual(await daemon.get('/api/terminals'), { terminals: [] });
});

test('the card of a terminal that was adopted by another daemon is the same card', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { command: '', workingDir: daemon.home, label: 'mine' });
  const { id } = await daemon.get(`/api/sessions/${made.sessionId}`);
  await daemon.crash();
  await daemon.start();
  const board = await Board.connect(t, daemon, { v1: true });
  await board.waitFor(m => m.type === 'terminal_state' && m.terminal.connection === 'live');
  const sessions = Object.values(await daemon.get('/api/sessions'));
  assert.deepEqual(sessions.map(s => [s.id, s.terminalId, s.label]), [[id, made.terminalId, 'mine']]);
});

test('patterns that cannot be used are said at the start', async t => {
  const daemon = await startDaemon(t);
  await daemon.stop();
  fs.mkdirSync(path.join(daemon.home, 'config'), { recursive: true });
  fs.writeFileSync(path.join(daemon.home, 'config', 'redact.patterns'), 'fine-[0-9]+\n(broken\n');
  await assert.rejects(daemon.start(), /redact\.patterns.*2/s);
});

test('a daemon that stops while terminals are being started, looked at and resumed answers everybody', async t => {
  const daemon = await startDaemon(t);
  const made = await makeTerminal(daemon, { argv: ['true'], workingDir: daemon.home });
  const board = await Board.connect(t, daemon);
  await board.session(made.sessionId, s => s.status === 'ended');
  const asked = [
    ...Array.from({ length: 8 }, () => post(daemon, '/api/terminals', { argv: ['sleep', '600'], workingDir: daemon.home })),
    post(daemon, `/api/sessions/${made.sessionId}/resume`, {}), daemon.fetch(`/api/terminals/${made.terminalId}/screen`),
    daemon.fetch('/api/pty-stats'), daemon.fetch(`/api/terminals/${made.terminalId}/snapshot`),
  ].map(answer => answer.then(a => a.status, () => 'closed'));
  await daemon.stop();
  for (const status of await Promise.all(asked)) assert.ok([200, 404, 503, 'closed'].includes(status), String(status));
  // What was begun is there, with a card, or was not begun at all.
  await daemon.start();
  const again = await Board.connect(t, daemon);
  const { terminals } = await daemon.get('/api/terminals');
  for (const { terminalId, connection } of terminals) if (connection !== 'ended') await again.session(terminalId);
  assert.equal(again.sessions.size, terminals.length);
});
