// The CLIs by name. What an adapter says:
//   id, name   what tests and recordings call it, and what it is called as a program; one program may be tried in several ways
//   modes      arguments for each permission mode: `asking` asks before tools run, `own` does not, `planning` makes a plan first
//   can        what the CLI is able to do, or tells its hooks, that scenarios need; `eachAnswer`: that one of several questions was answered
//   blocks     it shows no dialog of its own while a hook is asked
//   environment(url), settings(stage, url)   so that it uses the scripted model, asks nothing at its start, and calls nobody else
//   records, documents   files that it writes, which are recorded: conversations that grow line by line, and what is for people to read
//   ready, promptEvent, askEvent, dialog, keys, question, plan, errors, commands   how a person and a test recognise where it is
import { claude, claudeAuto } from './claude.mjs';
import { codex } from './codex.mjs';
import { copilot } from './copilot.mjs';
import { gemini } from './gemini.mjs';
import { opencode } from './opencode.mjs';

export const CLIS = Object.fromEntries([claude, claudeAuto, codex, gemini, opencode, copilot].map(cli => [cli.id, cli]));
