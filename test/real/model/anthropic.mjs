// Anthropic's Messages API, as much of it as Claude Code uses.
import { json, serverSentEvents } from './http.mjs';

/** What is in a person's message but was not said by them. */
const NOT_SAID = /^\s*(<(system-reminder|local-command|command-name|bash-|task-notification)|\[Request interrupted|Caveat:)/;
const SUMMARY = /Your task is to create a detailed summary/;

const blocks = content => typeof content === 'string' ? [{ type: 'text', text: content }] : content ?? [];
const texts = message => blocks(message.content).filter(block => block.type === 'text').map(block => block.text);

export function said(messages) {
  return messages.filter(message => message.role === 'user').flatMap(texts).filter(text => !NOT_SAID.test(text));
}

/** Claude Code writes its plans to a file whose name it tells the model. */
function planPath(body) {
  return /(\/[^\s"'`\\]*\.claude\/plans\/[\w.-]+\.md)/.exec(JSON.stringify(body))?.[1] ?? '/nonexistent/plan.md';
}

const TOOLS = {
  shell: ({ command, background }) => ['Bash', { command, description: 'Run it', ...(background && { run_in_background: true }) }],
  read: ({ file }) => ['Read', { file_path: file }],
  write: ({ file, text }) => ['Write', { file_path: file, content: text }],
  fetch: ({ url }) => ['WebFetch', { url, prompt: 'What is there?' }],
  question: ({ text, options }) => ['AskUserQuestion', { questions: [{
    question: text, header: 'Choice', multiSelect: false, options: options.map(label => ({ label, description: `Take ${label}` })) }] }],
  questions: ({ questions }) => ['AskUserQuestion', { questions }],
  parts: ({ list }) => ['AskUserQuestion', { questions: list.map(({ text, options, several = false }, i) => ({
    question: text, header: `Part ${i + 1}`, multiSelect: several, options: options.map(label => ({ label, description: `Take ${label}` })) })) }],
  planFile: ({ text }, body) => ['Write', { file_path: planPath(body), content: text }],
  plan: ({ text }) => ['ExitPlanMode', { plan: text }],
  subagent: ({ prompt }, body) => [body.tools.some(tool => tool.name === 'Agent') ? 'Agent' : 'Task',
    { description: 'Look into it', prompt, subagent_type: 'general-purpose' }],
};

const ERRORS = { 429: 'rate_limit_error', 529: 'overloaded_error', 401: 'authentication_error', 500: 'api_error' };
let serial = 0;
const nextId = prefix => `${prefix}_${String(++serial).padStart(20, '0')}`;

/** Answers POST /v1/messages. */
export async function messages(model, body, response) {
  const { messages: list = [], tools = [], stream } = body, spoken = said(list);
  const own = tools.length > 0 && !SUMMARY.test(texts(list.at(-1) ?? {}).join('\n'));
  const turn = own ? await model.scripts.turn(spoken) : { say: aside(list), calls: [] };
  if (response.destroyed) return;
  if (turn.status) {
    json(response, turn.status, { type: 'error', error: { type: ERRORS[turn.status] ?? 'invalid_request_error', message: 'The script says so.' } });
    return;
  }
  const content = [{ type: 'text', text: turn.say }, ...turn.calls.map(wanted => {
    const [name, input] = TOOLS[wanted.kind](wanted, body);
    return { type: 'tool_use', id: nextId('toolu'), name, input };
  })];
  const message = { id: nextId('msg'), type: 'message', role: 'assistant', model: body.model, stop_sequence: null,
    usage: { input_tokens: 100 + 50 * list.length, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } };
  const stop_reason = turn.calls.length ? 'tool_use' : 'end_turn';
  if (stream) streamed(response, message, content, stop_reason);
  else json(response, 200, { ...message, content, stop_reason });
}

/** Titles, summaries and the like, which CLIs ask for beside the conversation. */
function aside(list) {
  return SUMMARY.test(texts(list.at(-1) ?? {}).join('\n'))
    ? '<analysis>It went well.</analysis><summary>The work so far, in short.</summary>' : '{"title":"Scripted work","isNewTopic":true}';
}

function streamed(response, message, content, stop_reason) {
  const send = serverSentEvents(response, { named: true });
  send({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
  content.forEach((block, index) => {
    const [empty, delta] = block.type === 'text'
      ? [{ type: 'text', text: '' }, { type: 'text_delta', text: block.text }]
      : [{ ...block, input: {} }, { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }];
    send({ type: 'content_block_start', index, content_block: empty });
    send({ type: 'content_block_delta', index, delta });
    send({ type: 'content_block_stop', index });
  });
  send({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
  send({ type: 'message_stop' });
  response.end();
}
