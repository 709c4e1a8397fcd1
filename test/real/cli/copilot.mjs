// GitHub Copilot CLI, with a model of one's own.
import fs from 'node:fs';
import path from 'node:path';
import { filesBelow } from './files.mjs';

export const copilot = {
  id: 'copilot',
  name: 'copilot',
  title: 'Copilot',
  limits: { shown: 2000, gone: 2000 },
  modes: { asking: [], own: ['--allow-all-tools'], planning: [] },
  promptEvent: 'UserPromptSubmit',
  toolEvent: 'PostToolUse',
  askEvent: 'Notification',
  dialog: /Do you want to run this command|1\. Yes/,
  keys: { allow: '1', interrupt: ['\x1b', '\x1b'] },
  screens: {},
  question: { dialog: /enter accept/, event: 'Notification' },
  plan: { dialog: /Plan Ready for Review/, yes: '\r', prompt: '/plan Please work on' },
  errors: { 429: /✗\s+Failed to get response/, 500: /✗\s+Failed to get response/ },
  cleared: { screen: /Started a fresh session/ },
  compacted: { screen: /[Cc]ompact(ed|ion)/ },
  commands: { clear: '/clear', compact: '/compact', quit: '/exit' },
  can: new Set(['ask', 'subagentAsks', 'plan', 'eachAnswer', 'question', 'error429', 'error500', 'clear', 'compact', 'resume']),

  /** ~/.copilot/session-state/ID/events.jsonl */
  records: home => filesBelow(path.join(home, '.copilot/session-state'), /events\.jsonl$/),

  environment: url => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_TYPE: 'openai', COPILOT_PROVIDER_API_KEY: 'sk-scripted',
    COPILOT_MODEL: 'scripted', COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false',
  }),

  settings({ home, project }) {
    fs.mkdirSync(path.join(home, '.copilot'), { recursive: true });
    const text = JSON.stringify({ trusted_folders: [project], trustedFolders: [project], banner: 'never', auto_update: false });
    for (const name of ['config.json', 'settings.json']) fs.writeFileSync(path.join(home, '.copilot', name), text);
  },

  headless: prompt => ['-p', prompt],

  async ready(agent) {
    await agent.stage.sees(agent, /\? help/);
  },

  denyKeys: () => '\x1b',
};
