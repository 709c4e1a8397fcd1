// Google's generateContent and streamGenerateContent, as much of them as Gemini CLI uses.
import { json, serverSentEvents } from './http.mjs';

const NOT_SAID = /^\s*(<session_context>|<hook_context>|This is the Gemini CLI)/;

function said(contents) {
  return contents.filter(({ role, parts = [] }) => role === 'user' && !parts.some(part => part.functionResponse))
    .flatMap(({ parts }) => parts.map(part => part.text ?? '')).filter(text => text && !NOT_SAID.test(text));
}

/** Gemini keeps plans in a directory that it tells the model, below the person's home. */
function plansDir(body, home) {
  return home + (/(\/\.gemini\/tmp\/[^\s"'`\\]*\/plans)\b/.exec(JSON.stringify(body))?.[1] ?? '/nonexistent');
}

const TOOLS = {
  shell: ({ command }) => ['run_shell_command', { command, description: 'Run it' }],
  read: ({ file }) => ['read_file', { file_path: file }],
  write: ({ file, text }) => ['write_file', { file_path: file, content: text }],
  question: ({ text, options }) => ['ask_user', { questions: [{
    question: text, header: 'Choice', type: 'choice', options: options.map(label => ({ label, description: `Take ${label}` })) }] }],
  parts: ({ list }) => ['ask_user', { questions: list.map(({ text, options, several = false }, i) => ({
    question: text, header: `Part ${i + 1}`, type: 'choice', multiSelect: several, options: options.map(label => ({ label, description: `Take ${label}` })) })) }],
  planFile: ({ text }, { body, home }) => ['write_file', { file_path: `${plansDir(body, home)}/plan.md`, content: text }],
  plan: () => ['exit_plan_mode', { plan_filename: 'plan.md' }],
  subagent: ({ prompt }) => ['invoke_agent', { agent_name: 'generalist', prompt }],
};

/** Something of each type that a schema asks for: Gemini CLI chooses models and edits by such answers. */
function fitting(schema = {}) {
  const value = ({ type = '', enum: choices }) =>
    choices ? choices[0] : /string/i.test(type) ? 'x' : /bool/i.test(type) ? false : /number|integer/i.test(type) ? 50 : null;
  return JSON.stringify(Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, shape]) => [name, value(shape)])));
}

let serial = 0;

/** Answers POST …:generateContent and …:streamGenerateContent. */
export async function generate(model, body, response, { stream }) {
  const { contents = [], tools = [], generationConfig: config = {} } = body;
  const names = tools.flatMap(tool => tool.functionDeclarations ?? []).map(declared => declared.name);
  const schema = config.responseJsonSchema ?? config.responseSchema;
  const turn = names.length ? await model.scripts.turn(said(contents)) : { say: schema ? fitting(schema) : 'The work so far, in short.', calls: [] };
  if (response.destroyed) return;
  if (turn.status) {
    json(response, turn.status, { error: { code: turn.status, message: 'The script says so.', status: turn.status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' } });
    return;
  }
  const parts = [{ text: turn.say }, ...turn.calls.map(wanted => {
    const [name, args] = TOOLS[wanted.kind](wanted, { body, home: model.home });
    return { functionCall: { name, args } };
  })];
  const answer = { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }], modelVersion: 'scripted', responseId: `r${++serial}`,
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 } };
  if (!stream) return json(response, 200, answer);
  serverSentEvents(response)(answer);
  response.end();
}
