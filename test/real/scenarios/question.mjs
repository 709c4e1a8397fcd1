// Questions and plans: what a person is asked that is not a permission.
import { done, resting, wants, working } from '../agent.mjs';
import { call, hold, plan, planFile, question, say } from '../model/script.mjs';

const COLOURS = /Which colour\?[^]*Red[^]*Blue/;

async function untilAsked(stage, after) {
  stage.script('ask', [call(question('Which colour?', ['Red', 'Blue'])), after]);
  const agent = await stage.start();
  await agent.prompt('ask');
  const asked = await agent.asks(stage.cli.question.dialog, stage.cli.question.event);
  const { id } = await agent.shows('question shown', wants('question', /Which colour\?/), asked);
  await agent.whole('question', COLOURS, id);
  return agent;
}

export const answered = {
  title: 'Question, answered', needs: 'question',
  async play(stage) {
    const agent = await untilAsked(stage, hold('after', say('So be it.')));
    const at = await agent.press('answer', '\r', stage.cli.question.dialog);
    await agent.shows('question gone', working, at);
    await stage.reached('after');
    await stage.release('after');
    await agent.shows('finished', done(agent.words(/So be it/)));
  },
};

export const dismissed = {
  title: 'Question, Esc', needs: 'question',
  async play(stage) {
    const agent = await untilAsked(stage, say('So be it.'));
    const at = await agent.press('escape', '\x1b', stage.cli.question.dialog);
    await agent.shows('question gone', card => card.attention?.kind !== 'question', at);
    await agent.shows('at rest', card => resting(card) || done(/./)(card));
  },
};

export const planned = {
  title: 'Plan', needs: 'plan',
  async play(stage) {
    stage.script('plan', [call(planFile('# The plan\n\n1. Make it.')), call(plan('# The plan\n\n1. Make it.')), say('So it is planned.')]);
    const agent = await stage.start('hosted', { mode: 'planning' });
    await agent.prompt('plan', stage.cli.plan.prompt);
    const asked = await agent.asks(stage.cli.plan.dialog);
    const { id } = await agent.shows('plan shown', wants('plan'), asked);
    await agent.whole('plan', /# The plan[^]*1\. Make it\./, id);
    const at = await agent.press('approve', stage.cli.plan.yes, stage.cli.plan.dialog);
    await agent.shows('plan gone', card => card.attention?.kind !== 'plan', at);
    await agent.shows('finished', done(agent.words(/So it is planned/)));
  },
};
