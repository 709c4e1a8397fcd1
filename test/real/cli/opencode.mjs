// opencode. Beside our plugin there is one that writes down what opencode tells plugins: with it ours can be replayed, too.
import fs from 'node:fs';
import path from 'node:path';

const TAP = path.join(import.meta.dirname, '../opencode_tap.js');

export const opencode = {
  name: 'opencode',
  title: 'opencode',
  modes: { asking: [], own: [] },
  promptEvent: 'UserPromptSubmit',
  askEvent: 'PermissionRequest',
  dialog: /Permission required/,
  keys: { allow: '\r' },
  can: new Set(['ask', 'subagent', 'question', 'error', 'clear', 'compact', 'resume']),

  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' }),

  settings({ home, live }, url) {
    const dir = path.join(home, '.config/opencode');
    fs.mkdirSync(path.join(dir, 'plugin'), { recursive: true });
    fs.writeFileSync(path.join(dir, 'opencode.json'), JSON.stringify({
      autoupdate: false, share: 'disabled', model: 'scripted/scripted', small_model: 'scripted/scripted', permission: { bash: 'ask' },
      provider: { scripted: { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options: { baseURL: `${url}/v1`, apiKey: 'sk-scripted' },
        models: { scripted: { name: 'Scripted', tool_call: true, limit: { context: 100000, output: 4000 } } } } },
    }));
    if (live) fs.copyFileSync(TAP, path.join(dir, 'plugin/tap.js'));
  },

  headless: prompt => ['run', prompt],

  async ready(agent) {
    await agent.stage.sees(agent, /Ask anything/);
  },

  denyKeys: () => '\x1b[C\x1b[C\r',
};
