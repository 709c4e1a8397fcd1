// Codex. It asks about what wants out of its sandbox.
import fs from 'node:fs';
import path from 'node:path';
import { filesBelow } from './files.mjs';

export const codex = {
  id: 'codex',
  name: 'codex',
  title: 'Codex',
  limits: { shown: 2000, gone: 2000 },
  modes: { asking: ['-a', 'on-request', '-s', 'read-only'], own: [] },
  promptEvent: 'UserPromptSubmit',
  toolEvent: 'PostToolUse',
  askEvent: 'PermissionRequest',
  dialog: /Press enter to confirm or esc to cancel/,
  keys: { allow: 'y', interrupt: ['\x1b'] },
  screens: { taken: /✔ You approved/ },
  question: { dialog: /enter to submit answer/, event: 'PreToolUse' },
  errors: { 429: /■.*429/, 500: /■/ },
  cleared: { screen: /Ask Codex to do anything/ },
  compacted: { event: 'PostCompact' },
  commands: { clear: '/clear', compact: '/compact', quit: '/quit' },
  blocks: true,
  can: new Set(['ask', 'answers', 'blocks', 'question', 'error429', 'error500', 'clear', 'compact', 'resume', 'lastWords']),

  /** ~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl */
  records: home => filesBelow(path.join(home, '.codex/sessions'), /rollout-.*\.jsonl$/),

  environment: () => ({ SCRIPTED_KEY: 'sk-scripted' }),

  settings({ home, project }, url) {
    fs.mkdirSync(path.join(home, '.codex'), { recursive: true });
    fs.writeFileSync(path.join(home, '.codex/config.toml'), `model = "gpt-5.5-codex"
model_provider = "scripted"
check_for_update_on_startup = false
[features]
default_mode_request_user_input = true
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[projects."${project}"]
trust_level = "trusted"
`);
  },

  headless: prompt => ['exec', '--skip-git-repo-check', prompt],

  async ready(agent) {
    await agent.stage.sees(agent, /Ask Codex to do anything/);
  },

  denyKeys: () => 'n',
};
