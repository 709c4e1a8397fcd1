// One agent in a scenario: what a person does to it, and what the board must say of it. A real CLI or a recording of one.
import assert from 'node:assert/strict';

const AGAIN_MS = 2000;

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
      for (let tries = 0; tries < 5; tries++) {
        await this.place.type('\r');
        if (await this.stage.calls(this.cli.promptEvent, from, AGAIN_MS)) return;
      }
      assert.fail(`it does not take the prompt:\n${await this.place.screen()}`);
    });
  }

  async #type(line) {
    await this.place.type(line);
    await this.place.sees(new RegExp(line.slice(-12).replace(/[/]/g, '.')));
  }

  /** A command of the CLI's own, such as /clear; `done` is on the screen when it is through. */
  async command(line, done) {
    await this.stage.cue(line, async () => {
      await this.#type(line);
      await this.place.type('\r');
      if (done) await this.place.sees(done);
    });
  }

  /** Waits until it asks a person something; answers when it did. */
  async asks(pattern = this.cli.dialog) {
    await this.stage.sees(this, pattern);
    return this.stage.askedAt(this.cli.askEvent) ?? Date.now();
  }

  /** Presses keys at a dialog until it is gone: a TUI may ignore what comes in its first moments. Answers when the right key was pressed. */
  async press(cue, keys, dialog = this.cli.dialog) {
    let at = Date.now();
    await this.stage.cue(cue, async () => {
      for (let tries = 0; tries < 5; tries++) {
        at = Date.now();
        await this.place.type(keys);
        if (await this.place.loses(dialog, AGAIN_MS)) return;
      }
      assert.fail(`the dialog does not mind ${JSON.stringify(keys)}:\n${await this.place.screen()}`);
    });
    return at;
  }

  allow = () => this.press('allow', this.cli.keys.allow);
  escape = () => this.press('escape', '\x1b');

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
