// The model does not answer: an error is never "your turn".
import { done, wants } from '../agent.mjs';
import { fail, say } from '../model/script.mjs';

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

export const tooMany = broken(429, 'Error 429');
export const serverError = broken(500, 'Error 500');
export const badRequest = broken(400, 'Error 400');
