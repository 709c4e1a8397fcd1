// More than one question at a time.
import { done, wants } from '../agent.mjs';
import { call, say, shell } from '../model/script.mjs';

const asksFor = wants('approval', /touch made\.txt/);

export const twins = {
  title: 'Two identical calls', needs: 'ask',
  async play(stage) {
    const twin = shell('touch made.txt', { ask: true });
    stage.script('make', [call(twin, twin), say('Both are made.')]);
    const agent = await stage.start();
    await agent.prompt('make');
    const first = await agent.asks();
    const { attention } = await agent.shows('first shown', asksFor, first);
    await agent.allow({ another: true });
    await agent.asks();
    // Codex and Gemini begin with neither before both are answered, and say nothing meanwhile.
    const isAnother = card => !stage.cli.can.has('eachAnswer') || card.attention.requestId !== attention.requestId;
    await agent.shows('second shown', card => asksFor(card) && isAnother(card));
    await agent.stays('the second is still asked', asksFor, () => stage.pass(2000));
    const answered = await agent.allow();
    await agent.shows('gone', card => card.attention?.kind !== 'approval', answered);
    await agent.shows('finished', done(agent.words(/Both are made/)));
  },
};

export const atOnce = {
  title: 'Two identical calls at once', needs: 'parallel',
  async play(stage) {
    const twin = { kind: 'read', file: '/etc/hostname' };
    stage.script('look', [call(twin, twin), say('Both are read.')]);
    const agent = await stage.start();
    await agent.prompt('look');
    const asked = await agent.asks();
    await agent.shows('both shown', card => wants('approval', /hostname/)(card) && card.attention.more === 1, asked);
    const first = await agent.allow({ another: true });
    await agent.shows('one left', card => wants('approval', /hostname/)(card) && !card.attention.more, first);
    await agent.asks();
    const second = await agent.allow();
    await agent.shows('gone', card => card.attention?.kind !== 'approval', second);
    await agent.shows('finished', done(agent.words(/Both are read/)));
  },
};
