// Requests answered from anywhere: what the hook prints, word for word, and what becomes of each request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, ask, Asking, away, Inbox, send } from './lib/asking.mjs';
import { Board } from './lib/board.mjs';
import { startDaemon } from './lib/daemon.mjs';
import { runHook } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

const BASH = { command: 'npm test', description: 'Run the tests' };
const SUGGESTIONS = [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }], behavior: 'allow', destination: 'localSettings' }];

async function stage(t, options) {
  const daemon = await startDaemon(t, options);
  return { daemon, inbox: await Inbox.open(t, daemon, { Board }) };
}

const decided = decision => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

/** Gives the answer, and holds hook, reply and end to it. */
async function decide(inbox, daemon, { asking, request }, body, decision) {
  const state = body.decision === 'deny' ? 'denied' : 'allowed';
  assert.deepEqual(await answer(daemon, request.id, { digest: request.digest, ...body }), { status: 200, ok: true, id: request.id, state });
  assert.deepEqual(await asking.answer(), decided(decision));
  const ended = await inbox.ended(request.id);
  assert.deepEqual([ended.state, typeof ended.by, ended.answer, ended.can], [state, 'string', null, []]);
}

test('Claude Code: a command is allowed, denied, denied with words, stopped', async t => {
  const { daemon, inbox } = await stage(t);
  const cases = [
    [{ decision: 'allow' }, { behavior: 'allow' }],
    [{ decision: 'deny' }, { behavior: 'deny', message: 'The user said no.' }],
    [{ decision: 'deny', message: 'use "make"\n\u{1f600} instead' }, { behavior: 'deny', message: 'use "make"\n\u{1f600} instead' }],
    [{ decision: 'deny', message: 'enough', stop: true }, { behavior: 'deny', message: 'enough', interrupt: true }],
    [{ decision: 'deny', stop: true }, { behavior: 'deny', message: 'The user said no.', interrupt: true }],
  ];
  for (const [body, decision] of cases) {
    const asked = await ask(t, daemon, inbox, 'Bash', BASH, { fields: { permission_suggestions: SUGGESTIONS } });
    const { request } = asked;
    assert.deepEqual([request.kind, request.tool, request.form, request.certain, request.via, request.cli], ['approval', 'Bash', 'command', true, 'hook', 'claude']);
    assert.deepEqual(request.can, ['allow', 'deny', 'always', 'message', 'stop', 'input', 'rule']);
    assert.deepEqual([request.input, request.detail, request.rules[0]], [BASH, 'npm test', { rule: 'Bash(npm test:*)', where: 'localSettings' }]);
    await decide(inbox, daemon, asked, body, decision);
  }
});

test('Claude Code: always, with the rule as suggested, edited, or several of them', async t => {
  const { daemon, inbox } = await stage(t);
  const rule = (content, destination = 'localSettings', toolName = 'Bash') =>
    ({ type: 'addRules', rules: [{ toolName, ...(content && { ruleContent: content }) }], behavior: 'allow', destination });
  const cases = [
    [BASH, SUGGESTIONS, {}, [rule('npm test:*')]],
    [BASH, SUGGESTIONS, { rule: 'Bash(npm run:*)', where: 'projectSettings' }, [rule('npm run:*', 'projectSettings')]],
    [BASH, SUGGESTIONS, { rule: ['Bash(a:*)', 'Read'], where: 'session' }, [rule('a:*', 'session'), rule('', 'session', 'Read')]],
    [{ command: 'cd web && npm test | tee log' }, undefined, {}, [rule('cd:*'), rule('npm test:*'), rule('tee:*')]],
    [BASH, [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }, { type: 'addDirectories', directories: ['/tmp/w'], destination: 'session' }],
      { rule: ['Mode(acceptEdits)', 'Directory(/tmp/w)'], where: 'session' },
      [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }, { type: 'addDirectories', directories: ['/tmp/w'], destination: 'session' }]],
  ];
  for (const [input, permission_suggestions, body, updatedPermissions] of cases) {
    const asked = await ask(t, daemon, inbox, 'Bash', input, { fields: { permission_suggestions } });
    await decide(inbox, daemon, asked, { decision: 'always', ...body }, { behavior: 'allow', updatedPermissions });
  }
});

test('Claude Code: an edited input, whole and byte by byte', async t => {
  const { daemon, inbox } = await stage(t);
  const input = { command: 'npm test -- --only \u{1f40e} "a\\b"', description: 'x', timeout: 1.5e3, nested: { a: [1, null, true] } };
  const asked = await ask(t, daemon, inbox, 'Bash', BASH);
  await decide(inbox, daemon, asked, { decision: 'allow', input }, { behavior: 'allow', updatedInput: input });
  const edit = await ask(t, daemon, inbox, 'Edit', { file_path: '/x/a.js', old_string: 'one\ntwo\n', new_string: 'one\n2\n' });
  assert.deepEqual([edit.request.form, edit.request.detail], ['diff', '/x/a.js\n one\n-two\n+2']);
  await decide(inbox, daemon, edit, { decision: 'allow' }, { behavior: 'allow' });
});

const QUESTIONS = [
  { question: 'Which colour?', header: 'Colour', multiSelect: false, options: [{ label: 'Red', description: 'like a fox' }, { label: 'Blue', description: '' }] },
  { question: 'What = to "eat"?', header: 'Food', multiSelect: true, options: [{ label: 'Hay', description: 'dry' }, { label: 'Oats, rolled', description: 'wet' }] },
];

test('Claude Code: questions, several, of which many options may be chosen, or text of one\'s own', async t => {
  const { daemon, inbox } = await stage(t);
  const cases = [
    [{ 'Which colour?': 'Blue', 'What = to "eat"?': ['Hay', 'Oats, rolled'] }, { 'Which colour?': 'Blue', 'What = to "eat"?': 'Hay, Oats, rolled' }],
    [{ 'Which colour?': 'none, \u202eplease\n', 'What = to "eat"?': 'Hay' }, { 'Which colour?': 'none, \u202eplease\n', 'What = to "eat"?': 'Hay' }],
  ];
  for (const [answers, told] of cases) {
    const asked = await ask(t, daemon, inbox, 'AskUserQuestion', { questions: QUESTIONS, metadata: { source: 'x' } });
    assert.deepEqual([asked.request.kind, asked.request.can, asked.request.questions], ['question', ['deny', 'message', 'stop', 'answers'], QUESTIONS]);
    for (const bad of [{ decision: 'allow' }, { decision: 'allow', answers: { 'Which colour?': 'Red' } }, { decision: 'allow', answers: { ...answers, More: 'x' } },
      { decision: 'allow', answers: { ...answers, 'Which colour?': 7 } }, { decision: 'allow', answers: { ...answers, 'Which colour?': [] } }])
      assert.equal((await answer(daemon, asked.request.id, { digest: asked.request.digest, ...bad })).status, 400, JSON.stringify(bad));
    await decide(inbox, daemon, asked, { decision: 'allow', answers }, { behavior: 'allow', updatedInput: { questions: QUESTIONS, metadata: { source: 'x' }, answers: told } });
  }
  const refused = await ask(t, daemon, inbox, 'AskUserQuestion', { questions: QUESTIONS });
  await decide(inbox, daemon, refused, { decision: 'deny', message: 'Decide yourself.' }, { behavior: 'deny', message: 'Decide yourself.' });
});

test('Claude Code: a plan is approved with the mode to go on in, or sent back', async t => {
  const { daemon, inbox } = await stage(t);
  const plan = { plan: '# Mend the fence\n\n1. Nails\n2. Hammer' };
  const first = await ask(t, daemon, inbox, 'ExitPlanMode', plan);
  assert.deepEqual([first.request.kind, first.request.can, first.request.modes], ['plan', ['allow', 'deny', 'message', 'stop', 'mode'], ['default', 'acceptEdits', 'auto']]);
  assert.deepEqual([first.request.form, first.request.detail], ['markdown', plan.plan]);
  await decide(inbox, daemon, first, { decision: 'allow' }, { behavior: 'allow', updatedInput: plan });
  const second = await ask(t, daemon, inbox, 'ExitPlanMode', plan);
  assert.equal((await answer(daemon, second.request.id, { decision: 'allow', mode: 'bypassPermissions' })).status, 400);
  await decide(inbox, daemon, second, { decision: 'allow', mode: 'acceptEdits' },
    { behavior: 'allow', updatedInput: plan, updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] });
  const third = await ask(t, daemon, inbox, 'ExitPlanMode', plan);
  await decide(inbox, daemon, third, { decision: 'deny', message: 'Screws, not nails.' }, { behavior: 'deny', message: 'Screws, not nails.' });
});

test('Codex: held only while the person is away, and told what it understands', async t => {
  const { daemon, inbox } = await stage(t);
  const payload = agent => ({ ...agent.event('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'make', description: 'Build' } }), turn_id: 'turn-1', model: 'gpt-5.1-codex' });
  const here = new Agent();
  await runHook(daemon.home, here.start(), { args: ['--cli', 'codex'] });
  const silent = new Asking(t, daemon.home, payload(here), { cli: 'codex' });
  await silent.silence();
  const unanswered = await inbox.request(r => r.sessionId === here.id && r.state === 'open');
  assert.deepEqual([unanswered.can, unanswered.via], [[], null]);
  assert.match(unanswered.why, /away/);
  assert.equal((await answer(daemon, unanswered.id, { decision: 'allow', digest: unanswered.digest })).status, 409);
  assert.equal((await away(daemon, true)).status, 200);
  for (const [body, decision] of [[{ decision: 'allow' }, { behavior: 'allow' }], [{ decision: 'deny', message: 'no' }, { behavior: 'deny', message: 'no' }]]) {
    const asked = await ask(t, daemon, inbox, 'Bash', { command: 'make' }, { cli: 'codex', fields: { turn_id: 'turn-1', model: 'gpt-5.1-codex' } });
    assert.deepEqual(asked.request.can, ['allow', 'deny', 'message']);
    for (const bad of [{ decision: 'always' }, { decision: 'deny', stop: true }, { decision: 'allow', input: {} }])
      assert.equal((await answer(daemon, asked.request.id, { digest: asked.request.digest, ...bad })).status, 409, JSON.stringify(bad));
    await decide(inbox, daemon, asked, body, decision);
  }
  // Back again: whoever waits shows its own dialog.
  const waiting = await ask(t, daemon, inbox, 'Bash', { command: 'make' }, { cli: 'codex' });
  assert.equal((await away(daemon, false)).status, 200);
  await waiting.asking.silence();
  const released = await inbox.request(r => r.id === waiting.request.id && r.can.length === 0);
  assert.deepEqual([released.state, released.via], ['open', null]);
});

test('what cannot be: unknown, ended and changed requests, wrong digests, what they do not take, what nobody understands', async t => {
  const { daemon, inbox } = await stage(t);
  const asked = await ask(t, daemon, inbox, 'Bash', BASH);
  const { id, digest } = asked.request;
  for (const unknown of ['r', 'r1', 'r-1', 'x'.repeat(4000), `${id}0`, id.toUpperCase(), '\u202e'])
    assert.equal((await answer(daemon, unknown, { decision: 'allow' })).status, 404, unknown.slice(0, 20));
  assert.equal((await answer(daemon, '../approvals', { decision: 'allow' })).status, 400);
  const malformed = ['', '[]', '{', 'null', '7', '{"decision":"allow"', '{}', '{"decision":null}', '{"decision":"maybe"}', '{"decision":""}', '{"decision":"none"}',
    '{"decision":["allow"]}', '{"decision":"allow","input":[]}', '{"decision":"allow","input":"x"}', '{"decision":"allow","answers":[]}',
    '{"decision":"deny","message":7}', '{"decision":"deny","stop":"yes"}', '{"decision":"always","rule":{}}', '{"decision":"always","rule":[1]}',
    '{"decision":"deny","message":"\\u0000"}', '{"decision":"deny","message":"\\ud800"}', '{"decision":"allow","digest":7}',
    `{"decision":"always","rule":${JSON.stringify(Array(9).fill('Read'))}}`, `{"decision":"deny","message":"${'m'.repeat(16001)}"}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`, `{"decision":"allow","input":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}`];
  for (const body of malformed) assert.equal((await answer(daemon, id, body)).status, 400, body.slice(0, 60));
  for (const [body, status] of [[{ decision: 'allow', digest: 'other' }, 409], [{ decision: 'allow', digest: digest.toUpperCase() + 'x' }, 409],
    [{ decision: 'allow', answers: { a: 'b' } }, 409], [{ decision: 'allow', mode: 'auto' }, 409], [{ decision: 'retry' }, 400],
    [{ decision: 'allow', message: 'why not' }, 400], [{ decision: 'allow', stop: true }, 400], [{ decision: 'allow', rule: 'Read' }, 400],
    [{ decision: 'deny', input: {} }, 400], [{ decision: 'always', rule: 'no rule (' }, 400], [{ decision: 'always', rule: 'Bash(x)', where: 'nowhere' }, 400],
    [{ decision: 'always', rule: 'Bash(a\u0007b)' }, 400], [{ decision: 'always', rule: '' }, 400]]) {
    const refused = await answer(daemon, id, body);
    assert.equal(refused.status, status, `${JSON.stringify(body)}: ${JSON.stringify(refused)}`);
    assert.equal(typeof refused.error, 'string');
  }
  assert.equal((await send(daemon, 'POST', `/api/approvals/${id}`, 'x'.repeat(20 << 20))).status, 413);
  assert.ok(asked.asking.running, 'nothing of that was told to the agent');
  await decide(inbox, daemon, asked, { decision: 'allow' }, { behavior: 'allow' });
  const late = await answer(daemon, id, { decision: 'deny', digest });
  assert.deepEqual([late.status, late.state], [409, 'allowed']);
  assert.match(late.error, /too late/);
});

test('a request that has changed since somebody looked is not answered', async t => {
  const { daemon, inbox } = await stage(t);
  const agent = new Agent();
  await runHook(daemon.home, agent.start());
  await runHook(daemon.home, agent.prompt('Clean up'));
  await runHook(daemon.home, agent.notification('permission_prompt', 'Claude needs your permission'));
  const vague = await inbox.request(r => r.sessionId === agent.id && r.state === 'open');
  const payload = agent.event('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm -rf /' } });
  const asking = new Asking(t, daemon.home, payload);
  const clear = await inbox.request(r => r.id === vague.id && r.can.length > 0);
  assert.notEqual(clear.digest, vague.digest);
  for (const body of [{ decision: 'allow', digest: vague.digest }, { decision: 'allow' }]) {
    const refused = await answer(daemon, vague.id, body);
    assert.deepEqual([refused.status, refused.state], [409, 'open'], JSON.stringify(refused));
    assert.match(refused.error, /changed/);
  }
  await decide(inbox, daemon, { asking, request: clear }, { decision: 'deny' }, { behavior: 'deny', message: 'The user said no.' });
});

test('two devices at once: one is told yes, the hook prints once', async t => {
  const { daemon, inbox } = await stage(t);
  for (let round = 0; round < 10; round++) {
    const asked = await ask(t, daemon, inbox, 'Bash', BASH);
    const { id, digest } = asked.request;
    const bodies = [{ decision: 'allow', digest }, { decision: 'deny', message: 'second', digest }, { decision: 'allow', digest }, { decision: 'deny', message: 'fourth', digest }];
    const answers = await Promise.all(bodies.map(body => answer(daemon, id, body)));
    const winners = answers.flatMap((a, i) => (a.status === 200 ? [i] : []));
    assert.equal(winners.length, 1, JSON.stringify(answers));
    for (const [i, a] of answers.entries()) if (i !== winners[0]) assert.equal(a.status, 409, JSON.stringify(a));
    const won = bodies[winners[0]];
    assert.deepEqual(await asked.asking.answer(), decided(won.decision === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: won.message }));
    assert.equal((await inbox.ended(id)).state, won.decision === 'allow' ? 'allowed' : 'denied');
  }
});

test('answered at the desk: the hook is gone, silently, and everybody sees it', async t => {
  const { daemon, inbox } = await stage(t);
  const ways = {
    'the tool has run': agent => agent.post('Bash', BASH),
    'the tool was refused': agent => agent.fail('Bash', BASH, 'The user doesn\'t want to proceed'),
    'another prompt': agent => agent.prompt('Never mind'),
    'its turn ends': agent => agent.stop(),
  };
  for (const [what, event] of Object.entries(ways)) {
    const asked = await ask(t, daemon, inbox, 'Bash', BASH);
    await runHook(daemon.home, event(asked.agent));
    await asked.asking.silence();
    const ended = await inbox.ended(asked.request.id);
    assert.deepEqual([ended.state, ended.by], ['desk', null], what);
    assert.deepEqual((await answer(daemon, asked.request.id, { decision: 'allow', digest: asked.request.digest })).status, 409, what);
  }
  const asked = await ask(t, daemon, inbox, 'Bash', BASH);
  await runHook(daemon.home, asked.agent.end());
  await asked.asking.silence();
  assert.equal((await inbox.ended(asked.request.id)).state, 'gone');
});

test('over the socket: requests, answers and their outcome; who falls behind gets everything again', async t => {
  const { daemon, inbox } = await stage(t);
  const other = await Inbox.open(t, daemon, { Board });
  const asked = await ask(t, daemon, inbox, 'Bash', BASH);
  const { id, digest } = asked.request;
  const said = async message => {
    const from = inbox.board.messages.length;
    inbox.board.send({ type: 'answer', ...message });
    return inbox.board.waitFor(m => m.type === 'answered' && JSON.stringify(m.ref) === JSON.stringify(message.ref), { from });
  };
  assert.deepEqual(await said({ id: 'r0', decision: 'allow', ref: 1 }),
    { type: 'answered', id: 'r0', ref: 1, ok: false, status: 404, error: 'there is no such request: it may have ended long ago' });
  const wrong = await said({ id, decision: 'allow', digest: 'x', ref: { a: 'b' } });
  assert.deepEqual([wrong.ok, wrong.status, wrong.state], [false, 409, 'open']);
  assert.deepEqual(await said({ id, decision: 'deny', digest, message: 'no', ref: 'three' }), { type: 'answered', id, ref: 'three', ok: true, status: 200, state: 'denied' });
  assert.deepEqual(await asked.asking.answer(), decided({ behavior: 'deny', message: 'no' }));
  assert.equal((await other.ended(id)).state, 'denied');
  inbox.board.send({ type: 'inbox', on: false });
  await answer(daemon, 'r0', {});
  assert.equal((await away(daemon, true)).status, 200);
  await other.until(() => other.board.messages.find(m => m.type === 'away' && m.away.away), 'away');
  assert.ok(!inbox.board.messages.some(m => m.type === 'away'), 'who wants no inbox gets none');
});
