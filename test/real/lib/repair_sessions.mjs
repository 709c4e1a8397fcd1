// Real sessions of Claude Code to be broken, and what it sends to the model when a broken one is resumed.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { SUMMARY } from './messages_model.mjs';

const TOOLS = ['--allowedTools', 'Bash,Task,Agent'];
const bashTurn = n => `TURN-${n}\n%bash echo turn${n}\n%say ANSWER-${n}`;
const taskTurn = n => `TURN-${n}\n%task SUB-${n};;%bash echo sub${n};;%say SUBDONE-${n}\n%say ANSWER-${n}`;

/** What is said in each, and to which of its turns a break happens. */
export const SESSIONS = {
  plain: { prompts: [1, 2, 3, 4, 5].map(bashTurn), turn: 3 },
  compacted: { prompts: [bashTurn(1), bashTurn(2), '/compact', bashTurn(3), bashTurn(4), bashTurn(5)], turn: 4 },
  subagents: { prompts: [bashTurn(1), taskTurn(2), taskTurn(3), taskTurn(4)], turn: 3 },
};

/** Has the session and returns its id. */
export async function haveSession(claude, prompts) {
  const id = randomUUID();
  for (const [i, prompt] of prompts.entries()) {
    const { code, stdout, stderr } = await claude('-p', prompt, i ? '--resume' : '--session-id', id, ...TOOLS);
    if (code) throw new Error(`Claude Code ended with ${code}: ${stdout}${stderr}`);
  }
  return id;
}

/** Puts a transcript there as a session of its own, with the files of the subagents that `of` had; its path and id. */
export function putSession(dir, of, text) {
  const id = randomUUID(), file = path.join(dir, `${id}.jsonl`);
  fs.writeFileSync(file, text.replaceAll(of, id), { mode: 0o600 });
  const extra = path.join(dir, of);
  if (fs.existsSync(extra)) fs.cpSync(extra, path.join(dir, id), { recursive: true });
  return { id, file };
}

/** What of the conversation reaches the model: {messages, marks}; without a request {messages: 0, marks: []}. */
export async function resume(claude, id) {
  const { sent } = await claude('-p', 'TURN-99\n%say ok', '--resume', id, ...TOOLS);
  const request = sent.at(-1);
  if (!request) return { messages: 0, marks: [] };
  const marks = new Set(), said = { user: new RegExp(`TURN-\\d+(?=\\n)|${SUMMARY}`, 'g'), assistant: /ANSWER-\d+/g };
  const note = (text, pattern) => { for (const [mark] of text.matchAll(pattern)) marks.add(mark); };
  for (const { role, content } of request.messages)
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      if (block.type === 'text' && said[role]) note(block.text, said[role]);
      if (block.type === 'tool_use') note(JSON.stringify(block.input), /turn\d+|SUB-\d+/g);
      if (block.type === 'tool_result') note(JSON.stringify(block.content), /turn\d+|SUBDONE-\d+/g);
    }
  marks.delete('TURN-99');
  return { messages: request.messages.length, marks: [...marks].sort() };
}
