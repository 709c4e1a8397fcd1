// Real sessions of Claude Code to be broken, and what it sends to the model when one is resumed.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { cleanup } from '../../e2e/lib/cleanup.mjs';
import { environment, makeHome } from '../../e2e/lib/daemon.mjs';
import { claude as cli } from '../cli/claude.mjs';
import { call, say, shell, subagent } from '../model/script.mjs';

const RUN_MS = 180_000;
const TOOLS = ['--allowedTools', 'Bash,Task,Agent'];
const SUMMARY = /The work so far, in short/g; // what the scripted model makes of a conversation
let serial = 0;

const compaction = { prompt: () => '/compact' };
const bash = n => ({ prompt: model => `TURN-${n} ${scripted(model, [call(shell(`echo turn${n}`)), say(`ANSWER-${n}`)])}` });
const task = n => ({
  prompt(model) {
    const work = `SUB-${n} ${scripted(model, [call(shell(`echo sub${n}`)), say(`SUBDONE-${n}`)])}`;
    return `TURN-${n} ${scripted(model, [call(subagent(work)), say(`ANSWER-${n}`)])}`;
  },
});

/** What happens in each, and to which of its turns a break happens. */
export const SESSIONS = {
  plain: { turns: [bash(1), bash(2), bash(3), bash(4), bash(5)], broken: 3 },
  compacted: { turns: [bash(1), bash(2), compaction, bash(3), bash(4), bash(5)], broken: 4 },
  'with subagents': { turns: [bash(1), task(2), task(3), task(4)], broken: 3 },
};

/** The mark of a new script. */
function scripted(model, turns) {
  const name = `t${++serial}`;
  model.scripts.set(name, turns);
  return `script-${name}`;
}

/** One version of it, with a home and a project of its own. */
export class Claude {
  constructor(t, { program, version }, model) {
    Object.assign(this, { version, program, model, home: makeHome(t) });
    this.project = path.join(this.home, 'project');
    this.transcripts = path.join(this.home, '.claude/projects', this.project.replace(/[^A-Za-z0-9]/g, '-'));
    this.environment = environment(this.home, { ...cli.environment(model.url), LANG: 'C.UTF-8', PATH: process.env.PATH });
    fs.mkdirSync(this.project);
    execFileSync('git', ['-C', this.project, 'init', '-q']);
    cli.settings(this);
    this.running = new Set();
    cleanup(t, () => { for (const child of this.running) child.kill('SIGKILL'); });
  }

  /** Says one thing without a terminal and waits for the answer; what it printed. */
  run(prompt, ...words) {
    return new Promise((resolve, reject) => {
      const child = execFile(this.program, [...cli.headless(prompt), ...words, ...TOOLS],
        { cwd: this.project, env: this.environment, timeout: RUN_MS, killSignal: 'SIGKILL', maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
          this.running.delete(child);
          if (error?.killed) reject(new Error(`Claude Code ${this.version} had no end: ${stdout}${stderr}`));
          else resolve({ code: error ? error.code : 0, said: stdout + stderr });
        });
      this.running.add(child);
      child.stdin.end();
    });
  }

  /** Has a session of these turns; its id. */
  async have(turns) {
    const id = randomUUID();
    for (const [i, turn] of turns.entries()) {
      const { code, said } = await this.run(turn.prompt(this.model), i ? '--resume' : '--session-id', id);
      assert.equal(code, 0, said);
    }
    return id;
  }

  fileOf(id) {
    return path.join(this.transcripts, `${id}.jsonl`);
  }

  /** Puts a text there as a session of its own, with what the subagents of session `like` wrote; its id. */
  put(text, like) {
    const id = randomUUID(), subagents = path.join(this.transcripts, like);
    fs.writeFileSync(this.fileOf(id), text.replaceAll(like, id), { mode: 0o600 });
    if (fs.existsSync(subagents)) fs.cpSync(subagents, path.join(this.transcripts, id), { recursive: true });
    return id;
  }

  /** Resumes it: how many messages of the two reach the model, and which of what was said and done. What the CLI itself tells
   *  the model in between does not count: it says that again where it was lost. */
  async resume(id) {
    const run = `RUN-${++serial}.`;
    const { said } = await this.run(`TURN-0 ${run} ${scripted(this.model, [say('ok')])}`, '--resume', id);
    const request = this.model.requests.findLast(({ body }) => body.tools?.length && JSON.stringify(body.messages).includes(run));
    assert.ok(request, `Claude Code ${this.version} asked the model nothing: ${said}`);
    const messages = request.body.messages.filter(({ role }) => role !== 'system');
    return { messages: messages.length, marks: marksOf(messages) };
  }
}

function marksOf(messages) {
  const marks = new Set(), note = (text, pattern) => { for (const [mark] of text.matchAll(pattern)) marks.add(mark); };
  for (const { role, content } of messages)
    for (const block of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      if (block.type === 'text') note(block.text, role === 'user' ? /TURN-[1-9]/g : /ANSWER-\d/g);
      if (block.type === 'text' && role === 'user') note(block.text, SUMMARY);
      if (block.type === 'tool_use') note(JSON.stringify(block.input), /turn\d|SUB-\d/g);
      if (block.type === 'tool_result') note(JSON.stringify(block.content), /turn\d|SUBDONE-\d/g);
    }
  return [...marks].sort();
}
