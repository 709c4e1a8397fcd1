// Who decided about a call, by the CLI's own record of the conversation: { decided: 'hook' | 'desk', allowed }.
import fs from 'node:fs';
import { filesBelow } from '../cli/files.mjs';
import path from 'node:path';

const MARK = /\.\/mark ([\w-]+)/;

const lines = file => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));

/** Claude Code: ~/.claude/projects/PROJECT/ID.jsonl. Answers a map from the call's mark. */
export function claudeTruth(home) {
  const marks = new Map(), truth = new Map();
  for (const line of filesBelow(path.join(home, '.claude/projects'), /\.jsonl$/).flatMap(lines)) {
    for (const block of Array.isArray(line.message?.content) ? line.message.content : []) {
      if (block.type === 'tool_use') marks.set(block.id, MARK.exec(block.input?.command ?? '')?.[1]);
      if (line.type !== 'user' || block.type !== 'tool_result' || !marks.get(block.tool_use_id)) continue;
      const { decision, source } = line.permissionDecision ?? {}, text = JSON.stringify(block.content);
      const allowed = decision === 'accept', decided = source === 'hook' ? 'hook' : 'desk';
      truth.set(marks.get(block.tool_use_id), { decided, allowed, says: JSON.stringify(line.permissionDecision ?? line.toolDenialKind ?? text).slice(0, 160) });
    }
  }
  return truth;
}

/** Codex: ~/.codex/sessions/…/rollout-….jsonl. Who allowed a call it does not say. */
export function codexTruth(home) {
  const marks = new Map(), truth = new Map();
  for (const { payload } of filesBelow(path.join(home, '.codex/sessions'), /rollout-.*\.jsonl$/).flatMap(lines)) {
    if (payload?.type === 'function_call') marks.set(payload.call_id, MARK.exec(payload.arguments ?? '')?.[1]);
    if (payload?.type !== 'function_call_output' || !marks.get(payload.call_id)) continue;
    const text = typeof payload.output === 'string' ? payload.output : JSON.stringify(payload.output);
    const denied = /Denied from the inbox/.test(text), allowed = /exited with code 0|"exit_code":0/.test(text);
    truth.set(marks.get(payload.call_id), { decided: denied ? 'hook' : allowed ? null : 'desk', allowed, says: text.slice(0, 160) });
  }
  return truth;
}
