// Work that goes on behind the conversation.
import assert from 'node:assert/strict';
import { calm, done, wants, working } from '../agent.mjs';
import { call, hold, say, shell, subagent } from '../model/script.mjs';

export const background = {
  title: 'Background subagent', needs: 'subagent',
  async play(stage) {
    stage.script('main', [call(subagent('Look into script-sub')), say('It is being looked into.'), say('All of it is done.')]);
    stage.script('sub', [hold('sub', say('Looked into.'))]);
    const agent = await stage.start();
    await agent.prompt('main');
    await stage.reached('sub');
    await agent.sees(/It is being looked into/);
    await agent.shows('not your turn', working);
    await agent.stays('not your turn', working, () => stage.pass(4000));
    await stage.release('sub');
    const told = await agent.sees(/All of it is done/);
    await agent.shows('finished', done(agent.words(/All of it is done/)), told);
  },
};

export const subagentAsks = {
  title: 'A subagent asks', needs: 'subagentAsks',
  async play(stage) {
    stage.script('main', [call(subagent('Look into script-sub')), say('All of it is done.')]);
    stage.script('sub', [call(shell('touch made.txt', { ask: true })), say('Looked into.')]);
    const agent = await stage.start();
    await agent.prompt('main');
    const asked = await agent.asks();
    await agent.shows('approval shown', wants('approval', /touch made\.txt/), asked);
    const answered = await agent.allow();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval', answered);
    await agent.sees(/All of it is done/);
    await agent.shows('finished', done(agent.words(/All of it is done/)));
    assert.equal(stage.timeline.cards().length, 1, 'a subagent has no card');
  },
};

export const backgroundShell = {
  title: 'Background command', needs: 'backgroundShell',
  async play(stage) {
    stage.script('main', [call(shell('sleep 6', { background: true })), say('It runs.'), say('It has run.')]);
    const agent = await stage.start('hosted', { mode: 'own' });
    await agent.prompt('main');
    await agent.sees(/It runs/);
    await agent.shows('not your turn', calm);
    await agent.stays('not your turn', calm, () => stage.pass(1500));
    const told = await agent.sees(/It has run/);
    await agent.shows('finished', done(agent.words(/It has run/)), told);
  },
};
