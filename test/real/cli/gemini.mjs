// Gemini CLI.
import fs from 'node:fs';
import path from 'node:path';
import { filesBelow } from './files.mjs';

export const gemini = {
  id: 'gemini',
  name: 'gemini',
  title: 'Gemini',
  limits: { shown: 2000, gone: 2000 },
  modes: { asking: [], own: ['--approval-mode', 'yolo'], planning: ['--approval-mode', 'plan'] },
  promptEvent: 'BeforeAgent',
  toolEvent: 'AfterTool',
  askEvent: 'Notification',
  dialog: /Allow execution|Apply this change|Do you want to proceed|1\. Allow once/,
  keys: { allow: '\r', interrupt: ['\x1b'] },
  screens: { taken: /2 of 2/ },
  question: { dialog: /Enter to select/, event: 'Notification' },
  plan: { dialog: /manually accept edits/, yes: '2' },
  errors: { 400: /✕/ },
  cleared: { event: 'SessionStart' },
  compacted: { screen: /Compression was|compressed/ },
  commands: { clear: '/clear', compact: '/compress', quit: '/quit' },
  can: new Set(['ask', 'subagentAsks', 'plan', 'question', 'error400', 'clear', 'compact', 'resume', 'lastWords']),

  /** ~/.gemini/tmp/PROJECT/chats/session-….jsonl */
  records: home => filesBelow(path.join(home, '.gemini/tmp'), /chats.session-.*\.jsonl$/),

  /** ~/.gemini/tmp/PROJECT/SESSION/plans/NAME.md */
  documents: home => filesBelow(path.join(home, '.gemini/tmp'), /\/plans\/[^/]*\.md$/),

  environment: url => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'scripted-key', GEMINI_TELEMETRY_ENABLED: 'false' }),

  settings({ home }) {
    fs.mkdirSync(path.join(home, '.gemini'), { recursive: true });
    fs.writeFileSync(path.join(home, '.gemini/settings.json'), JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false }, privacy: { usageStatisticsEnabled: false },
      ui: { hideTips: true }, model: { name: 'gemini-3-pro' },
    }));
  },

  headless: prompt => ['-p', prompt],

  async ready(agent) {
    await agent.stage.sees(agent, /Type your message/);
  },

  denyKeys: () => '\x1b',
};
