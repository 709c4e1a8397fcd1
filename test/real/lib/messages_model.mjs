// A model that is none: Anthropic's Messages API on 127.0.0.1, as much of it as Claude Code needs. What it answers stands in the
// prompt, a step a line: "%bash COMMAND", "%task STEP;;STEP" (a subagent), and in the end "%say TEXT". What it was sent is kept.
import http from 'node:http';

const COMPACTION = /Your task is to create a detailed summary|CRITICAL: Respond with TEXT ONLY/;
export const SUMMARY = 'SUMMARY-MARK';

const blocksOf = message => (typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content);
const isOurs = block => block.type === 'text' && !/^\s*<(system-reminder|local-command|command-|task-notification)/.test(block.text);

/** The newest prompt, and how many of its steps were taken since. */
function stateOf(messages) {
  let prompt = '', taken = 0;
  for (const message of messages) {
    const blocks = blocksOf(message);
    const said = message.role === 'user' ? blocks.filter(isOurs) : [];
    if (said.length) [prompt, taken] = [said.at(-1).text, 0];
    if (message.role === 'assistant' && blocks.some(block => block.type === 'tool_use')) taken++;
  }
  return { prompt, taken };
}

function contentOf({ messages, tools = [] }, nextId) {
  const { prompt, taken } = stateOf(messages);
  if (COMPACTION.test(prompt)) return [{ type: 'text', text: `<analysis>x</analysis><summary>All so far: ${SUMMARY}.</summary>` }];
  if (!tools.length) return [{ type: 'text', text: '{"title":"A title"}' }];
  const steps = [...prompt.matchAll(/^%(bash|task) (.*)$/gm)], step = steps[taken];
  if (!step) return [{ type: 'text', text: /^%say (.*)$/m.exec(prompt)?.[1] ?? 'done' }];
  const names = tools.map(tool => tool.name);
  const call = step[1] === 'bash'
    ? { name: 'Bash', input: { command: step[2], description: 'A step' } }
    : { name: names.includes('Agent') ? 'Agent' : 'Task',
      input: { description: 'Sub work', prompt: step[2].replaceAll(';;', '\n'), subagent_type: 'general-purpose', run_in_background: false } };
  return [{ type: 'text', text: `step ${taken + 1}` }, { type: 'tool_use', id: nextId('toolu_'), ...call }];
}

function stream(response, message) {
  const { content, stop_reason } = message;
  const send = (type, body) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...body })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  content.forEach((block, index) => {
    const isText = block.type === 'text';
    send('content_block_start', { index, content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} } });
    send('content_block_delta', { index, delta: isText ? { type: 'text_delta', text: block.text } : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } });
    send('content_block_stop', { index });
  });
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } });
  send('message_stop', {});
  response.end();
}

async function readJson(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return {};
  }
}

/** {port, requests, close()}: `requests` are the bodies of all calls so far, with the `key` that the caller had. */
export async function startModel() {
  const requests = [];
  let serial = 0;
  const nextId = prefix => prefix + String(++serial).padStart(20, '0');
  const server = http.createServer(async (request, response) => {
    const body = await readJson(request), path = request.url.split('?')[0];
    const json = (status, value) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path.endsWith('/count_tokens')) return json(200, { input_tokens: 100 });
    if (!path.endsWith('/v1/messages')) return json(404, { type: 'error', error: { type: 'not_found_error', message: 'no such thing' } });
    requests.push({ key: request.headers['x-api-key'], body });
    const content = contentOf(body, nextId), stop_reason = content.at(-1).type === 'tool_use' ? 'tool_use' : 'end_turn';
    const message = { id: nextId('msg_'), type: 'message', role: 'assistant', model: body.model, content, stop_reason, stop_sequence: null,
      usage: { input_tokens: 100 + 50 * body.messages.length, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } };
    return body.stream ? stream(response, message) : json(200, message);
  });
  await new Promise(resolve => { server.listen(0, '127.0.0.1', resolve); });
  return { port: server.address().port, requests, close: () => new Promise(resolve => { server.close(resolve); server.closeAllConnections(); }) };
}
