// Codex CLI: `$SHELL -lc` in the session's directory, only handlers that are trusted, the first event with the first
// prompt, and the older notify form beside them.
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { FakeAgent } from './agent.mjs';
import { codexHandlers, codexNotify } from './registration.mjs';

/** UUIDv7, as Codex makes them. */
function timeUuid() {
  const hex = Date.now().toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export class FakeCodex extends FakeAgent {
  ownSession = true; // its own process group, which with Node is its own session
  model = 'gpt-5.5-codex';

  constructor(options) {
    super({ ...options, id: options.id ?? timeUuid() });
    this.flags = options.flags;
    this.codexHome = process.env.CODEX_HOME ?? `${this.home}/.codex`;
  }

  handlers(event, subject) {
    return codexHandlers(this, event, subject);
  }

  command(handler) {
    return [process.env.SHELL ?? '/bin/sh', '-lc', handler.command];
  }

  environment() {
    return {};
  }

  timeoutMs(handler) {
    return Math.max(1, handler.timeout ?? 600) * 1000;
  }

  nextCallId(n) {
    return `call_${String(n).padStart(24, '0')}`;
  }

  payload(event, fields) {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '/');
    return {
      session_id: this.id,
      transcript_path: `${this.codexHome}/sessions/${day}/rollout-${this.id}.jsonl`,
      cwd: this.cwd,
      hook_event_name: event,
      ...(event !== 'SessionEnd' && { model: this.model, permission_mode: 'default' }),
      ...(this.turnId && !event.startsWith('Session') && { turn_id: this.turnId }),
      ...fields,
    };
  }

  /** Nothing is said at launch. */
  async launch() {}

  async prompt({ text }) {
    if (!this.prompts.length) await this.fire('SessionStart', { source: 'startup' }, 'startup');
    this.prompts.push(text);
    this.turnId = randomUUID();
    await this.fire('UserPromptSubmit', { prompt: text });
  }

  beforeTool({ name, input, id }) {
    return this.fire('PreToolUse', { tool_name: name, tool_input: input, tool_use_id: id }, name);
  }

  askPermission({ name, input }) {
    const tool_input = { ...input, description: 'Run it outside the sandbox?' };
    return this.fire('PermissionRequest', { tool_name: name, tool_input }, name);
  }

  afterTool({ name, input, id }, output, error) {
    return this.fire('PostToolUse', { tool_name: name, tool_input: input, tool_use_id: id, tool_response: error ?? output }, name);
  }

  async stop({ message }) {
    await this.fire('Stop', { stop_hook_active: false, last_assistant_message: message });
    await this.#tellNotify(message);
  }

  interrupt() {
    this.call?.child?.kill();
    this.call = null;
    return this.fire('Interrupt');
  }

  /** The payload is the last argument, and stdio is nothing. */
  async #tellNotify(message) {
    const [program, ...args] = codexNotify(this) ?? [];
    if (!program) return;
    const payload = {
      type: 'agent-turn-complete', 'thread-id': this.id, 'turn-id': this.turnId, cwd: this.cwd, client: 'codex-tui',
      'input-messages': this.prompts, 'last-assistant-message': message,
    };
    const child = spawn(program, [...args, JSON.stringify(payload)], { cwd: this.cwd, stdio: 'ignore' });
    this.ran++;
    await once(child, 'spawn');
  }

  exit() {
    return this.fire('SessionEnd', { reason: 'other' }, 'other');
  }
}
