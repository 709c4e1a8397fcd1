// Work that goes on behind the conversation.
import { calm, done, working } from '../agent.mjs';
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
