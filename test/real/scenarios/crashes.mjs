// The daemon or the agent is killed in the middle.
import { done, wants, working } from '../agent.mjs';
import { call, say, shell } from '../model/script.mjs';
import { untilAsked } from './approval.mjs';

export const daemonKilled = {
  title: 'Daemon killed in a tool', needs: 'ask',
  async play(stage) {
    const agent = await untilAsked(stage, [call(shell('touch made.txt && sleep 8', { ask: true })), say('It is made.')]);
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
    const agent = await untilAsked(stage);
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
    const agent = await untilAsked(stage);
    const killed = await stage.kill(agent);
    await agent.shows('its end shown', card => card.status === 'ended' && wants('exited')(card), killed);
  },
};
