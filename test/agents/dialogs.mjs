#!/usr/bin/env node
// An agent in a terminal that shows screens of the real ones and goes from one to the next by keys, as $HOME/dialogs.json says:
// { cli, hook: PROGRAM, events: [payload, …], first: NAME, screens: { NAME: { show, keys: { KEY: NAME } } } }. `show` is a file of test/corpus/dialog,
// or the rows themselves. What is typed goes to $HOME/typed, and `show NAME` in $HOME/dialogs.sock shows another one.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

const home = process.env.HOME, CORPUS = path.resolve(import.meta.dirname, '../corpus/dialog');
const { cli, hook, events, first, screens } = JSON.parse(fs.readFileSync(path.join(home, 'dialogs.json'), 'utf8'));
process.title = cli;

function rowsOf(text) {
  const file = path.join(CORPUS, text);
  return /^[\w-]+$/.test(text) && fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(1) : text.split('\n');
}

let now;
function show(name) {
  now = screens[name];
  if (!now) process.exit(0);
  const rows = rowsOf(now.show);
  while (rows.length && !rows.at(-1).trim()) rows.pop();
  process.stdout.write(`\x1b[?2004h\x1b[2J\x1b[H${rows.join('\r\n')}`);
}

process.stdin.setRawMode(true);
process.stdin.on('data', bytes => {
  const typed = bytes.toString();
  fs.appendFileSync(path.join(home, 'typed'), typed);
  const next = now.keys?.[typed];
  if (next) show(next);
});

const server = net.createServer(socket => socket.on('data', name => { show(name.toString()); socket.end('shown'); }));
server.listen(path.join(home, 'dialogs.sock'), () => {
  show(first);
  for (const payload of events) spawnSync(hook, ['--cli', cli, '--hosted'], { input: JSON.stringify(payload), stdio: ['pipe', 'ignore', 'ignore'] });
});
