// What a person does from the inbox, and what must be true of it: requests by agent, answers over the API, hooks that wait.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { gone } from '../e2e/lib/keeper.mjs';

/** The processes of our hook that wait for an answer, of one home. */
export function waitingHooks(home) {
  return fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
    try {
      const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return path.basename(words[0]).startsWith('ostler-hook') && words.includes('--reply') &&
        fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  }).map(Number);
}

/** Waits until no hook waits any more. */
export const noHookWaits = home => Promise.all(waitingHooks(home).map(gone));

/** What the agent asks, once it can be answered. */
export function asked(agent, condition = one => one.can.length > 0, what = 'a request that can be answered') {
  return agent.stage.timeline.approval(one => one.state === 'open' && one.session === agent.card?.id && condition(one), what);
}

/** Answers from here; it must be taken. */
export async function answer(agent, request, body) {
  const { stage } = agent;
  let result;
  await stage.deed(`answer ${body.decision}`, async () => {
    const response = await stage.daemon.fetch(`/api/approvals/${request.id}`, { method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ digest: request.digest, ...body }) });
    result = { status: response.status, ...await response.json() };
  });
  assert.equal(result.status, 200, JSON.stringify(result));
  return { at: Date.now(), ...result };
}

/** The request is over in this way, there is none left, and nobody waits. */
export async function over(agent, request, state) {
  const { stage } = agent;
  const found = await stage.timeline.approval(one => one.id === request.id && one.state !== 'open', `the end of ${request.id}`);
  assert.equal(found.state, state);
  assert.equal(found.by === null, !['allowed', 'denied'].includes(state), `by: ${found.by}`);
  await noHookWaits(stage.home);
  const { approvals } = await stage.daemon.get('/api/approvals');
  assert.deepEqual(approvals.filter(one => one.state === 'open'), []);
  return found;
}

/** Is the person away? */
export async function setAway(stage, away) {
  const response = await stage.daemon.fetch('/api/away', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ away }) });
  assert.equal(response.status, 200);
}

/** The decision that the CLI was told last, from a replay; null where a real CLI read it. */
export function toldDecision(stage) {
  if (stage.live) return null;
  const lines = fs.readFileSync(path.join(stage.home, 'hook-said.jsonl'), 'utf8').trimEnd().split('\n').map(line => JSON.parse(line));
  return JSON.parse(lines.at(-1).said).hookSpecificOutput.decision;
}

/** What tools gave back to the model: texts, oldest first. Null in a replay. */
export function toolResults(stage) {
  if (!stage.live) return null;
  const request = stage.model.requests.findLast(({ path: where, body }) => /messages$|responses$/.test(where) && (body.tools?.length ?? 0) > 0);
  const text = content => typeof content === 'string' ? content : JSON.stringify(content);
  const anthropic = (request?.body.messages ?? []).flatMap(message => Array.isArray(message.content) ? message.content : [])
    .filter(block => block.type === 'tool_result').map(block => text(block.content));
  const openai = (Array.isArray(request?.body.input) ? request.body.input : []).filter(item => item.type === 'function_call_output').map(item => text(item.output));
  return [...anthropic, ...openai];
}
