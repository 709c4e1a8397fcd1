// The daemon or the agent is killed in the middle.
import { done, wants, working } from '../agent.mjs';
import { call, say, shell } from '../model/script.mjs';

export const daemonKilled = {
  title: 'Daemon killed in a tool', needs: 'ask',
  async play(stage) {
    stage.script('make', [call(shell('touch made.txt && sleep 8', { ask: true })), say('It is made.')]);
    const agent = await stage.start();
    await agent.prompt('make');
    await agent.asks();
    await agent.shows('approval shown', wants('approval', /touch made\.txt/));
    await agent.allow();
    await agent.shows('working', working);
    await stage.crash();
    await agent.shows('still working', working);
    await agent.sees(/It is made/);
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};

export const askingDaemonKilled = {
  title: 'Daemon killed while asked', needs: 'ask',
  async play(stage) {
    stage.script('make', [call(shell('touch made.txt', { ask: true })), say('It is made.')]);
    const agent = await stage.start();
    await agent.prompt('make');
    await agent.asks();
    await agent.shows('approval shown', wants('approval', /touch made\.txt/));
    await stage.crash();
    await agent.shows('approval is still there', wants('approval', /touch made\.txt/));
    const answered = await agent.allow();
    await agent.shows('approval gone', card => card.attention?.kind !== 'approval', answered);
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};

export const agentKilled = {
  title: 'Agent killed', needs: 'ask',
  async play(stage) {
    stage.script('make', [call(shell('touch made.txt', { ask: true })), say('It is made.')]);
    const agent = await stage.start();
    await agent.prompt('make');
    await agent.asks();
    await agent.shows('approval shown', wants('approval', /touch made\.txt/));
    const killed = await stage.kill(agent);
    await agent.shows('its end shown', card => card.status === 'ended' && wants('exited')(card), killed);
  },
};
