// Claude Code: hooks in a session of their own without a terminal, side by side, by `sh -c`.
import { randomUUID } from 'node:crypto';
import { FakeAgent } from './agent.mjs';
import { claudeHandlers } from './registration.mjs';

export class FakeClaude extends FakeAgent {
  ownSession = true;
  model = 'claude-opus-4-6';

  constructor(options) {
    super({ ...options, id: options.id ?? randomUUID() });
    this.settings = options.settings;
  }

  handlers(event, subject) {
    return claudeHandlers(this, event, subject);
  }

  command(handler) {
    return handler.args ? [handler.command, ...handler.args] : ['/bin/sh', '-c', handler.command];
  }

  environment() {
    return { CLAUDE_PROJECT_DIR: this.cwd };
  }

  timeoutMs(handler) {
    return (handler.timeout ?? 600) * 1000;
  }

  nextCallId(n) {
    return `toolu_01${String(n).padStart(22, '0')}`;
  }

  payload(event, fields) {
    return {
      session_id: this.id,
      transcript_path: `${this.home}/.claude/projects/${this.cwd.replace(/[^A-Za-z0-9]/g, '-')}/${this.id}.jsonl`,
      cwd: this.cwd,
      ...(this.promptId && { prompt_id: this.promptId }),
      ...(event !== 'SessionStart' && event !== 'SessionEnd' && { permission_mode: 'default' }),
      hook_event_name: event,
      ...fields,
    };
  }

  launch() {
    const source = this.resumed ? 'resume' : 'startup';
    return this.fire('SessionStart', { source, model: this.model }, source);
  }

  prompt({ text }) {
    this.promptId = randomUUID();
    return this.fire('UserPromptSubmit', { prompt: text });
  }

  beforeTool({ name, input, id }) {
    return this.fire('PreToolUse', { tool_name: name, tool_input: input, tool_use_id: id, effort: { level: 'high' } }, name);
  }

  /** At once, and before the dialog is drawn; it names the tool but not the call. */
  askPermission({ name, input }) {
    const rules = [{ toolName: name, ruleContent: `${input.command ?? ''}:*` }];
    const permission_suggestions = [{ type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }];
    return this.fire('PermissionRequest', { tool_name: name, tool_input: input, permission_suggestions }, name);
  }

  afterTool({ name, input, id, took }, output, error) {
    const call = { tool_name: name, tool_input: input, tool_use_id: id, duration_ms: took };
    if (error) return this.fire('PostToolUseFailure', { ...call, error, is_interrupt: false }, name);
    const tool_response = typeof output === 'object' ? output : { stdout: output, stderr: '', interrupted: false, isImage: false };
    return this.fire('PostToolUse', { ...call, tool_response }, name);
  }

  question({ text, options }) {
    const questions = [{
      question: text, header: 'Choice', multiSelect: false, options: options.map(label => ({ label, description: label })),
    }];
    return this.tool({ name: 'AskUserQuestion', input: { questions }, ask: true });
  }

  choose({ label }) {
    const { input } = this.call;
    return this.finish({ output: { questions: input.questions, answers: { [input.questions[0].question]: label } } });
  }

  notify({ type, message }) {
    return this.fire('Notification', { message, title: 'Claude Code', notification_type: type }, type);
  }

  stop({ message }) {
    return this.fire('Stop', { stop_hook_active: false, last_assistant_message: message, background_tasks: [], session_crons: [] });
  }

  /** Esc: Claude Code tells nobody. */
  async interrupt() {
    this.call?.child?.kill();
    this.call = null;
  }

  exit() {
    return this.fire('SessionEnd', { reason: 'prompt_input_exit' }, 'prompt_input_exit');
  }
}
