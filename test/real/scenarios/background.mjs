// A session that Claude Code runs behind everybody's back, started from a terminal of ours.
import { wants } from '../agent.mjs';
import { call, say, shell } from '../model/script.mjs';

export const detached = {
  title: '--bg', needs: 'background',
  async play(stage) {
    stage.script('make', [call(shell('touch made.txt', { ask: true })), say('It is made.')]);
    const starter = await stage.start('hosted', { words: ['--bg', 'Please work on script-make'], waits: false });
    await starter.ended();
    await starter.shows('the terminal is over', card => card.status === 'ended');
    const agent = stage.elsewhere();
    await stage.pass(4000);
    await agent.shows('approval shown on a card of its own', wants('approval', /touch made\.txt/));
    await starter.shows('the terminal stays over', card => card.status === 'ended');
  },
};
