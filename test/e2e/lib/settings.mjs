// Settings files as people have them, and agents that do what these say.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { environment } from './daemon.mjs';

export const FILES = {
  claude: '.claude/settings.json',
  gemini: '.gemini/settings.json',
  codex: '.codex/config.toml',
  copilot: '.copilot/hooks/ostler.json',
  opencode: '.config/opencode/plugins/ostler.js',
};

/** Claude Code as its own installer leaves it, as far as one can see from outside. */
export function installClaude(home, version = '2.1.325') {
  const program = path.join(home, '.local/share/claude/versions', version), link = path.join(home, '.local/bin/claude');
  for (const file of [program, link]) fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(program, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  fs.rmSync(link, { force: true });
  fs.symlinkSync(program, link);
}

const touch = name => `touch "$HOME/${name}"`;
const group = (command, more = {}) => ({ ...more, hooks: [{ type: 'command', command }] });
const pretty = (value, indent = 2, end = '\n') => JSON.stringify(value, null, indent) + end;
const crlf = text => text.replaceAll('\n', '\r\n');

/** By CLI: [what it is, the text]. Hooks of another tool leave a file called `other`. */
export const TEXTS = {
  claude: [
    ['what the CLI itself writes', pretty({ model: 'opus', feedbackSurveyState: { lastShownTime: 1754082345000 } })],
    ['permissions, no last newline', pretty({ permissions: { allow: ['Bash(git *)', 'Read(~/x/**)'], deny: [] } }, 2, '')],
    ['another tool on the same events', pretty({ hooks: { Stop: [group(touch('other'))], PreToolUse: [group('exit 0', { matcher: 'Bash' })] }, statusLine: { type: 'command', command: '~/s.sh' } })],
    ['four blanks', pretty({ env: { A: '1' }, hooks: { Notification: [group('true')] } }, 4)],
    ['tabs', pretty({ hooks: { SessionStart: [group('true', { matcher: 'startup' })] }, theme: 'dark' }, '\t')],
    ['minified', JSON.stringify({ model: 'sonnet', hooks: { Stop: [group(touch('other'))] }, cleanupPeriodDays: 90 })],
    ['Windows\' line ends', crlf(pretty({ theme: 'dark', hooks: { Stop: [group(touch('other'))] } }))],
    ['comments', '// mine\n{\n  "model": "opus", // the good one\n  /* hooks */\n  "hooks": {\n    "Stop": [\n      // rings\n      { "hooks": [ { "type": "command", "command": "tput bel" } ] } // last\n    ]\n  } // end\n}\n'],
    ['empty hooks', pretty({ hooks: {} })],
    ['empty lists', '{\n  "hooks": {\n    "Stop": [],\n    "PreCompact": [ ]\n  }\n}\n'],
    ['an empty object', '{}'],
    ['nothing', ''],
    ['the dashboard before us', pretty({ hooks: { Stop: [{ _source: 'ai-agent-session-center', hooks: [{ type: 'command', command: touch('other'), async: true }] }] } })],
    ['other scripts', pretty({ outputStyle: 'erklärend ☺', language: '日本語', hooks: { 'Weird': 3, Stop: [group('true'), {}, 'odd'] } })],
  ],
  gemini: [
    ['a login', pretty({ security: { auth: { selectedType: 'oauth-personal' } } }, 2, '')],
    ['another tool', pretty({ hooksConfig: { enabled: true, disabled: [] }, hooks: { AfterAgent: [{ sequential: true, hooks: [{ type: 'command', name: 'guard', command: touch('other'), timeout: 5000 }] }] } })],
    ['the older place of the switches', pretty({ hooks: { enabled: true, disabled: ['noisy'], notifications: false } })],
    ['comments', '{\n  // servers\n  "mcpServers": { "fs": { "command": "npx" } } // files\n}\n'],
    ['tabs and Windows\' line ends', crlf(pretty({ general: { vimMode: true } }, '\t', ''))],
    ['minified', JSON.stringify({ tools: { autoAccept: true } }) + '\n'],
    ['one line', '{ "hooks": { "AfterAgent": [ { "hooks": [ { "type": "command", "command": "true" } ] } ] } }\n'],
    ['blank', '  \n\t\n'],
  ],
  codex: [
    ['nothing', ''],
    ['a few keys', 'model = "gpt-5"\napproval_policy = "on-request"\n'],
    ['inline tables, no last newline', '[mcp_servers.docs]\ncommand = "npx"\nargs = ["-y", "docs"]\nenv = { TOKEN = "x", PATH = \'/usr/bin\' }'],
    ['Windows\' line ends', crlf('# mine\nmodel = "o4"\n\n[projects."/w"]\ntrust_level = "trusted"\n')],
    ['another tool on the same events', `[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = ${JSON.stringify(touch('other'))}\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "true"\n\n[hooks.state."/x:stop:0:0"]\ntrusted_hash = "sha256:00"\n`],
    ['strings that look like tables', 'instructions = """\n[hooks]\nStop = [ {\n# >>> ostler hooks >>>\n"""\nother = \'\'\'\n[[hooks.Stop]]\n\'\'\'\n'],
    ['arrays over lines', 'notify = [\n  "python3", # older\n  "/home/u/notify.py",\n]\nsince = 1979-05-27 07:32:00Z\ntui.notifications = true\n[features]\nhooks = true\n'],
    ['tabs and blanks', '\tmodel\t=\t"x"\n[ shell_environment_policy . set ]\n\t"a.b" = 1\n[[things]]\n[[things]] # two\n'],
    ['lists in one piece', `[hooks]\nStop = [{ hooks = [{ type = "command", command = ${JSON.stringify(touch('other'))} }] }]\nSessionEnd = []\n`],
    ['blank lines', '\n\n\n'],
    ['a comment', '# only this'],
    ['trust of others', '[hooks]\n[hooks.state]\n"/h/hooks.json:stop:0:0" = { trusted_hash = "sha256:aa" }\n'],
    ['arrays of tables', 'list = [[1, 2], ["]"], {x = [1]}]\n[profiles.work]\nmodel = "gpt-5" # "quoted"\nmulti = """a"""""\n\n\n'],
  ],
};

/** TOML by the standard library of Python: what is no TOML fails here. */
export function readToml(file) {
  const script = 'import json,sys,tomllib; print(json.dumps(tomllib.load(open(sys.argv[1],"rb")), default=str))';
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  return JSON.parse(stdout);
}

/** JSON with comments. */
export function readJson(file) {
  const text = fs.readFileSync(file, 'utf8');
  return JSON.parse(text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, part => (part[0] === '"' ? part : '')));
}

/** All command lines that a CLI would run for an event, in their order. */
export function commandsOf(home, cli, event) {
  const file = path.join(home, FILES[cli]);
  const { hooks } = cli === 'codex' ? readToml(file) : readJson(file);
  if (cli === 'copilot') return (hooks[event] ?? []).map(handler => handler.bash);
  return (hooks[event] ?? []).flatMap(one => one.hooks ?? []).filter(h => h?.type === 'command').map(h => h.command);
}

/** Runs them as the CLI does: by a shell, the payload on stdin. None may print or fail. */
export function play(home, cli, event, payload, env = {}) {
  const commands = commandsOf(home, cli, event);
  return commands.map(command => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      input: JSON.stringify({ hook_event_name: event, cwd: '/', ...payload }), encoding: 'utf8', env: environment(home, env),
    });
    return { command, status, said: stdout + stderr };
  });
}
