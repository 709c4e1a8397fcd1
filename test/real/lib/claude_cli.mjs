// The real Claude Code of a version, headless, in a home of its own, talking to the model of messages_model.mjs.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const PACKAGE = '@anthropic-ai/claude-code';
let runs = 0;

/** Installs a version once, below `root`; its program. */
export async function installClaude(root, version) {
  const prefix = path.join(root, `claude-${version}`), modules = path.join(prefix, 'node_modules');
  const programs = [path.join(modules, `${PACKAGE}-linux-x64`, 'claude'), path.join(modules, PACKAGE, 'cli.js')];
  const installed = () => programs.find(file => fs.existsSync(file));
  if (!installed()) {
    fs.mkdirSync(prefix, { recursive: true });
    await run('npm', ['install', '--prefix', prefix, '--no-audit', '--no-fund', `${PACKAGE}@${version}`], { timeout: 600_000 });
  }
  const program = installed();
  if (!program) throw new Error(`Claude Code ${version} was installed, but its program is not there`);
  return program.endsWith('.js') ? [process.execPath, program] : [program];
}

function run(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, { maxBuffer: 1 << 26, killSignal: 'SIGKILL', ...options }, (error, stdout, stderr) => {
      if (error?.killed || error?.code === 'ENOENT') reject(new Error(`${file} ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`));
      else resolve({ code: error?.code ?? 0, stdout, stderr });
    });
    child.stdin?.end();
  });
}

/** One version of it with its home: claude(args) runs it, `sent` is what the model got of that run, subagents' requests apart. */
export function makeClaude({ program, home, project, model }) {
  fs.mkdirSync(project, { recursive: true });
  fs.mkdirSync(path.join(home, '.claude'), { recursive: true });
  const config = path.join(home, '.claude.json');
  const keyOf = n => `sk-ant-api03-${String(n).padStart(20, '0')}`;
  if (!fs.existsSync(config))
    fs.writeFileSync(config, JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark', numStartups: 5, autoUpdates: false,
      projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } } }));
  return async function claude(...args) {
    const key = keyOf(++runs), begun = model.requests.length;
    const env = { HOME: home, PATH: process.env.PATH, LANG: 'C.UTF-8', ANTHROPIC_BASE_URL: `http://127.0.0.1:${model.port}`, ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' };
    const result = await run(program[0], [...program.slice(1), ...args], { cwd: project, env, timeout: 120_000 });
    return { ...result, sent: model.requests.slice(begun).filter(request => request.key === key && request.body.tools?.length).map(request => request.body) };
  };
}

/** Where its transcripts of a project are. */
export const transcriptsOf = (home, project) => path.join(home, '.claude/projects', project.replace(/[^A-Za-z0-9]/g, '-'));
