// Agents that ask: the real hook of a permission event, run as a CLI runs it, which waits for an answer and prints it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';
import { environment } from './daemon.mjs';
import { HOOK, runHook } from './hook.mjs';
import { Agent } from './payloads.mjs';

const WAIT_MS = 60_000;

/** A hook that was started with a request on its standard input. */
export class Asking {
  constructor(t, home, payload, { cli = 'claude', args = [], env = {}, program = HOOK } = {}) {
    this.child = spawn(program, ['--cli', cli, '--reply', ...args], { env: environment(home, env), stdio: ['pipe', 'pipe', 'pipe'] });
    cleanup(t, async () => {
      this.child.kill('SIGCONT');
      this.child.kill('SIGKILL');
      await this.ended;
    });
    this.out = this.err = '';
    this.child.stdout.on('data', chunk => { this.out += chunk; });
    this.child.stderr.on('data', chunk => { this.err += chunk; });
    this.child.stdin.on('error', () => {});
    this.child.stdin.end(typeof payload === 'string' ? payload : JSON.stringify(payload));
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal, out: this.out, err: this.err }));
  }

  get pid() {
    return this.child.pid;
  }

  get running() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** It must have printed one answer and nothing else, and ended well: that answer. */
  async answer() {
    const { code, signal, out, err } = await this.ended;
    assert.deepEqual({ code, signal, err }, { code: 0, signal: null, err: '' });
    return JSON.parse(out);
  }

  /** It must have gone without a word. */
  async silence() {
    assert.deepEqual(await this.ended, { code: 0, signal: null, out: '', err: '' });
  }
}

/** Asks as Claude Code does: { child, ended }; `ended` is the decision that the agent was told, or null when the hook left silently. */
export function askAlone(t, home, payload, options) {
  const asking = new Asking(t, home, payload, options);
  const ended = asking.ended.then(({ code, out, err }) => {
    assert.deepEqual({ code, err }, { code: 0, err: '' }, 'a hook must never disturb its agent');
    return out === '' ? null : JSON.parse(out).hookSpecificOutput.decision;
  });
  return { child: asking.child, ended };
}

export const send = (daemon, method, where, body) => daemon.fetch(where, {
  method, headers: { 'content-type': 'application/json' }, body: typeof body === 'string' ? body : JSON.stringify(body) });

/** Answers a request over HTTP: { status, … what the body says }. */
export async function answer(daemon, id, body) {
  const response = await send(daemon, 'POST', `/api/approvals/${encodeURIComponent(id)}`, body);
  return { status: response.status, ...await response.json() };
}

export const approvals = async daemon => (await daemon.get('/api/approvals')).approvals;
export const away = (daemon, on) => send(daemon, 'PUT', '/api/away', { away: on });

/** The inbox as a board has it: by id, kept up by the socket. */
export class Inbox {
  static async open(t, daemon, { Board }) {
    const board = await Board.connect(t, daemon);
    board.send({ type: 'inbox', on: true });
    const inbox = new Inbox(board);
    await inbox.until(() => board.messages.some(m => m.type === 'inbox'), 'the inbox');
    return inbox;
  }

  constructor(board) {
    this.board = board;
  }

  #all = new Map();
  #read = 0;

  /** Every request as it was told last. */
  get requests() {
    const { messages } = this.board;
    for (; this.#read < messages.length; this.#read++) {
      const message = messages[this.#read];
      if (message.type === 'inbox') this.#all = new Map(message.approvals.map(r => [r.id, r]));
      if (message.type === 'approval') this.#all.set(message.approval.id, message.approval);
    }
    return this.#all;
  }

  until(condition, what) {
    return this.board.until(condition, what);
  }

  /** The first request for which it holds, when there is one. */
  request(predicate, what = `a request: ${predicate}`) {
    return this.until(() => [...this.requests.values()].find(predicate), what);
  }

  /** The one that is open and can be answered, of this session. */
  answerable(sessionId, predicate = () => true) {
    return this.request(r => r.sessionId === sessionId && r.state === 'open' && r.can.length > 0 && predicate(r), `${sessionId} can be answered`);
  }

  ended(id, state) {
    return this.request(r => r.id === id && (state ? r.state === state : r.state !== 'open'), `${id} ends as ${state}`);
  }
}

/** An agent that has begun to call a tool and asks for it; answers { agent, asking, request } when it can be answered. */
export async function ask(t, daemon, inbox, tool, input, { agent = new Agent(), fields = {}, pre = true, ...options } = {}) {
  const args = ['--cli', options.cli ?? 'claude'];
  if (!agent.started) await runHook(daemon.home, agent.start(), { args });
  agent.started = true;
  if (pre) await runHook(daemon.home, agent.pre(tool, input), { args });
  const known = new Set(inbox.requests.keys());
  const payload = { ...agent.event('PermissionRequest', { tool_name: tool, tool_input: input }), ...fields };
  const asking = new Asking(t, daemon.home, payload, options);
  const request = await inbox.answerable(agent.id, r => !known.has(r.id));
  return { agent, asking, request };
}

/** What hangs around of the hooks of a home. */
export function hooksLeft(home) {
  return fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
    try {
      return path.basename(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]).startsWith('ostler-hook') &&
        fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`OSTLER_HOME=${home}`);
    } catch {
      return false;
    }
  });
}

/** Waits until something is true that nobody tells of, by looking often. */
export async function eventually(look, what) {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const value = await look();
    if (value) return value;
    assert.ok(performance.now() < until, `no ${what}`);
    await new Promise(resolve => { setTimeout(resolve, 20); });
  }
}
