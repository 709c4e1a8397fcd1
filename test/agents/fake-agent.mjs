#!/usr/bin/env node
// A coding agent without a model: a process that lives as long as one, reads its CLI's own hook registration, and runs
// what it finds there with that CLI's payloads, by that CLI's rules. What happens in it is told by its stdin:
//
//     fake-agent.mjs claude|gemini|codex [the CLI's own arguments, see arguments.mjs]
//     {"do":"prompt","text":"Fix it"}
//     {"do":"tool","name":"Bash","input":{"command":"make"},"run":["sleep","60"],"ask":true}
//     {"do":"answer","allow":true}    {"do":"finish","output":"ok"}
//     {"do":"question","text":"Which?","options":["a","b"]}    {"do":"choose","label":"a"}      (Claude Code)
//     {"do":"notify","type":"idle_prompt","message":"…"}                                        (Claude Code)
//     {"do":"stop","message":"Done."}    {"do":"interrupt"}    {"do":"exit"}
//
// Each line is answered when its hooks have ended: {"did":…,"id":…,"pid":…,"ran":hooks so far,"said":what they printed}.
import { createInterface } from 'node:readline';
import { readArguments } from './arguments.mjs';
import { FakeClaude } from './claude.mjs';
import { FakeCodex } from './codex.mjs';
import { FakeGemini } from './gemini.mjs';

const AGENTS = { claude: FakeClaude, gemini: FakeGemini, codex: FakeCodex };
const cli = process.argv[2];
const agent = new AGENTS[cli]({ home: process.env.HOME, cwd: process.cwd(), ...readArguments[cli](process.argv.slice(3)) });
process.title = cli; // what `ps` shows of the real ones

const tell = did => process.stdout.write(`${JSON.stringify({ did, id: agent.id, pid: process.pid, ran: agent.ran, said: agent.said })}\n`);

await agent.launch();
tell('launch');
for await (const line of createInterface({ input: process.stdin })) {
  const { do: step, ...details } = JSON.parse(line);
  await agent[step](details);
  tell(step);
  if (step === 'exit') process.exit(0);
}
