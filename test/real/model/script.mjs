// What the scripted model says: a script is a list of turns, and a prompt names its script by a mark, "script-name".
//
// A mark and not the text of the prompt, because CLIs wrap, shorten and repeat what they send. Each request that carries a mark takes
// the script's next turn; when none is left the last one is repeated, if it only says something.

/** Says it and ends the turn. */
export const say = text => ({ say: text, calls: [] });

/** Calls tools, all in one answer. */
export const call = (...calls) => ({ say: 'I will do that.', calls });

/** Breaks off with this status, however often it is asked again, or so often. */
export const fail = (status, times = Infinity) => ({ status, times, calls: [] });

/** Answers only when the test calls `release(name)`. */
export const hold = (name, turn) => ({ ...turn, hold: name });

// Tools by what they do. Each API's file knows what the CLI that asks calls them.
export const shell = (command, rest = {}) => ({ kind: 'shell', command, ...rest });
export const read = file => ({ kind: 'read', file });
export const write = (file, text) => ({ kind: 'write', file, text });
export const question = (text, options) => ({ kind: 'question', text, options });
/** Several at once, as the CLI's own tool takes them. */
export const questions = list => ({ kind: 'questions', questions: list });
/** The same for every CLI: [{ text, options, several }]. */
export const parts = (...list) => ({ kind: 'parts', list });
export const plan = text => ({ kind: 'plan', text });
export const planFile = text => ({ kind: 'planFile', text });
export const subagent = prompt => ({ kind: 'subagent', prompt });

const MARK = /\bscript-([a-z]\w*)/g;

/** The scripts of one test, and how far each has been taken. */
export class Scripts {
  #scripts = new Map();
  #holds = new Map(); // name → { reached, release }

  set(name, turns) {
    this.#scripts.set(name, { turns, next: 0, failed: 0 });
    for (const { hold: held } of turns) if (held) this.#hold(held);
  }

  #hold(name) {
    if (!this.#holds.has(name)) {
      const gate = {};
      gate.reached = new Promise(resolve => { gate.reach = resolve; });
      gate.released = new Promise(resolve => { gate.release = resolve; });
      this.#holds.set(name, gate);
    }
    return this.#holds.get(name);
  }

  /** Resolves when a request has come to this hold. */
  reached(name) {
    return this.#hold(name).reached;
  }

  release(name) {
    this.#hold(name).release();
  }

  releaseAll() {
    for (const gate of this.#holds.values()) gate.release();
  }

  /** The script that the newest of these texts names. */
  named(texts) {
    for (const text of texts.toReversed())
      for (const [, name] of [...text.matchAll(MARK)].toReversed()) if (this.#scripts.has(name)) return name;
    return null;
  }

  /** The next turn for a conversation whose person said `texts`; waits where the turn is held. */
  async turn(texts) {
    const name = this.named(texts);
    if (!name) return { name, ...say('Nothing was scripted for this.') };
    const script = this.#scripts.get(name);
    const turn = script.turns[Math.min(script.next, script.turns.length - 1)];
    const usedUp = script.next >= script.turns.length;
    const over = turn.status === undefined || ++script.failed >= turn.times;
    if (over) Object.assign(script, { next: script.next + 1, failed: 0 });
    if (turn.hold) {
      this.#hold(turn.hold).reach();
      await this.#hold(turn.hold).released;
    }
    return usedUp && turn.calls.length ? { name, ...say('Done.') } : { name, ...turn };
  }
}
