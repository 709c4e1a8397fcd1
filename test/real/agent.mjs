// One agent in a scenario: what a person does to it, and what the board must say of it. A real CLI or a recording of one.
import assert from 'node:assert/strict';

const AGAIN_MS = 1000;

/** What a person needs to read a question; a dialog ignores keys in its first moments. */
const reaction = () => new Promise(resolve => { setTimeout(resolve, 800); });

/** The same key twice is not one key with a prefix. */
const betweenKeys = () => new Promise(resolve => { setTimeout(resolve, 300); });

export class Agent {
  constructor(stage, place) {
    Object.assign(this, { stage, place, cli: stage.cli });
  }

  /** Its card, among all. */
  find = cards => this.place.terminalId ? cards.find(card => card.terminalId === this.place.terminalId || card.lastTerminalId === this.place.terminalId)
    : this.id ? cards.find(card => card.id === this.id) : cards.find(card => !card.terminalId && card.cli === this.cli.name);

  /** Types a prompt; `mark` names the script that the model follows. */
  async prompt(mark, text = 'Please work on') {
    const line = `${text} script-${mark}`;
    await this.stage.cue(`prompt ${mark}`, async () => {
      await this.#type(line);
      const from = Date.now();
      for (let wait = AGAIN_MS; wait <= 16 * AGAIN_MS; wait *= 2) {
        await this.place.type('\r');
        if (await this.stage.calls(this.cli.promptEvent, from, wait)) return;
      }
      assert.fail(`it does not take the prompt:\n${await this.place.screen()}`);
    });
  }

  /** What is typed too early is lost. */
  async #type(line) {
    const echo = new RegExp(line.slice(-12).replace(/[/]/g, '.'));
    for (let tries = 0; tries < 5; tries++) {
      await this.place.type(line);
      if (await this.place.sees(echo, 5 * AGAIN_MS)) return;
    }
    assert.fail(`it does not show what is typed:\n${await this.place.screen()}`);
  }

  /** Leaves it, as its own command does. */
  async quit() {
    await this.stage.cue('quit', async () => {
      await this.#type(this.cli.commands.quit);
      for (let tries = 0; tries < 4; tries++) {
        await this.place.type('\r');
        if (await this.place.leaves(5 * AGAIN_MS)) return;
      }
      assert.fail(`it does not leave:\n${await this.place.screen()}`);
    });
    await this.stage.ended(this);
  }

  /** A command of the CLI's own, such as /clear. It is through when its hook was called for `event`, or `screen` is to be seen. */
  async command(line, { event, screen } = {}) {
    await this.stage.cue(line, async () => {
      const from = Date.now();
      await this.#type(line);
      for (let tries = 0; tries < 4; tries++) { // the first Enter may only choose from a list of commands
        await this.place.type('\r');
        if (event ? await this.stage.calls(event, from, 5 * AGAIN_MS) : await this.place.sees(screen, 5 * AGAIN_MS)) return;
      }
      assert.fail(`nothing came of ${line}:\n${await this.place.screen()}`);
    });
  }

  /** Waits until its program has ended. */
  ended() {
    return this.stage.ended(this);
  }

  /** What it said last, where the CLI tells. */
  words(pattern) {
    return this.cli.can.has('lastWords') ? pattern : /./;
  }

  /** The whole of what is asked, which summaries may cut. */
  async whole(kind, pattern, id) {
    const { attention } = await this.stage.daemon.get(`/api/sessions/${id}`);
    assert.equal(attention?.kind, kind);
    assert.match(attention.detail ?? attention.text, pattern);
  }

  /** Waits until it is on the screen; answers when. */
  async sees(pattern) {
    await this.stage.sees(this, pattern);
    return Date.now();
  }

  /** Waits until it asks a person something; answers when it did. */
  async asks(pattern = this.cli.dialog, event = this.cli.askEvent) {
    const seen = await this.sees(pattern);
    return this.stage.askedAt(event) ?? seen;
  }

  /** Presses keys at a dialog until it is gone: a TUI may ignore what comes in its first moments. Answers when the right key was pressed. */
  async press(cue, keys, dialog = this.cli.dialog) {
    await reaction();
    let at = Date.now();
    await this.stage.cue(cue, async () => {
      for (let tries = 0; tries < 5; tries++) {
        at = Date.now();
        await this.place.type(keys);
        if (await this.place.loses(dialog, 2 * AGAIN_MS)) return;
      }
      assert.fail(`the dialog does not mind ${JSON.stringify(keys)}:\n${await this.place.screen()}`);
    });
    return at;
  }

  /** `another`: one more dialog follows at once, which may look the same. */
  async allow({ another = false } = {}) {
    if (!another) return this.press('allow', this.cli.keys.allow);
    await reaction();
    const at = Date.now();
    await this.stage.cue('allow', async () => {
      await this.place.type(this.cli.keys.allow);
      const taken = this.cli.screens.taken ? await this.place.sees(this.cli.screens.taken) : await this.stage.calls([this.cli.toolEvent, this.cli.askEvent], at);
      assert.ok(taken, `the first of two is not taken:\n${await this.place.screen()}`);
    });
    return at;
  }

  escape() {
    return this.press('escape', '\x1b');
  }

  /** Esc while it works; some want it twice. */
  async interrupt() {
    let at = Date.now();
    await this.stage.cue('interrupt', async () => {
      at = Date.now();
      for (const key of this.cli.keys.interrupt) {
        await this.place.type(key);
        await (this.cli.screens.again ? this.place.sees(this.cli.screens.again) : betweenKeys());
      }
    });
    return at;
  }

  async deny() {
    const keys = this.stage.live ? await this.cli.denyKeys(this) : '';
    return this.press('deny', keys);
  }

  /** Waits until the card is like this. `since`: the moment from which on a person might wonder; the time it took is reported. */
  async shows(what, condition, since) {
    const { card, at } = await this.stage.timeline.until(this.find, condition, what);
    this.id = card.id;
    if (since !== undefined) this.stage.measured(what, Math.max(0, at - since));
    return card;
  }

  /** The card as it is now. */
  get card() {
    return this.find(this.stage.timeline.cards());
  }

  /** While `during` runs, nothing else is told of the card than what fulfils the condition. */
  async stays(what, condition, during) {
    const from = Date.now();
    await during();
    for (const entry of this.stage.timeline.since(this.id, from))
      assert.ok(condition(entry), `${what}, but at ${entry.at - from} ms: ${JSON.stringify(entry)}\n${this.stage.timeline.story()}`);
  }
}

// Conditions of cards, by what a person needs to know.
export const calm = card => !card.attention;
export const working = card => !card.attention && ['prompting', 'working'].includes(card.status);
export const wants = (kind, text = /./) => card =>
  card.attention?.kind === kind && card.attention.certain !== false && text.test(`${card.attention.text}\n${card.attention.detail ?? ''}`);
/** It is the person's turn, and there is nothing to decide. */
export const done = text => wants('finished', text);
/** Nothing is asked, and nothing goes on: after an interruption, or before the first prompt. */
export const resting = card => (!card.attention || card.attention.kind === 'finished') && !card.tool && ['idle', 'waiting'].includes(card.status);
