// Answers from the inbox: what was decided there is what the agent does.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { done, resting, wants, working } from '../agent.mjs';
import { answer, asked, noHookWaits, over, setAway, toldDecision, toolResults, waitingHooks } from '../inbox.mjs';
import { call, hold, plan, planFile, questions, say, shell, subagent } from '../model/script.mjs';

const MAKE = [call(shell('touch made.txt', { ask: true })), hold('after', say('It is made.'))];
const made = (stage, name = 'made.txt') => fs.existsSync(path.join(stage.project, name));

/** Until it asks, and the board can answer. Where a hook keeps the dialog away, the person is. */
async function untilAsked(stage, turns = MAKE, { mode, dialog = stage.cli.dialog, prompt } = {}) {
  stage.script('make', turns);
  if (stage.cli.blocks) await setAway(stage, true);
  const agent = await stage.start('hosted', { mode });
  await agent.prompt('make', prompt);
  if (!stage.cli.blocks) await agent.sees(dialog);
  await agent.shows('asked', card => ['approval', 'question', 'plan'].includes(card.attention?.kind));
  return { agent, request: await asked(agent) };
}

/** It goes on, and says that it is through. */
async function goesOn(stage, agent, at, words = /It is made/) {
  await agent.shows('request gone', working, at);
  await stage.reached('after');
  await stage.release('after');
  await agent.shows('finished', done(agent.words(words)));
}

function checkMade(stage, is, name) {
  if (stage.live) assert.equal(made(stage, name), is, `${name ?? 'made.txt'}: ${is ? 'is not there' : 'is there'}`);
}

function checkResult(stage, pattern) {
  if (stage.live) assert.match(toolResults(stage).at(-1), pattern);
}

function checkTold(stage, decision) {
  if (!stage.live) assert.deepEqual(toldDecision(stage), decision);
}

export const allowedFromHere = {
  title: 'Allowed from the inbox', needs: 'answers',
  async play(stage) {
    const { agent, request } = await untilAsked(stage);
    assert.equal(request.via, 'hook');
    const { at } = await answer(agent, request, { decision: 'allow' });
    await goesOn(stage, agent, at);
    await over(agent, request, 'allowed');
    checkMade(stage, true);
    checkTold(stage, { behavior: 'allow' });
  },
};

export const deniedFromHere = {
  title: 'Denied from the inbox, with a reason', needs: 'answers',
  async play(stage) {
    const { agent, request } = await untilAsked(stage);
    const { at } = await answer(agent, request, { decision: 'deny', message: 'Not on a Friday.' });
    await goesOn(stage, agent, at);
    await over(agent, request, 'denied');
    checkMade(stage, false);
    checkResult(stage, /Not on a Friday\./);
    checkTold(stage, { behavior: 'deny', message: 'Not on a Friday.' });
  },
};

export const stoppedFromHere = {
  title: 'Denied and stopped', needs: 'answersMore',
  async play(stage) {
    const { agent, request } = await untilAsked(stage, [call(shell('touch made.txt', { ask: true })), say('It must not go on.')]);
    await answer(agent, request, { decision: 'deny', message: 'Not on a Friday.', stop: true });
    await agent.shows('it rests', resting);
    await over(agent, request, 'denied');
    await agent.stays('it rests', resting, () => stage.pass(2000));
    checkMade(stage, false);
    if (stage.live) assert.equal(stage.model.requests.filter(({ body }) => JSON.stringify(body).includes('Not on a Friday')).length, 0, 'the turn went on');
  },
};

export const editedFromHere = {
  title: 'Allowed with another command', needs: 'answersMore',
  async play(stage) {
    const { agent, request } = await untilAsked(stage);
    const { at } = await answer(agent, request, { decision: 'allow', input: { ...request.input, command: 'touch edited.txt' } });
    await goesOn(stage, agent, at);
    await over(agent, request, 'allowed');
    checkMade(stage, false);
    checkMade(stage, true, 'edited.txt');
  },
};

export const alwaysFromHere = {
  title: 'Allowed for always', needs: 'answersMore',
  async play(stage) {
    const again = call(shell('touch again.txt', { ask: true }));
    const { agent, request } = await untilAsked(stage, [MAKE[0], again, hold('after', say('It is made.'))]);
    const { at } = await answer(agent, request, { decision: 'always', rule: 'Bash(touch:*)', where: 'localSettings' });
    await goesOn(stage, agent, at);
    await over(agent, request, 'allowed');
    assert.equal((await stage.daemon.get('/api/approvals')).approvals.length, 1, 'the second call is not asked about');
    checkMade(stage, true);
    checkMade(stage, true, 'again.txt');
    if (stage.live) assert.match(fs.readFileSync(path.join(stage.project, '.claude/settings.local.json'), 'utf8'), /Bash\(touch:\*\)/);
  },
};

const ask = (question, labels, multiSelect = false) =>
  ({ question, header: 'Choice', multiSelect, options: labels.map(label => ({ label, description: `Take ${label}` })) });

export const questionFromHere = {
  title: 'A question, answered from the inbox', needs: 'answersMore',
  async play(stage) {
    const { agent, request } = await untilAsked(stage, [call(questions([ask('Which colour?', ['Red', 'Blue'])])), hold('after', say('It is made.'))],
      { dialog: stage.cli.question.dialog });
    assert.deepEqual(request.questions.map(one => one.question), ['Which colour?']);
    const { at } = await answer(agent, request, { decision: 'allow', answers: { 'Which colour?': 'Blue' } });
    await goesOn(stage, agent, at);
    await over(agent, request, 'allowed');
    checkResult(stage, /Which colour\?.*=.*Blue/);
  },
};

export const questionsFromHere = {
  title: 'Several questions at once', needs: 'answersMore',
  async play(stage) {
    const { agent, request } = await untilAsked(stage, [call(questions([
      ask('Which colour?', ['Red', 'Blue']), ask('Which sizes?', ['Small', 'Middle', 'Large'], true), ask('Which name?', ['Ada', 'Bob']),
    ])), hold('after', say('It is made.'))], { dialog: /Which colour/ });
    const { at } = await answer(agent, request, { decision: 'allow',
      answers: { 'Which colour?': 'Blue', 'Which sizes?': ['Small', 'Large'], 'Which name?': 'Somebody else, "Zoë"' } });
    await goesOn(stage, agent, at);
    await over(agent, request, 'allowed');
    checkResult(stage, /Which colour\?.*=.*Blue.*Which sizes\?.*=.*Small, Large.*Which name\?.*=.*Somebody else, .*Zoë/);
  },
};

const PLAN = [call(planFile('# The plan\n\n1. Make it.')), call(plan('# The plan\n\n1. Make it.'))];

const planned = (title, body, check) => ({
  title, needs: 'answersMore',
  async play(stage) {
    const { agent, request } = await untilAsked(stage, [...PLAN, hold('after', say('It is made.'))],
      { mode: 'planning', dialog: stage.cli.plan.dialog, prompt: stage.cli.plan.prompt });
    assert.equal(request.kind, 'plan');
    assert.ok(!body.mode || request.modes.includes(body.mode), request.modes.join());
    const { at } = await answer(agent, request, body);
    await goesOn(stage, agent, at);
    await over(agent, request, body.decision === 'deny' ? 'denied' : 'allowed');
    await check?.(stage, agent);
  },
});

const inMode = (mode, words) => async (stage, agent) => {
  checkResult(stage, /approved your plan/i);
  if (stage.live) await agent.sees(words);
};

export const planFromHere = planned('A plan, approved from the inbox', { decision: 'allow' }, stage => checkResult(stage, /approved your plan/i));
export const planByHand = planned('A plan, approved: ask before edits', { decision: 'allow', mode: 'default' }, inMode('default', /for shortcuts|manual mode on/));
export const planWithEdits = planned('A plan, approved: edits allowed', { decision: 'allow', mode: 'acceptEdits' }, inMode('acceptEdits', /accept edits on/));
export const planInAuto = planned('A plan, approved: auto mode', { decision: 'allow', mode: 'auto' }, inMode('auto', /auto mode on/));
export const planFeedback = planned('A plan, sent back with feedback', { decision: 'deny', message: 'Make two of them.' }, async (stage, agent) => {
  checkResult(stage, /Make two of them\./);
  if (stage.live) await agent.sees(/plan mode on/);
});

export const deskFirst = {
  title: 'Answered at the desk: gone from the inbox', needs: 'answersMore',
  async play(stage) {
    const { agent, request } = await untilAsked(stage);
    const at = await agent.allow();
    await goesOn(stage, agent, at);
    await over(agent, request, 'desk');
    checkMade(stage, true);
  },
};

/** A subagent's dialog does not show while its hook is asked: it is asked only while the person is away, and a key calls it back. */
async function untilSubagentAsks(stage, away) {
  stage.script('main', [call(subagent('Look into script-sub')), say('It is being looked into.'), say('All of it is done.')]);
  stage.script('sub', [call(shell('touch made.txt', { ask: true })), say('Looked into.')]);
  if (away) await setAway(stage, true);
  const agent = await stage.start();
  await agent.prompt('main');
  await agent.shows('approval shown', wants('approval', /touch made\.txt/));
  return agent;
}

export const subagentFromHere = {
  title: 'A subagent asks, answered from the inbox', needs: 'subagentAnswers',
  async play(stage) {
    const agent = await untilSubagentAsks(stage, true);
    const request = await asked(agent);
    assert.notEqual(request.agent, null);
    await answer(agent, request, { decision: 'allow' });
    await agent.shows('finished', done(agent.words(/All of it is done/)));
    await over(agent, request, 'allowed');
    checkMade(stage, true);
  },
};

export const subagentAtTheDesk = {
  title: 'A subagent asks somebody who is there', needs: 'subagentAnswers',
  async play(stage) {
    const agent = await untilSubagentAsks(stage, false);
    await agent.sees(stage.cli.dialog);
    const request = await asked(agent, one => one.via !== 'hook', 'one that no hook would bring an answer to');
    await agent.allow();
    await agent.shows('finished', done(agent.words(/All of it is done/)));
    await over(agent, request, 'desk');
    checkMade(stage, true);
  },
};

/** Any key in the terminal: somebody is back. */
async function comesBack(agent) {
  await agent.stage.deed('a key', async () => { agent.place.type(' '); });
  await agent.sees(agent.cli.dialog);
}

export const calledBack = {
  title: 'A key brings the dialog back', needs: 'blocks',
  async play(stage) {
    const { agent, request } = await untilAsked(stage);
    await comesBack(agent);
    await asked(agent, one => one.id === request.id && one.via !== 'hook', 'no hook would bring an answer');
    const at = await agent.allow();
    await goesOn(stage, agent, at);
    await over(agent, request, 'desk');
    checkMade(stage, true);
  },
};

export const notAway = {
  title: 'Somebody is there: not held', needs: 'blocks',
  async play(stage) {
    stage.script('make', MAKE);
    const agent = await stage.start();
    await agent.prompt('make');
    await agent.sees(stage.cli.dialog);
    const request = await asked(agent, one => one.via !== 'hook', 'one that no hook would bring an answer to');
    await noHookWaits(stage.home);
    const at = await agent.allow();
    await goesOn(stage, agent, at);
    await over(agent, request, 'desk');
    checkMade(stage, true);
  },
};

export const hookKilled = {
  title: 'The hook is killed: the dialog is there', needs: 'answers',
  async play(stage) {
    const { agent, request } = await untilAsked(stage);
    await stage.deed('kill the hook', async () => { for (const pid of waitingHooks(stage.home)) process.kill(pid, 'SIGKILL'); });
    await agent.sees(stage.cli.dialog);
    await asked(agent, one => one.id === request.id && one.via !== 'hook', 'no hook would bring an answer');
    const at = await agent.allow();
    await goesOn(stage, agent, at);
    await over(agent, request, 'desk');
    checkMade(stage, true);
  },
};

export const diedWithIt = {
  title: 'The daemon dies with an answer to come', needs: 'answers',
  async play(stage) {
    const { agent, request } = await untilAsked(stage);
    await stage.crash();
    await agent.sees(stage.cli.dialog);
    await noHookWaits(stage.home);
    await asked(agent, one => one.id === request.id && one.via !== 'hook', 'no hook would bring an answer');
    const at = await agent.allow();
    await goesOn(stage, agent, at);
    await over(agent, request, 'desk');
    checkMade(stage, true);
  },
};
