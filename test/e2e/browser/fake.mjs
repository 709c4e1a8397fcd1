// A daemon in the hands of the test, for what the real one cannot be made to do on cue: the page is the real one, its
// WebSocket and its API answer what the test says.

import { openPage } from '../lib/page.mjs';

export const NOW = Date.now();
const WAIT_MS = 30_000;

/** A summary as ostler.board.v1 sends it. */
export function summary(id, fields = {}) {
  return {
    id, sessionId: `agent-${id}`, kind: 'observed', cli: 'claude', projectPath: '/home/dev/alpha', projectName: 'alpha',
    title: `alpha #1 — Session ${id}`, status: 'idle', statusSince: NOW - 60_000, startedAt: NOW - 600_000,
    lastActivityAt: NOW - 30_000, promptCount: 1, toolCalls: 3, totalToolCalls: 1, subagentCount: 0, currentPrompt: `Session ${id}`,
    source: 'vscode', model: 'claude-opus-4-6', ...fields,
  };
}

/** Why a person is wanted, as it stands in a summary. */
export function attention(kind, fields = {}) {
  return { kind, since: NOW - 30_000, text: '', detail: null, form: 'text', certain: true, requestId: null, tool: null, agent: null, more: 0, ...fields };
}

/** A request as the inbox has it. */
export function request(id, fields = {}) {
  return {
    id, sessionId: 'agent-a', session: 'a', title: 'alpha #1 — Session a', project: 'alpha', cli: 'claude', kind: 'approval', tool: 'Bash',
    agent: null, text: 'Run it', detail: 'npm test', form: 'command', certain: true, input: { command: 'npm test' }, questions: null,
    can: ['allow', 'deny', 'always', 'message', 'stop', 'input', 'rule'], why: null, via: 'hook',
    rules: [{ rule: 'Bash(npm test:*)', where: 'localSettings' }], modes: [], digest: `digest ${id}`, same: id, state: 'open', answer: null,
    note: null, askedAt: NOW - 30_000, endedAt: null, by: null, ...fields,
  };
}

/** A terminal as the board hears of it. */
export function terminal(terminalId, fields = {}) {
  return {
    terminalId, sessionId: terminalId, id: 'a', workerId: 'w1', host: 'localhost', workingDir: '/home/dev/alpha', command: 'claude',
    createdAt: NOW - 7_500_000, label: '', title: '', kind: 'agent', connection: 'live', epoch: 1, startedAt: NOW - 7_500_000,
    lastOutputAt: NOW - 2_000, endedAt: null, uptimeMs: 7_500_000, cols: 120, rows: 40, viewers: 0, pid: 4711, exitCode: null,
    signal: null, screenTitle: 'claude', directory: '/home/dev/alpha', bytes: 10_000, trouble: null, ...fields,
  };
}

/** A transcript as it stands in a summary. */
export function transcript(status, fields = {}) {
  return { status, chainDepth: 294, messageCount: 310, linksFixed: 0, checkedAt: NOW - 300_000, ...fields };
}

export class FakeDaemon {
  /** Takes the page's WebSocket; the first state is a snapshot of these sessions. Before page.goto(). */
  static async install(page, { sessions = [], teams = [], stats = null, terminals = [], screens = {}, requests = [] } = {}) {
    const fake = new FakeDaemon();
    Object.assign(fake, { sessions, teams, stats, terminals, screens, requests, seq: 100, heard: [], waiting: new Set(), detail: {} });
    await page.route(/\/api\/sessions\/[^/]+(\/seen)?$/, route => route.fulfill({ json: {} })); // the real daemon has none of these
    await page.routeWebSocket(/\/ws(\?|$)/, socket => {
      fake.socket = socket;
      socket.onMessage(text => fake.#take(JSON.parse(text)));
      fake.say({ type: 'welcome', schema: 1, version: '0.1.0', seq: fake.seq, now: Date.now(), hook: '/opt/ostler/ostler-hook' });
      fake.snapshot();
    });
    return fake;
  }

  /** A page of the daemon whose WebSocket is a fake one; answers both. */
  static async open(t, browser, daemon, { sessions, teams, stats, terminals, screens, requests, path = '', before, ...options } = {}) {
    let fake;
    const install = async page => {
      fake = await FakeDaemon.install(page, { sessions, teams, stats, terminals, screens, requests });
      await before?.(page);
    };
    const page = await openPage(t, browser, daemon.url + path, { ...options, before: install });
    return { fake, page };
  }

  say(message) {
    this.socket.send(JSON.stringify(message));
  }

  snapshot(sessions = this.sessions) {
    this.sessions = sessions;
    this.say({ type: 'snapshot', seq: this.seq, sessions, teams: this.teams });
    for (const t of this.terminals) this.say({ type: 'terminal_state', terminal: t });
  }

  /** A terminal changed. */
  terminal(fields) {
    this.terminals = this.terminals.map(t => t.terminalId === fields.terminalId ? { ...t, ...fields } : t);
    this.say({ type: 'terminal_state', terminal: this.terminals.find(t => t.terminalId === fields.terminalId) });
  }

  /** What is on a terminal, to a page that shows it. */
  screen(terminalId, lines, { cols = 120, rows = 40, row = lines.length - 1, col = lines.at(-1).length } = {}) {
    this.say({ type: 'terminal_screen', terminalId, cols, rows, cursor: { col, row, visible: true }, lines });
  }

  /** A request is new, has changed or has ended. */
  approval(approval) {
    this.requests = [...this.requests.filter(r => r.id !== approval.id), approval];
    this.say({ type: 'approval', approval });
  }

  update(id, patch, seq = ++this.seq) {
    this.say({ type: 'session_update', seq, id, patch });
  }

  removed(id, seq = ++this.seq) {
    this.sessions = this.sessions.filter(s => s.id !== id);
    this.say({ type: 'session_removed', seq, id, sessionId: `agent-${id}` });
  }

  /** Waits until the condition holds; looked at again with each message of the page. */
  until(condition) {
    return new Promise((resolve, reject) => {
      const finish = settle => {
        clearTimeout(timer);
        this.waiting.delete(look);
        settle();
      };
      const timer = setTimeout(() => finish(() => reject(
        new Error(`not ${condition} within ${WAIT_MS} ms; heard ${JSON.stringify(this.heard)}`))), WAIT_MS);
      const look = () => {
        if (condition()) finish(resolve);
      };
      this.waiting.add(look);
      look();
    });
  }

  #take(message) {
    this.heard.push(message);
    for (const look of [...this.waiting]) look();
    if (message.type === 'replay') this.snapshot();
    if (message.type === 'inbox' && message.on) this.say({ type: 'inbox', approvals: this.requests, away: null });
    if (message.type === 'hello') this.say({ type: 'ready' });
    if (message.type === 'stats' && message.on && this.stats) this.say({ type: 'hook_stats', stats: this.stats });
    if (message.type === 'terminal_thumbnails')
      for (const id of message.terminalIds) if (this.screens[id]) this.screen(id, this.screens[id]);
    if (message.type === 'open')
      this.say({ type: 'session_detail', id: message.id, prompts: [], tools: [], responses: [], events: [], ...this.detail });
  }
}
