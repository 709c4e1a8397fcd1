// Turns in which nobody is asked anything.
import { calm, done, resting, working } from '../agent.mjs';
import { call, hold, say, shell } from '../model/script.mjs';

const WORK = [call(shell('echo made')), say('It is made.')];

export const headless = {
  title: 'Headless turn',
  async play(stage) {
    stage.script('make', WORK);
    const agent = await stage.start('headless', { mode: 'own', mark: 'make' });
    await agent.ended();
    await agent.shows('ended', card => card.status === 'ended' && card.promptCount > 0 && card.attention?.kind !== 'approval');
  },
};

export const interactive = {
  title: 'Interactive turn',
  async play(stage) {
    stage.script('make', [hold('answer', say('It is made.'))]);
    const agent = await stage.start();
    await agent.shows('nothing to say', calm);
    await agent.prompt('make');
    await stage.reached('answer');
    await agent.shows('working', working);
    await agent.stays('it works, however long', working, () => stage.pass(4000));
    await stage.release('answer');
    const told = await agent.sees(/It is made/);
    await agent.shows('finished', done(agent.words(/It is made/)), told);
  },
};

export const ownMode = {
  title: 'Its own default mode', needs: 'own',
  async play(stage) {
    stage.script('make', [call(shell('echo made > made.txt && sleep 5')), say('It is made.')]);
    const agent = await stage.start('hosted', { mode: 'own' });
    await agent.prompt('make');
    await agent.shows('working', card => working(card) && card.tool);
    await agent.stays('nobody is asked', working, () => stage.pass(3500));
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};

export const interrupted = {
  title: 'Esc while it thinks',
  async play(stage) {
    stage.script('make', [hold('never', say('Never said.'))]);
    const agent = await stage.start();
    await agent.prompt('make');
    await stage.reached('never');
    await agent.shows('working', working);
    const pressed = await agent.interrupt();
    await agent.shows('at rest', resting, pressed);
  },
};
