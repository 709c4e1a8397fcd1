#!/usr/bin/env node
// Plays a CLI, as the test tells it over $HOME/player.sock: player.mjs CLI [--part NAME] [the CLI's own arguments]. What it runs for an
// event is what the CLI would run: what is registered in that CLI's own settings, or was given on its command line.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { readArguments } from '../agents/arguments.mjs';
import { FakeClaude } from '../agents/claude.mjs';
import { FakeCodex } from '../agents/codex.mjs';
import { FakeGemini } from '../agents/gemini.mjs';
import { VERSIONS } from './install.mjs';

const [cli, ...rest] = process.argv.slice(2);
const part = rest[0] === '--part' ? rest.splice(0, 2)[1] : undefined;
const home = process.env.HOME, cwd = process.cwd();
process.title = cli;
const HELD_MS = 250;

// Its version is asked for before its hooks are registered.
if (['--version', '-v', '-V'].includes(rest[0])) {
  console.log(VERSIONS.agents[cli].version);
  process.exit(0);
}

/** Codex: what is on its command line, and what `ostler hooks install` wrote into its settings. That Codex trusts it is tried with the real one. */
class Codex extends FakeCodex {
  handlers(event, about) {
    const toml = fs.readFileSync(path.join(this.codexHome, 'config.toml'), 'utf8');
    const own = [...toml.matchAll(/^\[\[hooks\.(\w+)\.hooks\]\]\ntype = "command"\ncommand = (".*")$/gm)].filter(([, name]) => name === event);
    return [...super.handlers(event, about), ...own.map(([, , command]) => ({ command: JSON.parse(command) }))];
  }
}

/** Copilot: files of our own kind in a directory; notices go by another name there. */
class Copilot {
  handlers(event) {
    const dir = path.join(home, '.copilot/hooks');
    return fs.readdirSync(dir).filter(name => name.endsWith('.json')).map(name => JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8')))
      .flatMap(({ hooks }) => hooks[event] ?? hooks[event[0].toLowerCase() + event.slice(1)] ?? []);
  }

  command(handler) {
    return ['/bin/bash', '-c', handler.bash];
  }
}

const AGENTS = { claude: FakeClaude, codex: Codex, gemini: FakeGemini, copilot: Copilot };
const agent = AGENTS[cli] && new AGENTS[cli]({ home, cwd, ...readArguments[cli]?.(rest) });
const subject = p => p.tool_name ?? p.source ?? p.notification_type ?? p.reason ?? p.trigger ?? '';

/** Runs the hooks of an event side by side, as all of these CLIs do, and waits for them; but one that may hold its answer back does not hold
 * the recording up. What hooks print is noted. opencode has none: our plugin there calls ours. */
async function hook({ payload, environment }) {
  if (!agent) return;
  const event = payload.hook_event_name;
  await Promise.all(agent.handlers(event, subject(payload)).map(async handler => {
    const [program, ...args] = agent.command(handler);
    const child = spawn(program, args, { cwd, env: { ...process.env, ...environment, ...handler.env }, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(payload));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', text => { said += text; });
    const closed = once(child, 'close').then(() => { if (said) fs.appendFileSync(path.join(home, 'hook-said.jsonl'), `${JSON.stringify({ event, said })}\n`); });
    const begun = new Promise(resolve => { setTimeout(resolve, HELD_MS).unref(); });
    await (event === 'PermissionRequest' ? Promise.race([closed, begun]) : closed);
  }));
}

let plugins; // opencode's: objects of functions

async function plugin({ name, args }) {
  plugins ??= await loadPlugins();
  for (const one of plugins) await one[name]?.(...args);
}

async function loadPlugins() {
  const dirs = ['plugin', 'plugins'].map(name => path.join(home, '.config/opencode', name)).filter(dir => fs.existsSync(dir));
  const files = dirs.flatMap(dir => fs.readdirSync(dir).map(name => path.join(dir, name)));
  const modules = await Promise.all(files.map(file => import(pathToFileURL(file))));
  const makers = modules.flatMap(module => Object.values(module)).filter(value => typeof value === 'function');
  return Promise.all(makers.map(make => make({ directory: cwd, worktree: cwd, project: {}, client: {} })));
}

const DO = {
  hook, plugin,
  print: ({ data }) => new Promise(resolve => process.stdout.write(Buffer.from(data, 'base64'), resolve)),
  spawn({ actor, alone }) {
    const words = [process.execPath, import.meta.filename, cli, '--part', actor, ...rest];
    if (alone) spawn('/bin/sh', ['-c', 'setsid "$@" </dev/null >/dev/null 2>&1 &', 'sh', ...words], { stdio: 'ignore' });
    else spawn(words[0], words.slice(1), { stdio: 'ignore' });
  },
  end({ code, signal }) {
    if (signal) process.kill(process.pid, signal);
    process.exit(code ?? 0);
  },
};

if (process.stdin.isTTY) process.stdin.setRawMode(true); // what is typed is for the test's eyes only
process.stdin.resume();
const socket = net.connect(path.join(home, 'player.sock'));
socket.on('error', () => process.exit(1)).on('close', () => process.exit(0));
socket.write(`${JSON.stringify({ actor: part, pid: process.pid })}\n`);
for await (const line of createInterface({ input: socket })) {
  const { id, do: what, ...order } = JSON.parse(line);
  let error;
  try {
    await DO[what](order);
  } catch (caught) {
    error = String(caught.stack);
  }
  socket.write(`${JSON.stringify({ id, error })}\n`);
}
