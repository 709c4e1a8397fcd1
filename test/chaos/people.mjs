// People who change things: what was answered with 200 is there ever after, what was not may be, and nothing else is.
import fs from 'node:fs';
import path from 'node:path';
import { alive } from '../e2e/lib/keeper.mjs';

const TERMINALS_MAX = 4;
const WAIT_MS = 20_000, LOOK_MS = 50;

/** Notes every line that it is given, as it came. */
const READER = `$| = 1; system('stty raw -echo'); open(my $log, '>>', $ARGV[0]) or die; $log->autoflush(1); print "ready\\r\\n";
while (sysread(STDIN, my $text, 4096)) { print $log $text; print "got\\r\\n"; }`;

/** A value that one person sets again and again: which ones it may have now. */
class Field {
  possible = new Set(['']);

  try(value) {
    this.possible.add(value);
  }

  done(value) {
    this.possible = new Set([value]);
  }
}

export class Person {
  /** By label: {terminalId, pid, state}; the state is live, ended, or unknown when there was no answer. */
  terminals = new Map();
  fields = { title: new Field(), label: new Field() };
  typed = [];
  #made = 0;
  #said = 0;

  constructor(world, name) {
    Object.assign(this, { world, name, random: world.random(name), notes: path.join(world.work, `${name}.typed`) });
    fs.writeFileSync(this.notes, '');
  }

  /** A card to name, and a program to type to. */
  async begin() {
    const start = { session_id: this.name, cwd: '/srv/people', hook_event_name: 'SessionStart', source: 'startup' };
    const card = await this.world.ask('POST', '/api/hooks', { body: start });
    if (card?.status !== 200) throw new Error(`no card for ${this.name}: ${JSON.stringify(card)}`);
    const body = { argv: ['perl', '-e', READER, this.notes], workingDir: this.world.work, label: `${this.name} reads` };
    const made = await this.world.ask('POST', '/api/terminals', { body });
    this.reader = made.body.terminalId;
    this.terminals.set(body.label, { ...made.body, state: 'live' });
    while (!(await this.world.get(`/api/terminals/${this.reader}/screen`)).body.lines.includes('ready')) await this.world.pause(LOOK_MS);
  }

  async run() {
    const acts = [[8, 'entitle'], [6, 'type'], [3, 'make'], [2, 'hangUp'], [1, 'deleteCard'], [2, 'look']];
    while (await this.world.whenUp()) {
      await this[this.random.weighted(acts)]();
      await this.world.pause(this.random.below(120));
    }
  }

  #refused(what, answer) {
    if (answer && ![200, 409, 429, 500, 503].includes(answer.status))
      this.world.broken('a change is made, or refused for a reason', `${this.name} ${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }

  async entitle() {
    const [kind, field] = this.random.pick(Object.entries(this.fields)), value = `${kind} ${++this.#said}`;
    field.try(value);
    const answer = await this.world.ask('PUT', `/api/sessions/${this.name}/${kind}`, { body: { [kind]: value } });
    if (answer?.status === 200) {
      field.done(value);
      this.world.count('changes answered');
    } else this.#refused(`sets ${kind}`, answer);
  }

  async type() {
    const text = `typed ${this.typed.length}\n`;
    const answer = await this.world.ask('POST', `/api/terminals/${this.reader}/write`, { body: { data: text } });
    this.typed.push(answer?.status === 200);
    if (answer?.status === 200) this.world.count('lines typed');
    else this.#refused('types', answer);
  }

  #living() {
    return [...this.terminals].filter(([, terminal]) => terminal.state === 'live' && terminal.terminalId !== this.reader);
  }

  async make() {
    if (this.#living().length >= TERMINALS_MAX) return this.hangUp();
    const label = `${this.name} ${this.#made++}`, body = { argv: ['sleep', '86400'], workingDir: this.world.work, label };
    this.terminals.set(label, { state: 'unknown' });
    const answer = await this.world.ask('POST', '/api/terminals', { body });
    if (answer?.status === 200) {
      this.terminals.set(label, { ...answer.body, state: 'live' });
      this.world.count('terminals made');
    } else this.#refused('makes a terminal', answer);
  }

  async #end(method, where) {
    const living = this.#living();
    if (!living.length) return;
    const [label, terminal] = this.random.pick(living);
    terminal.state = 'unknown';
    const answer = await this.world.ask(method, where(terminal));
    if (answer?.status === 200) {
      terminal.state = 'ended';
      this.world.count('terminals ended');
    } else this.#refused(`ends ${label}`, answer);
  }

  async hangUp() {
    await this.#end('DELETE', ({ terminalId }) => `/api/terminals/${terminalId}`);
  }

  async deleteCard() {
    await this.#end('DELETE', ({ terminalId }) => `/api/sessions/${terminalId}`);
  }

  async look() {
    const answer = await this.world.ask('GET', `/api/sessions/${this.name}`);
    if (answer?.status === 200) this.#checkFields(answer.body);
  }

  #checkFields(session) {
    for (const [kind, { possible }] of Object.entries(this.fields))
      if (!possible.has(session[kind] ?? ''))
        this.world.broken('what was answered is there', `${this.name}: ${kind} is ${session[kind]}, not ${[...possible].join(' or ')}`);
  }

  async check() {
    const card = await this.world.get(`/api/sessions/${this.name}`);
    this.#checkFields(card.body);
    this.#checkTyped();
    await this.#checkTerminals();
  }

  /** Each line at most once and in its order; an answered one at least once. */
  #checkTyped() {
    const got = fs.readFileSync(this.notes, 'utf8').split('\n').slice(0, -1).map(line => Number(/^typed (\d+)$/.exec(line)?.[1] ?? NaN));
    const wrong = got.findIndex((n, i) => !(n > (got[i - 1] ?? -1)));
    if (wrong >= 0) this.world.broken('what is typed arrives once and in order', `${this.name}: ${got.slice(Math.max(0, wrong - 3), wrong + 3)}`);
    const there = new Set(got), lost = this.typed.flatMap((answered, n) => (answered && !there.has(n) ? [n] : []));
    if (lost.length) this.world.broken('what was answered is typed', `${this.name}: ${lost.length} lost, as ${lost.slice(0, 5)} of ${this.typed.length}`);
  }

  /** Programs that were ended end; the others are there, alive. */
  async #checkTerminals() {
    const until = Date.now() + WAIT_MS;
    for (;;) {
      const { body: { terminals } } = await this.world.get('/api/terminals');
      const wrong = this.#wrongTerminals(new Map(terminals.filter(({ label }) => label?.startsWith(`${this.name} `)).map(x => [x.label, x])));
      if (!wrong.length) return;
      if (Date.now() > until) return this.world.broken('terminals are there until they are ended', wrong.join('\n'));
      await new Promise(resolve => { setTimeout(resolve, LOOK_MS); });
    }
  }

  #wrongTerminals(found) {
    const wrong = [];
    for (const [label, { state }] of this.terminals) {
      const now = found.get(label), lives = now?.connection === 'live' && alive(now.pid);
      if (state === 'live' && !lives) wrong.push(`${label} was made and is ${now ? `${now.connection} (${now.exitCode ?? now.signal})` : 'not there'}`);
      if (state === 'ended' && lives) wrong.push(`${label} was ended and lives`);
    }
    for (const label of found.keys()) if (!this.terminals.has(label)) wrong.push(`nobody made ${label}`);
    return wrong;
  }
}
