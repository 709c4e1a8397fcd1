// Gemini CLI: events of its own names, ISO dates, an environment that names the session; it waits for each hook.
import { randomUUID } from 'node:crypto';
import { FakeAgent } from './agent.mjs';
import { geminiHandlers } from './registration.mjs';

export class FakeGemini extends FakeAgent {
  ownSession = false;

  constructor(options) {
    super({ id: randomUUID(), ...options });
  }

  handlers(event, subject) {
    return geminiHandlers(this, event, subject);
  }

  command(handler) {
    return ['/bin/bash', '-c', handler.command];
  }

  environment() {
    return {
      GEMINI_PROJECT_DIR: this.cwd, GEMINI_CWD: this.cwd, GEMINI_SESSION_ID: this.id,
      GEMINI_PLANS_DIR: `${this.home}/.gemini/tmp/plans`, CLAUDE_PROJECT_DIR: this.cwd,
    };
  }

  timeoutMs(handler) {
    return handler.timeout ?? 60_000;
  }

  nextCallId() {
    return null; // its hooks are not told
  }

  payload(event, fields) {
    return {
      session_id: this.id,
      transcript_path: `${this.home}/.gemini/tmp/project/chats/session-${this.id}.json`,
      cwd: this.cwd,
      hook_event_name: event,
      timestamp: new Date().toISOString(),
      ...fields,
    };
  }

  launch() {
    return this.fire('SessionStart', { source: 'startup' }, 'startup');
  }

  prompt({ text }) {
    this.prompts.push(text);
    return this.fire('BeforeAgent', { prompt: text });
  }

  beforeTool({ name, input }) {
    return this.fire('BeforeTool', { tool_name: name, tool_input: input }, name);
  }

  /** Awaited before the dialog is drawn. */
  askPermission({ input }) {
    const details = { type: 'exec', title: 'Confirm Shell Command', command: input.command, rootCommand: input.command.split(' ')[0] };
    const message = `Tool Confirm Shell Command requires execution`;
    return this.fire('Notification', { notification_type: 'ToolPermission', message, details }, 'ToolPermission');
  }

  afterTool({ name, input }, output, error) {
    const tool_response = { llmContent: output, returnDisplay: output, ...(error && { error: { message: error } }) };
    return this.fire('AfterTool', { tool_name: name, tool_input: input, tool_response }, name);
  }

  stop({ message }) {
    return this.fire('AfterAgent', { prompt: this.prompts.at(-1), prompt_response: message, stop_hook_active: false });
  }

  /** Esc: it tells nobody either. */
  async interrupt() {
    this.call?.child?.kill();
    this.call = null;
  }

  /** Not waited for: the agent may be gone before its hook has looked around. */
  exit() {
    return this.fireAndForget('SessionEnd', { reason: 'exit' }, 'exit');
  }
}
