// opencode. Beside our plugin there is one that writes down what opencode tells plugins: with it ours can be replayed, too.
import fs from 'node:fs';
import path from 'node:path';

const TAP = path.join(import.meta.dirname, '../opencode_tap.js');

export const opencode = {
  id: 'opencode',
  name: 'opencode',
  title: 'opencode',
  limits: { shown: 2000, gone: 2000 },
  modes: { asking: [], own: [] },
  promptEvent: 'UserPromptSubmit',
  toolEvent: 'PostToolUse',
  askEvent: 'PermissionRequest',
  dialog: /Permission required/,
  keys: { allow: '\r', interrupt: ['\x1b', '\x1b'] },
  screens: { again: /esc again to interrupt/ },
  question: { dialog: /enter submit/, event: 'PermissionRequest' },
  errors: { 400: /The script says so/, retries: /attempt #[3-9]/ },
  cleared: { screen: /Ask anything/ },
  compacted: { event: 'PostCompact' },
  commands: { clear: '/new', compact: '/compact', quit: '/exit' },
  can: new Set(['ask', 'subagentAsks', 'eachAnswer', 'question', 'error400', 'retries', 'clear', 'compact', 'resume']),

  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }),

  settings({ home, live }, url) {
    const dir = path.join(home, '.config/opencode');
    fs.mkdirSync(path.join(dir, 'plugin'), { recursive: true });
    fs.writeFileSync(path.join(dir, 'opencode.json'), JSON.stringify({
      autoupdate: false, share: 'disabled', model: 'scripted/scripted', small_model: 'scripted/scripted', permission: { bash: 'ask' },
      provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options: { baseURL: `${url}/v1`, apiKey: 'sk-scripted' },
        models: { scripted: { name: 'Scripted', tool_call: true, limit: { context: 100000, output: 4000 } } } } },
    }));
    // It would ask npm for the package that plugins are typed with, and try for half a minute.
    fs.mkdirSync(path.join(dir, 'node_modules'));
    const dependencies = { '@opencode-ai/plugin': '*' };
    fs.writeFileSync(path.join(dir, 'package.json'), JSON.stringify({ type: 'module', dependencies }));
    fs.writeFileSync(path.join(dir, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies } } }));
    if (live) fs.copyFileSync(TAP, path.join(dir, 'plugin/tap.js'));
  },

  headless: prompt => ['run', prompt],

  async ready(agent) {
    await agent.stage.sees(agent, /Ask anything/, 90_000); // it takes its time without a network
  },

  denyKeys: () => '\x1b[C\x1b[C\r',
};
