// Writes down what a CLI did while a scenario was played with it: the calls of its hooks, its status files, what it printed, its end.
// A recording is a list of segments. Each begins with a cue, something that the scenario did (a prompt, a key), and holds what the
// CLI did until the next one, with its times.
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { cleanup } from '../e2e/lib/cleanup.mjs';

const LAUNCHERS = /^(\/\S*\/)?(sh|bash|dash|env)\b/;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TWIN_MS = 500, RECORDS_MS = 50, TEXT_MAX = 300;
const PRINTED_MAX = 256 << 10; // of one recording; what is behind it is not needed to know what was on the screen when it mattered

/** A value of a record without its long texts: instructions, and what tools printed. */
function shortened(value) {
  if (typeof value === 'string') return value.length > TEXT_MAX ? `${value.slice(0, TEXT_MAX)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 10).map(shortened);
  if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
  return value;
}

/** Lines of a CLI's own record from which a board could learn something. The rest is the conversation, and the vendor's words; of the
 * first line, and of what a person said, it is kept that it was there: Copilot's file gets shorter when that is taken back. */
const TELLING = {
  codex: line => /^(task_complete|turn_aborted)$/.test(line.payload?.type) || line.payload?.item?.type === 'CommandExecution',
  gemini: line => /^(info|error|gemini)$/.test(line.type),
  copilot: line => /^(permission\.|abort$|session\.|assistant\.message$|tool\.execution_start$)/.test(line.type),
};

/** Follows a file of JSON lines that grows. `anew`: it was shorter the last time it was looked at, so it is read from its beginning. */
class Lines {
  #read = 0;
  #rest = '';

  constructor(file) {
    this.file = file;
  }

  next() {
    let bytes;
    try {
      bytes = fs.readFileSync(this.file);
    } catch {
      return [];
    }
    this.anew = bytes.length < this.#read;
    if (this.anew) [this.#read, this.#rest] = [0, ''];
    const text = this.#rest + bytes.subarray(this.#read).toString();
    this.#read = bytes.length;
    const lines = text.split('\n');
    this.#rest = lines.pop();
    return lines.flatMap(line => {
      try {
        return [JSON.parse(line)];
      } catch {
        return []; // rewritten while it was read
      }
    });
  }
}

export class Recorder {
  segments = [];
  /** The calls of hooks in their order: { at, event, payload, pid }. */
  calls = [];
  #events = []; // { at, … } of all kinds, not yet in a segment
  #actors = new Map(); // pid → number
  #starts = []; // pids that the scenario started
  #printed = 0;
  #records = new Map(); // file → Lines
  #documents = new Map(); // file → what it said last
  #waiters = new Set();

  constructor(stage, { cli, scenario, version }) {
    Object.assign(this, { stage, cli, scenario, version });
    this.hooks = new Lines(path.join(stage.home, 'hook-tap.jsonl'));
    this.plugin = new Lines(path.join(stage.home, 'plugin-tap.jsonl'));
  }

  /** Status files of Claude Code: ~/.claude/sessions/PID.json. The records that other CLIs keep of a conversation grow. */
  watch(t) {
    const dir = path.join(this.stage.home, '.claude/sessions');
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const files = fs.watch(dir, (kind, name) => this.#statusFile(dir, name));
    const home = fs.watch(this.stage.home, (kind, name) => { if (/-tap\.jsonl$/.test(name ?? '')) this.#takeCalls(); });
    const records = setInterval(() => this.#takeRecords(), RECORDS_MS);
    cleanup(t, () => { files.close(); home.close(); clearInterval(records); });
  }

  #takeRecords() {
    this.#takeDocuments();
    for (const file of this.stage.cli.records?.(this.stage.home) ?? []) {
      const isNew = !this.#records.has(file);
      if (isNew) this.#records.set(file, new Lines(file));
      const record = this.#records.get(file), all = record.next(), tells = TELLING[this.stage.cli.name] ?? (() => true);
      const counts = (line, i) => (isNew && i === 0) || line.type === 'user.message';
      const lines = all.flatMap((line, i) => tells(line) ? [line] : counts(line, i) ? [{ type: line.type }] : []);
      if (lines.length || record.anew)
        this.#add({ at: Date.now(), start: this.#starts.length - 1, record: path.relative(this.stage.home, file), anew: record.anew, lines: lines.map(shortened) });
    }
  }

  /** Files that a CLI writes for people, whole. */
  #takeDocuments() {
    for (const file of this.stage.cli.documents?.(this.stage.home) ?? []) {
      const text = fs.readFileSync(file, 'utf8');
      if (this.#documents.get(file) === text) continue;
      this.#documents.set(file, text);
      this.#add({ at: Date.now(), start: this.#starts.length - 1, document: path.relative(this.stage.home, file), text });
    }
  }

  #statusFile(dir, name) {
    const [, pid] = /^(\d+)\.json$/.exec(name ?? '') ?? [];
    if (!pid) return;
    let status = null;
    try {
      status = JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8'));
    } catch (error) {
      if (error.code !== 'ENOENT') return; // half written: the next event is at hand
    }
    const text = JSON.stringify(status), key = `file ${pid}`;
    if (this[key] === text) return;
    this[key] = text;
    this.#add({ at: Date.now(), pid: Number(pid), file: status });
  }

  #add(event) {
    this.#events.push(event);
    for (const wake of [...this.#waiters]) wake();
  }

  #takeCalls() {
    for (const { at, callers, arguments: words, environment, payload } of this.hooks.next()) {
      const pid = (callers.find(caller => !LAUNCHERS.test(caller.command)) ?? callers[0])?.pid;
      if (this.#isTwin(pid, at, words, payload)) continue;
      this.calls.push({ at, event: payload?.hook_event_name, payload, pid, words });
      this.#add({ at, pid, hook: payload, environment, chain: callers.map(caller => caller.pid), newest: this.#starts.length - 1 });
    }
    for (const { at, pid, name, args } of this.plugin.next()) this.#add({ at, pid, plugin: name, args });
  }

  /** A hosted agent has our hook twice, in the person's settings and for its run; the event is one. */
  #isTwin(pid, at, words, payload) {
    const text = JSON.stringify(payload);
    return this.calls.some(call => call.pid === pid && at - call.at < TWIN_MS && String(call.words) !== String(words) && JSON.stringify(call.payload) === text);
  }

  /** A process that the scenario has started: actors are told apart by it. */
  started(pid) {
    this.#starts.push(pid);
  }

  printed(bytes) {
    if (this.#printed >= PRINTED_MAX) return;
    this.#printed += bytes.length;
    const last = this.#events.at(-1), at = Date.now();
    if (last?.printed && at - last.at < 40) last.printed.push(bytes);
    else this.#add({ at, start: this.#starts.length - 1, printed: [bytes] });
  }

  ended(code, signal) {
    this.#add({ at: Date.now(), start: this.#starts.length - 1, ended: { code, signal } });
  }

  /** Begins a segment. */
  cue(name) {
    this.#takeCalls();
    this.#takeRecords();
    this.#close();
    this.segments.push({ cue: name, at: Date.now(), events: [] });
  }

  #close() {
    const segment = this.segments.at(-1);
    if (segment) Object.assign(segment, { until: Date.now(), events: this.#events.toSorted((a, b) => a.at - b.at) });
    this.#events = [];
  }

  /** The newest call of this event, or one of these, since `from`, waited for; null when there is none within so long. */
  async call(events, from = 0, ms = 60_000) {
    for (const until = Date.now() + ms; ;) {
      this.#takeCalls();
      const found = this.calls.findLast(call => [events].flat().includes(call.event) && call.at >= from);
      if (found || Date.now() >= until) return found ?? null;
      await new Promise(resolve => {
        const timer = setTimeout(() => wake(), Math.max(0, until - Date.now()));
        const wake = () => { clearTimeout(timer); this.#waiters.delete(wake); resolve(); };
        this.#waiters.add(wake);
      });
    }
  }

  /** Which process of which start did it: the one that was started has depth 0, who is not below it is on its own. */
  #actor(event) {
    if (event.start !== undefined) return { start: event.start, depth: 0 };
    if (!this.#actors.has(event.pid)) {
      const chain = event.chain ?? [event.pid];
      const start = this.#starts.findLastIndex(pid => chain.includes(pid) || pid === event.pid);
      const from = chain.indexOf(event.pid), depth = start < 0 ? -1 : chain.indexOf(this.#starts[start]) - from;
      const newest = event.newest ?? this.#starts.length - 1; // the last one that was started by then
      this.#actors.set(event.pid, { start: start < 0 ? newest : start, depth });
    }
    return this.#actors.get(event.pid);
  }

  /** The recording as text, a line a segment, with nothing in it that belongs to this machine or this run. */
  text() {
    this.#takeCalls();
    this.#takeRecords();
    this.#close();
    // A status file may have come before the first call of its process, which tells whose child that is.
    const all = this.segments.flatMap(segment => segment.events);
    for (const event of all) if (event.chain) this.#actor(event);
    for (const event of all) if (event.file !== undefined && !this.#actors.has(event.pid) && this.#starts.includes(event.pid))
      this.#actors.set(event.pid, { start: this.#starts.lastIndexOf(event.pid), depth: 0 });
    const head = { cli: this.cli, version: this.version, scenario: this.scenario };
    return [head, ...this.segments.map(segment => this.#portable(segment))].map(line => JSON.stringify(line)).map(this.#anonymous()).join('\n') + '\n';
  }

  #portable({ cue, at, until, events }) {
    let printed = [];
    const list = events.map(event => {
      const own = { ms: Math.max(0, Math.round(event.at - at)), actor: this.#actor(event) };
      if (event.hook !== undefined) return { ...own, hook: event.hook, environment: this.#marks(event) };
      if (event.plugin) return { ...own, plugin: event.plugin, args: event.args };
      if (event.ended) return { ...own, ended: event.ended };
      if (event.document) return { ...own, document: event.document, text: event.text };
      if (event.record) return { ...own, record: event.record, ...(event.anew && { anew: true }), lines: event.lines };
      if (event.printed) {
        const bytes = Buffer.concat(event.printed);
        printed.push(bytes);
        return { ...own, printed: bytes.length };
      }
      return { ...own, file: event.file && this.#status(event.file, event.at) };
    });
    const bytes = Buffer.concat(printed);
    return { cue, ms: until - at, events: list, ...(bytes.length && { terminal: zlib.deflateRawSync(bytes, { level: 9 }).toString('base64') }) };
  }

  /** The player knows its own process and puts it in. */
  #marks({ environment, pid }) {
    return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value === String(pid) ? '$PID' : value]));
  }

  #status({ pid, procStart, startedAt, messagingSocketPath, pidDomain, tmux, nameSince, updatedAt, statusUpdatedAt, ...rest }, at) {
    return { agoMs: Math.max(0, Math.round(at - (statusUpdatedAt ?? updatedAt ?? at))), ...rest };
  }

  /** Answers the function that takes what is this run's own out of a text. */
  #anonymous() {
    const { home, build } = this.stage, ids = new Map();
    const id = uuid => {
      if (!ids.has(uuid)) ids.set(uuid, `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, '0')}`);
      return ids.get(uuid);
    };
    const places = [[build, '$BUILD'], [home, '$HOME'], [home.replace(/[^A-Za-z0-9]/g, '-'), '$DASHED'],
      [`127.0.0.1:${this.stage.model.port}`, '$MODEL']].filter(([from]) => from);
    return text => places.reduce((all, [from, to]) => all.replaceAll(from, to), text).replace(/[^"\s:=]*\/node_modules\//g, '$AGENTS/').replace(UUID, id);
  }
}
