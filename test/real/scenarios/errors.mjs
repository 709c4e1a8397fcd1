// The model does not answer: an error is never "your turn".
import { done, wants } from '../agent.mjs';
import { fail, hold, say } from '../model/script.mjs';

const broken = (status, title) => ({
  title, needs: `error${status}`,
  async play(stage) {
    stage.script('fail', [fail(status)]);
    stage.script('again', [say('It is made.')]);
    const agent = await stage.start();
    await agent.prompt('fail');
    const told = await agent.sees(stage.cli.errors[status]);
    await agent.shows('error shown', wants('error'), told);
    await agent.stays('the error stays', wants('error'), () => stage.pass(3000));
    await agent.prompt('again');
    await agent.shows('error gone', card => card.attention?.kind !== 'error');
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
});

/** Some try again for as long as it takes: the turn is not over, but a person may want to know. */
export const retried = {
  title: 'Error 500, tried again', needs: 'retries',
  async play(stage) {
    stage.script('fail', [fail(500, 4), hold('answer', say('It is made.'))]);
    const agent = await stage.start();
    await agent.prompt('fail');
    const told = await agent.sees(stage.cli.errors.retries);
    await agent.shows('error shown', card => wants('error')(card) && card.status === 'prompting', told);
    await stage.reached('answer');
    await stage.release('answer');
    const said = await agent.sees(/It is made/);
    await agent.shows('error gone', card => card.attention?.kind !== 'error', said);
    await agent.shows('finished', done(agent.words(/It is made/)));
  },
};

export const tooMany = broken(429, 'Error 429');
export const serverError = broken(500, 'Error 500');
export const badRequest = broken(400, 'Error 400');
