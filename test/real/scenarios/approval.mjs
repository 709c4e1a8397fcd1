// A tool that needs a person's word: allowed, refused, escaped, left alone.
import { done, resting, wants, working } from '../agent.mjs';
import { call, say, shell } from '../model/script.mjs';

const ASKED = [call(shell('touch made.txt', { ask: true })), say('It is made.')];

/** Until it asks and the board says so; answers the agent. */
export async function untilAsked(stage, turns = ASKED, where = 'hosted') {
  stage.script('make', turns);
  const agent = await stage.start(where);
  await agent.prompt('make');
  const asked = await agent.asks();
  await agent.shows('approval shown', wants('approval', /touch made\.txt/), asked);
  return agent;
}

export const allowed = {
  title: 'Approval, allowed', needs: 'ask',
  async play(stage) {
    const agent = await untilAsked(stage);
    const answered = await agent.allow();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval', answered);
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};

export const refused = {
  title: 'Approval, refused', needs: 'ask',
  async play(stage) {
    const agent = await untilAsked(stage);
    const answered = await agent.deny();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval', answered);
    await agent.shows('the agent rests', resting);
  },
};

export const escaped = {
  title: 'Approval, Esc', needs: 'ask',
  async play(stage) {
    const agent = await untilAsked(stage);
    const answered = await agent.escape();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval', answered);
    await agent.shows('the agent rests', resting);
  },
};

export const leftAlone = {
  title: 'Approval, left alone', needs: 'ask', gapMs: 20_000,
  async play(stage) {
    const agent = await untilAsked(stage);
    await agent.stays('the approval stays', wants('approval', /touch made\.txt/), () => stage.pass(18_000));
    const answered = await agent.allow();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval', answered);
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};

export const longCommand = {
  title: 'Long approved command', needs: 'ask', gapMs: 20_000,
  async play(stage) {
    const agent = await untilAsked(stage, [call(shell('touch made.txt && sleep 60', { ask: true })), say('It is made.')]);
    const answered = await agent.allow();
    await agent.shows('approval gone', working, answered);
    await agent.stays('it works', working, () => stage.pass(57_000));
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};

export const atTheDesk = {
  title: 'Approval at a desk', needs: 'ask',
  async play(stage) {
    const agent = await untilAsked(stage, ASKED, 'desk');
    const answered = await agent.allow();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval', answered);
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};
