// test/agents/fake-agent.mjs: agents that behave like the real CLIs, told by the test what to do.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { codexTrust } from '../../agents/registration.mjs';
import { cleanup } from './cleanup.mjs';
import { environment, ROOT } from './daemon.mjs';
import { HOOK } from './hook.mjs';

const PROGRAM = path.join(ROOT, 'test/agents/fake-agent.mjs');

const EVENTS = {
  claude: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure',
    'Notification', 'SubagentStart', 'SubagentStop', 'Stop', 'StopFailure', 'SessionEnd'],
  gemini: ['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'Notification', 'AfterAgent', 'PreCompress', 'SessionEnd'],
  codex: ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'Stop', 'Interrupt', 'SessionEnd'],
};

function write(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

const group = handler => [{ hooks: [{ type: 'command', ...handler }] }];

/** Registers our hook where each CLI looks for it, in the home of the person who uses them. */
export const register = {
  claude(home) {
    const hooks = Object.fromEntries(EVENTS.claude.map(event => [event, group({ command: `"${HOOK}" --cli claude`, timeout: 5 })]));
    write(path.join(home, '.claude/settings.json'), JSON.stringify({ hooks }));
  },

  gemini(home) {
    const handler = { name: 'ostler', command: `"${HOOK}" --cli gemini`, timeout: 5000 };
    const hooks = Object.fromEntries(EVENTS.gemini.map(event => [event, group(handler)]));
    write(path.join(home, '.gemini/settings.json'), JSON.stringify({ hooks }));
  },

  codex(home, { trusted = true } = {}) {
    const file = path.join(home, '.codex/hooks.json'), handler = { command: `"${HOOK}" --cli codex`, timeout: 3 };
    const hooks = Object.fromEntries(EVENTS.codex.map(event => [event, group(handler)]));
    write(file, JSON.stringify({ hooks }));
    const rows = EVENTS.codex.map(event => codexTrust(file, event, 0, 0, handler))
      .map(({ key, hash }) => `[hooks.state."${key}"]\ntrusted_hash = "${hash}"\n`);
    write(path.join(home, '.codex/config.toml'), trusted ? rows.join('\n') : '');
  },

  /** Only the older form. */
  codexNotify(home) {
    write(path.join(home, '.codex/config.toml'), `notify = ${JSON.stringify([HOOK, '--cli', 'codex'])}\n`);
  },
};

export class Agent {
  #answers;

  /** A running agent in the directory `cwd`, made if missing. The daemon's home is also the person's. */
  static async start(t, daemon, cli, cwd) {
    fs.mkdirSync(cwd, { recursive: true });
    const agent = new Agent(t, daemon.home, cli, cwd);
    const { id, pid } = await agent.#answer('launch');
    return Object.assign(agent, { id, pid });
  }

  constructor(t, home, cli, cwd) {
    Object.assign(this, { cli, cwd });
    this.child = spawn(process.execPath, [PROGRAM, cli],
      { cwd, env: environment(home, { SHELL: '/bin/bash' }), stdio: ['pipe', 'pipe', 'inherit'], detached: true });
    this.#answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.exited = new Promise(resolve => this.child.on('exit', (code, signal) => resolve({ code, signal })));
    cleanup(t, () => {
      try {
        process.kill(-this.child.pid, 'SIGKILL'); // with whatever tool it runs
      } catch (error) {
        assert.equal(error.code, 'ESRCH');
      }
    });
  }

  async #answer(step) {
    const { value, done } = await this.#answers.next();
    assert.ok(!done, `the agent ended during ${step}`);
    const answer = JSON.parse(value);
    assert.deepEqual({ did: answer.did, said: answer.said }, { did: step, said: '' }, 'a hook must never disturb its agent');
    return answer;
  }

  /** Takes a step, see fake-agent.mjs; it is done when the agent's hooks have ended. */
  do(step, details = {}) {
    this.child.stdin.write(`${JSON.stringify({ do: step, ...details })}\n`);
    return this.#answer(step);
  }

  /** kill -9: no hook tells of it. */
  async kill() {
    this.child.kill('SIGKILL');
    assert.deepEqual(await this.exited, { code: null, signal: 'SIGKILL' });
  }

  async exit() {
    await this.do('exit');
    assert.deepEqual(await this.exited, { code: 0, signal: null });
  }
}
