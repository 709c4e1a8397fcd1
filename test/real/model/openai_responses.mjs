// OpenAI's Responses API, as much of it as Codex uses.
import { json, openaiError, serverSentEvents } from './http.mjs';

/** What Codex puts among a person's messages. */
const NOT_SAID = /^\s*(<(environment_context|user_instructions|turn_aborted|permissions|collaboration|skills|INSTRUCTIONS)|# AGENTS\.md)/;

function said(input) {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input ?? [];
  return items.filter(item => item.role === 'user')
    .flatMap(item => typeof item.content === 'string' ? [item.content] : (item.content ?? []).map(part => part.text ?? ''))
    .filter(text => !NOT_SAID.test(text));
}

/** `ask`: outside of the sandbox, which is what Codex asks a person about. */
function shellCall({ command, ask }, names) {
  const outside = ask && { sandbox_permissions: 'require_escalated', justification: 'The script wants it' };
  if (names.includes('exec_command')) return ['exec_command', { cmd: command, yield_time_ms: 30_000, ...outside }];
  if (names.includes('shell_command')) return ['shell_command', { command, ...outside }];
  if (names.includes('bash')) return ['bash', { command, description: 'Run it', sessionId: 'main', async: false }];
  return ['shell', { command: ['bash', '-lc', command], ...outside }];
}

const TOOLS = {
  shell: shellCall,
  read: ({ file }, names) => shellCall({ command: `cat ${file}` }, names),
  write: ({ file, text }, names) => shellCall({ command: `printf %s '${text}' > ${file}`, ask: true }, names),
  question: ({ text, options }) => ['request_user_input', { questions: [{
    id: 'choice', header: 'Choice', question: text, options: options.map(label => ({ label, description: `Take ${label}` })) }] }],
  parts: ({ list }) => ['request_user_input', { questions: list.map(({ text, options }, i) => ({
    id: `part${i + 1}`, header: `Part ${i + 1}`, question: text, options: options.map(label => ({ label, description: `Take ${label}` })) })) }],
  plan: ({ text }) => ['update_plan', { plan: [{ step: text, status: 'pending' }] }],
  subagent: ({ prompt }) => ['spawn_agent', { message: prompt }],
  wait: ({ session }) => ['write_stdin', { session_id: session, chars: '', yield_time_ms: 30_000 }],
};

/** A command that goes on for more than half a minute is waited for with another call: Codex never waits longer in one. */
function longer(input) {
  const { type, output } = Array.isArray(input) ? input.at(-1) ?? {} : {};
  const text = type === 'function_call_output' ? typeof output === 'string' ? output : JSON.stringify(output) : '';
  const session = text.match(/Process running with session ID (\d+)/)?.[1];
  return session && { say: 'It goes on.', calls: [{ kind: 'wait', session: Number(session) }] };
}

let serial = 0;

/** Answers POST /v1/responses. */
export async function responses(model, body, response) {
  const names = (body.tools ?? []).map(tool => tool.name ?? tool.type);
  const turn = longer(body.input) ?? await model.scripts.turn(said(body.input));
  if (response.destroyed) return;
  if (turn.status) {
    openaiError(response, turn.status);
    return;
  }
  const output = [
    { type: 'message', role: 'assistant', id: `msg_${++serial}`, status: 'completed', content: [{ type: 'output_text', text: turn.say, annotations: [] }] },
    ...turn.calls.map(wanted => {
      const [name, input] = TOOLS[wanted.kind](wanted, names);
      return { type: 'function_call', id: `fc_${++serial}`, call_id: `call_${serial}`, name, arguments: JSON.stringify(input), status: 'completed' };
    })];
  const whole = { id: `resp_${++serial}`, object: 'response', created_at: Math.floor(Date.now() / 1000), status: 'completed', model: body.model, output,
    parallel_tool_calls: true, tool_choice: 'auto', tools: [], error: null,
    usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 0 }, output_tokens: 10, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 110 } };
  if (body.stream) streamed(response, whole);
  else json(response, 200, whole);
}

function streamed(response, whole) {
  const write = serverSentEvents(response, { named: true });
  let sequence = 0;
  const send = (type, rest) => write({ type, sequence_number: sequence++, ...rest });
  send('response.created', { response: { ...whole, status: 'in_progress', output: [], usage: null } });
  whole.output.forEach((item, output_index) => {
    const place = { item_id: item.id, output_index };
    if (item.type === 'message') {
      const [part] = item.content;
      send('response.output_item.added', { output_index, item: { ...item, content: [], status: 'in_progress' } });
      send('response.content_part.added', { ...place, content_index: 0, part: { ...part, text: '' } });
      send('response.output_text.delta', { ...place, content_index: 0, delta: part.text });
      send('response.output_text.done', { ...place, content_index: 0, text: part.text });
      send('response.content_part.done', { ...place, content_index: 0, part });
    } else {
      send('response.output_item.added', { output_index, item: { ...item, arguments: '', status: 'in_progress' } });
      send('response.function_call_arguments.delta', { ...place, delta: item.arguments });
      send('response.function_call_arguments.done', { ...place, arguments: item.arguments });
    }
    send('response.output_item.done', { output_index, item });
  });
  send('response.completed', { response: whole });
  response.end();
}
