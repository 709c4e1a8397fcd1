// Claude Code.
import fs from 'node:fs';
import path from 'node:path';

const KEY = 'sk-ant-api03-scripted-0123456789abcdef';

export const claude = {
  id: 'claude',
  name: 'claude',
  title: 'Claude Code',
  limits: { shown: 500, gone: 1000 },
  modes: { asking: ['--permission-mode', 'default'], own: [], planning: ['--permission-mode', 'plan'] },
  promptEvent: 'UserPromptSubmit',
  toolEvent: 'PostToolUse',
  askEvent: 'PermissionRequest',
  dialog: /❯ 1\. Yes/,
  keys: { allow: '1', interrupt: ['\x1b'] },
  screens: {},
  question: { dialog: /Enter to select/, event: 'PermissionRequest' },
  plan: { dialog: /Would you like to proceed/, yes: '2' },
  errors: { 429: /API Error.*429/, 500: /API Error.*500/ },
  cleared: { event: 'SessionStart' },
  compacted: { event: 'PostCompact' },
  commands: { clear: '/clear', compact: '/compact', quit: '/exit' },
  can: new Set(['ask', 'answers', 'answersMore', 'subagentAnswers', 'subagentAsks', 'eachAnswer', 'own', 'parallel', 'subagent', 'backgroundShell', 'question', 'plan', 'error429', 'error500', 'clear', 'compact', 'resume', 'background', 'lastWords']),

  environment: url => ({
    ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1',
  }),

  /** So that it asks nothing at its first start. */
  settings({ home, project }) {
    fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
    fs.writeFileSync(path.join(home, '.claude/settings.json'), JSON.stringify({
      env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '1' },
    }));
    fs.writeFileSync(path.join(home, '.claude.json'), JSON.stringify({
      hasCompletedOnboarding: true, theme: 'dark', numStartups: 5, autoUpdates: false,
      customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }));
  },

  headless: prompt => ['-p', prompt],

  async ready(agent) {
    await agent.stage.sees(agent, /for shortcuts|auto mode on|plan mode on|manual mode on/);
  },

  /** The number of "No" depends on what else is offered. */
  async denyKeys(agent) {
    const [, number] = /(\d)\. No/.exec(await agent.place.screen());
    return number;
  },
};

/** As it comes: in auto mode, which asks a person nothing but questions. Whether a subagent may be started the vendor's server decides
 * there, which a scripted model is not. */
export const claudeAuto = {
  ...claude,
  id: 'claude-auto',
  title: 'the same in auto mode,',
  modes: { ...claude.modes, asking: claude.modes.own },
  can: new Set(['question', 'error429', 'error500', 'clear', 'compact', 'resume', 'lastWords']),
};
