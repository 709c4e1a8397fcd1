// The real CLIs, answered and told what to do from the API: by keys in their terminals where a hook cannot decide, by the hook of the
// plugin in opencode. What is asked here of each is what docs/agents.md says that it can.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { wants, resting } from './agent.mjs';
import { CLIS } from './cli/index.mjs';
import { LiveStage } from './live.mjs';
import { call, hold, parts, plan, planFile, question, say, shell, write } from './model/script.mjs';

const { agents } = JSON.parse(process.env.OSTLER_REAL_AGENTS);
const words = JSON.parse(process.env.OSTLER_REAL_WORDS ?? '[]');
const wanted = title => words.length === 0 || words.some(word => title.includes(word));

/** What each can be answered: as `can` and `via` of its requests say. */
const APPROVAL = {
  gemini: { via: 'keys', can: ['allow', 'deny', 'always', 'stop'] },
  copilot: { via: 'keys', can: ['allow', 'deny', 'always', 'message', 'stop'] },
  codex: { via: 'keys', can: ['allow', 'deny', 'always', 'stop'] },
  claude: { via: 'keys', can: ['allow', 'deny', 'message', 'stop'] },
  opencode: { via: 'hook', can: ['allow', 'deny', 'always'] },
};

/** Nothing is recorded: the hook is the one that people have. */
class Stage extends LiveStage {
  static async of(t, cli) {
    const stage = new Stage(t, cli, { live: true });
    await stage.setUp(t, { ...agents[cli.name], scenario: 'answers' });
    return stage;
  }

  beforeHooks() {}

  async post(target, body) {
    const answer = await this.daemon.fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return { status: answer.status, ...await answer.json() };
  }

  /** The agent with a prompt that names this script, typed from the API. */
  async ask(turns, { mode = 'asking' } = {}) {
    this.script('make', turns);
    const agent = await this.start('hosted', { mode });
    const { id } = await agent.shows('a card', () => true);
    const text = `${mode === 'planning' ? this.cli.plan.prompt ?? 'Please work on' : 'Please work on'} script-make`;
    await this.#until(async () => (await this.post(`/api/sessions/${id}/prompt`, { text })).status === 200, 'the prompt is taken');
    return agent;
  }

  /** Its request, as soon as it can be answered like this. */
  async request(agent, kind) {
    const { via } = APPROVAL[this.cli.name];
    const asks = new RegExp(`${this.cli.question.dialog.source}|esc dismiss|navigate questions`); // of one, of several
    await agent.sees({ approval: this.cli.dialog, question: asks, plan: this.cli.plan?.dialog }[kind]);
    await agent.shows(kind, wants(kind));
    if (this.cli.name === 'claude') await this.#endHooks();
    let found;
    await this.#until(async () => {
      const { approvals } = await this.daemon.get('/api/approvals');
      found = approvals.find(one => one.state === 'open');
      return found?.kind === kind && found.can.length > 0 && found.via === via;
    }, `${kind} that can be answered`, () => JSON.stringify(found));
    return found;
  }

  answer({ id, digest }, body) {
    return this.post(`/api/approvals/${id}`, { digest, ...body });
  }

  /** Hooks that wait for an answer. */
  #hooks() {
    return fs.readdirSync('/proc').filter(name => {
      try {
        return /^\d+$/.test(name) && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--reply\0')
          && fs.readFileSync(`/proc/${name}/environ`, 'utf8').includes(`HOME=${this.home}\0`);
      } catch {
        return false;
      }
    });
  }

  noHookWaits() {
    return this.#until(() => this.#hooks().length === 0, 'every hook is gone');
  }

  /** As if it had been killed: Claude's dialog stays. */
  #endHooks() {
    return this.#until(() => {
      const pids = this.#hooks();
      for (const pid of pids) process.kill(Number(pid), 'SIGKILL');
      return pids.length > 0;
    }, 'a hook that waits');
  }

  /** Looked at again with every news of the board or the terminal, and now and then. */
  async #until(look, what, more = () => '') {
    const until = Date.now() + 30_000;
    while (!await look()) {
      assert.ok(Date.now() < until, `not ${what}: ${more()}\n${await this.agents.at(-1)?.place.screen()}`);
      await new Promise(resolve => { setTimeout(resolve, 100); });
    }
  }

  made(name = 'made.txt') {
    return fs.existsSync(path.join(this.project, name));
  }

  /** What the model was told in all, as text. */
  get told() {
    return JSON.stringify(this.model.requests.map(({ body }) => body));
  }
}

const TOUCH = shell('touch made.txt', { ask: true });
const COLOURS = { text: 'Which colour?', options: ['Red', 'Blue'] }, SIZES = { text: 'Which sizes?', options: ['Small', 'Large'] };

const CASES = {
  'allowed: the tool runs': async stage => {
    const agent = await stage.ask([call(TOUCH), say('It is made.')]);
    const request = await stage.request(agent, 'approval');
    assert.deepEqual(request.can.filter(one => ['allow', 'deny', 'always', 'message', 'stop'].includes(one)), APPROVAL[stage.cli.name].can);
    const { status, state } = await stage.answer(request, { decision: 'allow' });
    assert.deepEqual({ status, state }, { status: 200, state: 'allowed' });
    await agent.sees(/It is made/);
    assert.ok(stage.made());
    const { status: again } = await stage.answer(request, { decision: 'deny' });
    assert.equal(again, 409, 'it is answered once');
    await stage.noHookWaits();
  },
  'denied: the tool does not run': async stage => {
    const agent = await stage.ask([call(TOUCH), say('It is not made.')]);
    const request = await stage.request(agent, 'approval');
    const { status, state } = await stage.answer(request, { decision: 'deny' });
    assert.deepEqual({ status, state }, { status: 200, state: 'denied' });
    await agent.shows('it rests', card => card.attention?.kind !== 'approval');
    assert.ok(!stage.made());
  },
  'always: the next one is not asked about': async stage => {
    const agent = await stage.ask([call(TOUCH), call(TOUCH), say('It is made.')]);
    const request = await stage.request(agent, 'approval');
    assert.equal((await stage.answer(request, { decision: 'always' })).status, 200);
    await agent.sees(/It is made/);
    const { approvals } = await stage.daemon.get('/api/approvals');
    assert.deepEqual(approvals.map(({ id, state }) => ({ id, state })), [{ id: request.id, state: 'allowed' }]);
  },
  'denied with a reason, which the model is told': async stage => {
    const agent = await stage.ask([call(TOUCH), say('So not.')]);
    const request = await stage.request(agent, 'approval');
    if (!request.can.includes('message')) {
      assert.equal((await stage.answer(request, { decision: 'deny', message: 'Use another way' })).status, 409);
      return;
    }
    const { status } = await stage.answer(request, { decision: 'deny', message: 'Use another\nway, \x1b[31mplease\u0007' });
    assert.equal(status, 200);
    await agent.sees(/So not/);
    assert.ok(!stage.made());
    assert.match(stage.told, /Use another way, \[31mplease|Use another\\nway/);
  },
  'a file is written': async stage => {
    const agent = await stage.ask([call(write(path.join(stage.project, 'made.txt'), 'one\ntwo\nthree\n')), say('It is made.')]);
    const request = await stage.request(agent, 'approval');
    assert.equal((await stage.answer(request, { decision: 'allow' })).status, 200);
    await agent.sees(/It is made/);
    assert.ok(stage.made());
  },
  'a question, answered': async stage => {
    const agent = await stage.ask([call(question(COLOURS.text, COLOURS.options)), say('So be it.')]);
    const request = await stage.request(agent, 'question');
    assert.equal((await stage.answer(request, { decision: 'allow', answers: { 'Which colour?': 'Blue' } })).status, 200);
    await agent.sees(/So be it/);
    assert.match(stage.told, /Blue/);
  },
  'a question in two parts': async stage => {
    const agent = await stage.ask([call(parts(COLOURS, SIZES)), say('So be it.')]);
    const request = await stage.request(agent, 'question');
    const answers = { 'Which colour?': 'Blue', 'Which sizes?': 'Large' };
    assert.equal((await stage.answer(request, { decision: 'allow', answers })).status, 200);
    await agent.sees(/So be it/);
  },
  'a plan, approved': async stage => {
    const agent = await stage.ask([call(planFile('# The plan\n\n1. Make it.')), call(plan('# The plan\n\n1. Make it.')), say('So it is planned.')], { mode: 'planning' });
    const request = await stage.request(agent, 'plan');
    assert.equal((await stage.answer(request, { decision: 'allow' })).status, 200);
    await agent.sees(/So it is planned/);
  },
  'a plan with feedback': async stage => {
    const agent = await stage.ask([call(planFile('# The plan\n\n1. Make it.')), call(plan('# The plan\n\n1. Make it.')), say('So it is planned.')], { mode: 'planning' });
    const request = await stage.request(agent, 'plan');
    assert.equal((await stage.answer(request, { decision: 'deny', message: 'Make it better' })).status, 200);
    await agent.sees(/So it is planned/);
    assert.match(stage.told, /Make it better/);
  },
  'a dialog that does not show the whole is not answered': async stage => {
    const agent = await stage.ask([call(shell(`touch made.txt; ${'echo something that is much too long for this screen; '.repeat(60)}`, { ask: true })), say('It is made.')]);
    await agent.sees(stage.cli.dialog);
    await agent.shows('approval', wants('approval'));
    const { approvals: [request] } = await stage.daemon.get('/api/approvals');
    const { status } = await stage.answer(request, { decision: 'allow' });
    assert.equal(status, 409);
    assert.ok(!stage.made());
    assert.match(await agent.place.screen(), stage.cli.dialog, 'nothing was typed');
  },
  'answered at the desk: too late from here': async stage => {
    const agent = await stage.ask([call(TOUCH), say('It is made.')]);
    const request = await stage.request(agent, 'approval');
    await agent.allow();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval');
    assert.equal((await stage.answer(request, { decision: 'deny' })).status, 409);
    await agent.sees(/It is made/);
    assert.ok(stage.made());
    await stage.noHookWaits();
  },
  'interrupted': async stage => {
    const agent = await stage.ask([hold('never', say('Never said.'))]);
    await stage.reached('never');
    assert.equal((await stage.post(`/api/sessions/${agent.id}/interrupt`, {})).status, 200);
    await agent.shows('it rests', resting);
    assert.equal((await stage.post(`/api/sessions/${agent.id}/interrupt`, {})).status, 409, 'there is nothing more to interrupt');
  },
};

/** What is not asked of a CLI, and why. */
const LEFT_OUT = {
  codex: ['a file is written', 'a plan'], // its files are written by commands; its plans are not asked about
  opencode: ['a plan', 'a file is written', 'denied with a reason', 'a dialog that does not'], // no such dialog; it may write; its hook has the whole
  claude: ['always', 'answered at the desk', 'a dialog that does not'], // its rules are the hook's; the others are in scenarios with its hook
};

for (const cli of Object.values(CLIS).filter(one => APPROVAL[one.id])) {
  for (const [name, play] of Object.entries(CASES)) {
    const title = `dialogs, ${cli.id}: ${name}`;
    if (!wanted(title) || LEFT_OUT[cli.id]?.some(part => name.startsWith(part))) continue;
    test(title, { timeout: 180_000 }, async t => {
      const stage = await Stage.of(t, cli);
      try {
        await play(stage);
      } catch (error) {
        throw new Error(`${error.message}\nits screen:\n${await stage.agents.at(-1)?.place.screen?.()}`, { cause: error });
      }
    });
  }
}
