// The person in front of one agent: gives it work, and answers what it asks, from the inbox, at its dialog, or both.
const DIALOG = { claude: /Do you want to proceed\?/, codex: /Press enter to confirm or esc to cancel/ };
const AGAIN_MS = 1500, STUCK_MS = 60_000, LOOK_MS = 60;

export class Hand {
  #seen = new Set(); // requests that are decided

  constructor(driver, agent, phase) {
    Object.assign(this, { driver, agent, phase, last: Date.now(), open: new Map() });
  }

  get random() {
    return this.driver.random;
  }

  news(request) {
    if (request.now.session !== this.agent.card?.id) return;
    this.last = Date.now();
    if (request.now.state === 'open') this.open.set(request.id, request);
    else this.open.delete(request.id);
    this.wake?.();
  }

  /** Until so many count, or nothing moves any more. */
  async work(count) {
    const { driver, agent } = this;
    for (;;) {
      await driver.thereIsOne();
      const next = this.phase === 'own' ? null : [...this.open.values()][0];
      if (next) {
        await this.#decide(next);
      } else if (await this.isIdle()) {
        if (driver.done(this.phase) >= count) return;
        await this.#prompt(driver.script());
      } else if (Date.now() - this.last > STUCK_MS) {
        return;
      } else {
        await this.#change(500);
      }
    }
  }

  /** Something was told, or so long has gone by. */
  #change(ms) {
    return new Promise(resolve => { this.wake = resolve; setTimeout(resolve, ms); });
  }

  async isIdle() {
    const { card } = this.agent;
    if (!card || (this.open.size && this.phase !== 'own')) return !card && !this.begun; // Codex has no card before its first prompt
    return ['idle', 'waiting'].includes(card.status) && !['approval', 'question'].includes(card.attention?.kind);
  }

  /** A daemon may be gone while it is typed. */
  async #prompt(mark) {
    this.agent.prompting = this.begun = true;
    try {
      await this.agent.prompt(mark);
    } catch (error) {
      if (!this.driver.killed) throw error;
    }
    this.agent.prompting = false;
    this.last = Date.now();
  }

  async #decide(request) {
    const first = !this.#seen.has(request.id);
    this.#seen.add(request.id);
    const [here, there] = [this.#draw(), this.#draw()];
    request.wish ??= { here, there };
    const held = request.now.can.length > 0;
    if (this.phase === 'desk' || !first) return this.#atTheDesk(request, there);
    if (!held && !await this.#becomesHeld(request)) return this.#atTheDesk(request, there);
    if (this.phase === 'api' || this.phase === 'told') {
      if (this.phase === 'told') await this.driver.sleep(300); // as the hook does that it is compared with
      await this.driver.answer(request, this.phase === 'told' ? 'allow' : here);
      return this.#settled(request);
    }
    await this.#both(request, here, there);
  }

  #draw() {
    return this.random.chance(0.75) ? 'allow' : 'deny';
  }

  /** It is told before its hook has come. */
  async #becomesHeld(request) {
    for (let tries = 0; tries < 20 && this.open.has(request.id) && !request.now.can.length; tries++) await this.#change(50);
    return request.now.can.length > 0;
  }

  async #both(request, here, there) {
    const { driver, agent } = this, { blocks } = agent.cli;
    if (!blocks && !await this.#sees(request)) return;
    const jitter = this.random.between(-40, blocks ? 60 : 400); // a dialog takes its time with a key
    const api = driver.sleep(Math.max(0, jitter)).then(() => driver.answer(request, here));
    const desk = driver.sleep(Math.max(0, -jitter)).then(() => blocks ? this.#comeBack(request) : this.#press(request, there));
    await Promise.all([api, desk]);
    await this.#settled(request);
  }

  /** Codex: somebody is back at its terminal, and the dialog with them. */
  async #comeBack(request) {
    const { driver, agent } = this;
    request.keys.push('back');
    if (agent.place.kind === 'hosted') return agent.place.type(' ');
    for (const away of [false, true]) await driver.api('/api/away', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ away }) });
  }

  /** Its dialog, with the call that is meant. */
  async #sees(request) {
    const { agent, driver } = this;
    for (let until = Date.now() + 10_000; Date.now() < until && this.open.has(request.id);) {
      await driver.thereIsOne();
      const screen = await agent.place.screen().catch(() => '');
      if (DIALOG[agent.cli.name].test(screen) && screen.includes(`mark ${request.mark}`)) return screen;
      await driver.sleep(LOOK_MS);
    }
    return null;
  }

  async #press(request, decision) {
    const { agent } = this, { cli } = agent;
    const keys = decision === 'allow' ? cli.keys.allow : await this.#denyKeys();
    request.keys.push(decision);
    await agent.place.type(keys);
  }

  /** A dialog that has just gone has no number for "No". */
  async #denyKeys() {
    try {
      return await this.agent.cli.denyKeys(this.agent);
    } catch {
      return '\x1b';
    }
  }

  async #atTheDesk(request, decision) {
    if (!await this.#sees(request)) return;
    await this.driver.sleep(300); // a dialog ignores what comes in its first moments
    if (!await this.#sees(request)) return;
    await this.#press(request, decision);
    await this.#settled(request);
  }

  /** It is over, or it is time to look again. */
  async #settled(request) {
    for (const until = Date.now() + AGAIN_MS; this.open.has(request.id) && Date.now() < until;) await this.#change(100);
  }
}
