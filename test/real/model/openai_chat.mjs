// OpenAI's Chat Completions API, as much of it as opencode and Copilot use.
import { json, openaiError, serverSentEvents } from './http.mjs';

function said(messages) {
  return messages.filter(message => message.role === 'user')
    .flatMap(({ content }) => typeof content === 'string' ? [content] : (content ?? []).map(part => part.text ?? ''));
}

const either = (names, ...wanted) => wanted.find(name => names.includes(name)) ?? wanted[0];

/** Copilot keeps the plan of a conversation in a file that it tells the model. */
function planPath(body) {
  return /(\/[^\s"'`\\]*\/session-state\/[^\s"'`\\]*\/plan\.md)/.exec(JSON.stringify(body))?.[1] ?? '/nonexistent/plan.md';
}

const TOOLS = {
  shell: ({ command }, names) => [either(names, 'bash', 'shell'),
    { command, description: 'Run it', ...(names.includes('read_bash') && { sessionId: 'main', mode: 'sync', initial_wait: 120 }) }],
  read: ({ file }, names) => names.includes('view') ? ['view', { path: file }] : ['read', { filePath: file }],
  write: ({ file, text }, names) => names.includes('create') ? ['create', { path: file, file_text: text }] : ['write', { filePath: file, content: text }],
  question: ({ text, options }, names) => names.includes('ask_user')
    ? ['ask_user', { message: text, requestedSchema: { type: 'object', properties: { choice: { type: 'string', title: 'Choice', enum: options } }, required: ['choice'] } }]
    : ['question', { questions: [{ question: text, header: 'Choice', options: options.map(label => ({ label, description: `Take ${label}` })) }] }],
  parts: ({ list }, names) => names.includes('ask_user')
    ? ['ask_user', { message: 'Please choose', requestedSchema: { type: 'object', required: list.map((one, i) => `part${i + 1}`),
      properties: Object.fromEntries(list.map(({ text, options, several }, i) => [`part${i + 1}`,
        several ? { type: 'array', title: text, items: { type: 'string', enum: options } } : { type: 'string', title: text, enum: options }])) } }]
    : ['question', { questions: list.map(({ text, options, several = false }, i) =>
      ({ question: text, header: `Part ${i + 1}`, multiple: several, options: options.map(label => ({ label, description: `Take ${label}` })) })) }],
  planFile: ({ text }, names, body) => ['create', { path: planPath(body), file_text: text }],
  plan: ({ text }, names) => names.includes('exit_plan_mode')
    ? ['exit_plan_mode', { summary: text, actions: ['autopilot', 'interactive', 'exit_only'], recommendedAction: 'interactive' }] : ['plan_exit', {}],
  subagent: ({ prompt }, names) => ['task', { description: 'Look into it', prompt,
    ...(names.includes('read_bash') ? { name: 'look', agent_type: 'general-purpose', mode: 'sync' } : { subagent_type: 'general' }) }],
};

let serial = 0;

/** Answers POST /v1/chat/completions. */
export async function chat(model, body, response) {
  const names = (body.tools ?? []).map(tool => tool.function?.name);
  const turn = names.length ? await model.scripts.turn(said(body.messages ?? [])) : { say: 'Scripted work', calls: [] };
  if (response.destroyed) return;
  if (turn.status) {
    openaiError(response, turn.status);
    return;
  }
  const tool_calls = turn.calls.map((wanted, index) => {
    const [name, input] = TOOLS[wanted.kind](wanted, names, body);
    return { index, id: `call_${++serial}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  });
  const finish_reason = tool_calls.length ? 'tool_calls' : 'stop';
  const base = { id: `chatcmpl-${++serial}`, created: Math.floor(Date.now() / 1000), model: body.model };
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  if (!body.stream) {
    const message = { role: 'assistant', content: turn.say, ...(tool_calls.length && { tool_calls }) };
    json(response, 200, { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }], usage });
    return;
  }
  const send = serverSentEvents(response);
  const chunk = rest => send({ ...base, object: 'chat.completion.chunk', ...rest });
  chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: turn.say }, finish_reason: null }] });
  if (tool_calls.length) chunk({ choices: [{ index: 0, delta: { tool_calls }, finish_reason: null }] });
  chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
  chunk({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}
