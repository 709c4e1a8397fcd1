// A conversation that is cleared, compacted, left and taken up again.
import assert from 'node:assert/strict';
import { calm, done, resting } from '../agent.mjs';
import { say } from '../model/script.mjs';

async function firstTurn(stage) {
  stage.script('first', [say('The first is done.')]);
  stage.script('second', [say('The second is done.')]);
  const agent = await stage.start();
  await agent.prompt('first');
  const told = await agent.sees(/The first is done/);
  await agent.shows('finished', done(agent.words(/The first is done/)), told);
  return agent;
}

async function secondTurn(stage, agent) {
  await agent.prompt('second');
  const told = await agent.sees(/The second is done/);
  await agent.shows('finished again', card => done(agent.words(/The second is done/))(card) && card.currentPrompt.includes('second'), told);
  assert.equal(stage.timeline.cards().filter(card => card.status !== 'ended').length, 1, 'one agent is one card');
}

export const cleared = {
  title: '/clear', needs: 'clear',
  async play(stage) {
    const agent = await firstTurn(stage);
    await agent.command(stage.cli.commands.clear, stage.cli.cleared);
    await agent.shows('it goes on', card => calm(card) || card.attention.kind === 'finished');
    await secondTurn(stage, agent);
  },
};

export const compacted = {
  title: '/compact', needs: 'compact',
  async play(stage) {
    const agent = await firstTurn(stage);
    await agent.command(stage.cli.commands.compact, stage.cli.compacted);
    await agent.shows('at rest', resting);
    await secondTurn(stage, agent);
  },
};

export const resumed = {
  title: 'Resume', needs: 'resume',
  async play(stage) {
    const agent = await firstTurn(stage);
    await agent.quit();
    await agent.shows('ended', card => card.status === 'ended');
    await stage.resume(agent);
    await agent.shows('it is back', card => card.status !== 'ended' && card.attention?.kind !== 'exited');
    await secondTurn(stage, agent);
  },
};
