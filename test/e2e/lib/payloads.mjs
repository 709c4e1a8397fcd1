// What Claude Code gives its hooks, with the fields it really sends.
import { randomUUID } from 'node:crypto';

export class Agent {
  constructor({ id = randomUUID(), cwd = '/home/dev/alpha', model = 'claude-opus-4-6', permissionMode = 'default' } = {}) {
    Object.assign(this, { id, cwd, model, permissionMode, promptId: null, calls: 0 });
  }

  event(name, fields = {}) {
    return {
      session_id: this.id,
      transcript_path: `/home/dev/.claude/projects/${this.cwd.replaceAll('/', '-')}/${this.id}.jsonl`,
      cwd: this.cwd,
      ...(this.promptId && { prompt_id: this.promptId }),
      permission_mode: this.permissionMode,
      hook_event_name: name,
      ...fields,
    };
  }

  start(source = 'startup') {
    return this.event('SessionStart', { source, model: this.model });
  }

  prompt(text) {
    this.promptId = randomUUID();
    return this.event('UserPromptSubmit', { prompt: text });
  }

  pre(tool, input) {
    this.lastCall = `toolu_${String(++this.calls).padStart(6, '0')}`;
    return this.event('PreToolUse', { tool_name: tool, tool_input: input, tool_use_id: this.lastCall });
  }

  post(tool, input, response = { stdout: 'ok', stderr: '', interrupted: false }) {
    return this.event('PostToolUse', {
      tool_name: tool, tool_input: input, tool_response: response, tool_use_id: this.lastCall, duration_ms: 12,
    });
  }

  fail(tool, input, error) {
    return this.event('PostToolUseFailure', {
      tool_name: tool, tool_input: input, tool_use_id: this.lastCall, error, is_interrupt: false,
    });
  }

  permission(tool, input) {
    const permission_suggestions = [{
      type: 'addRules', rules: [{ toolName: tool, ruleContent: 'npm test:*' }], behavior: 'allow', destination: 'localSettings',
    }];
    return this.event('PermissionRequest', { tool_name: tool, tool_input: input, permission_suggestions });
  }

  notification(type, message) {
    return this.event('Notification', { message, title: 'Claude Code', notification_type: type });
  }

  subagentStart(agentId, type = 'Explore') {
    return this.event('SubagentStart', { agent_id: agentId, agent_type: type });
  }

  subagentStop(agentId, type = 'Explore') {
    return this.event('SubagentStop', {
      stop_hook_active: false, agent_id: agentId, agent_type: type, last_assistant_message: 'Found it.',
      agent_transcript_path: `/home/dev/.claude/projects/x/${this.id}/subagents/agent-${agentId}.jsonl`,
      background_tasks: [], session_crons: [],
    });
  }

  stop(message = 'Done.') {
    return this.event('Stop', {
      stop_hook_active: false, last_assistant_message: message, background_tasks: [], session_crons: [],
    });
  }

  end(reason = 'prompt_input_exit') {
    return this.event('SessionEnd', { reason });
  }
}

/** One ordinary turn: prompt, a tool, the answer. */
export function turn(agent, prompt) {
  const input = { command: 'npm test', description: 'Run the tests' };
  return [agent.prompt(prompt), agent.pre('Bash', input), agent.post('Bash', input), agent.stop('All tests pass.')];
}
