// A working day in a minute: twenty agents of all CLIs, each living through recordings of the real one, side by side over nine hours of a
// made-up clock. At every moment the core's list of who needs a person must be what the day's script says.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { BUILD } from './lib/daemon.mjs';
import { drawnSeed, Random } from './lib/random.mjs';
import * as ANSWERED_HERE from '../real/scenarios/answers.mjs';

const RECORDINGS = path.resolve(import.meta.dirname, '../real/recordings');
const AGENTS = 20, DAY_MS = 9 * 3600_000, SETTLED_MS = 500;

/** What a person should see once a cue's events are over; `null`: nothing. By scenario, one for each of its cues. */
const TRUTH = {
  allowed: [null, 'approval', 'finished'],
  atTheDesk: [null, 'approval', 'finished'],
  refused: [null, 'approval', null],
  escaped: [null, 'approval', null],
  leftAlone: [null, 'approval', 'approval', 'approval', 'finished'],
  longCommand: [null, 'approval', null, null, 'finished'],
  twins: [null, 'approval', 'approval', 'approval', 'approval', 'finished'],
  atOnce: [null, 'approval', 'approval', 'finished'],
  answered: [null, 'question', null, 'finished'],
  dismissed: [null, 'question', null],
  planned: [null, 'plan', 'finished'],
  interactive: [null, null, null, null, 'finished'],
  interrupted: [null, null, null],
  background: [null, null, null, null, 'finished'],
  backgroundShell: [null, null, null, 'finished'],
  subagentAsks: [null, 'approval', 'finished'],
  ownMode: [null, null, null, 'finished'],
  headless: ['finished'],
  agentKilled: [null, 'approval', 'exited'],
  serverError: [null, 'error', 'error', 'error', 'finished'],
  tooMany: [null, 'error', 'error', 'error', 'finished'],
  badRequest: [null, 'error', 'error', 'error', 'finished'],
  retried: [null, 'error', 'finished'],
};

/** Other scenarios are about the daemon's end, make another conversation, or are answered from here, by a hook that waits: they are no
 * part of a day. */
const NOT_PLAYED = new Set(['cleared', 'compacted', 'resumed', 'detached', 'daemonKilled', 'askingDaemonKilled']);

/** Some CLIs end a turn that was refused, or whose question was left, like any other. */
const OTHERWISE = {
  opencode: { refused: [null, 'approval', 'finished'], escaped: [null, 'approval', 'finished'], dismissed: [null, 'question', 'finished'] },
  copilot: { dismissed: [null, 'question', 'finished'] },
};

/** What the daemon's other senses tell of Codex and Gemini, which a recording has not: a dialog is there, or gone, a command runs. */
const SENSES = {
  codex: { 'prompt ask': 'waiting', allow: 'busy', answer: 'busy', deny: 'idle', escape: 'idle' },
  gemini: { allow: 'busy', answer: 'busy', deny: 'idle', escape: 'idle' },
};

function load() {
  const all = fs.readdirSync(RECORDINGS).flatMap(cli => fs.readdirSync(path.join(RECORDINGS, cli)).map(file => {
    const [head, ...cues] = fs.readFileSync(path.join(RECORDINGS, cli, file), 'utf8').trim().split('\n').map(line => JSON.parse(line));
    return { ...head, cues, truth: OTHERWISE[cli]?.[head.scenario] ?? TRUTH[head.scenario] };
  })).filter(({ scenario }) => !NOT_PLAYED.has(scenario) && !(scenario in ANSWERED_HERE));
  for (const { cli, scenario, cues, truth } of all)
    assert.equal(truth?.length, cues.length, `what is true of ${cli}: ${scenario} after each of ${cues.map(({ cue }) => cue)}`);
  return all;
}

/** One agent's day as steps {at, lines}, and what is true of it from when on. */
function live(random, recordings, number) {
  const steps = [], truths = [];
  let at = 1000 + random.below(20 * 60_000), pid = number * 1000 + 1;
  for (let turn = 0; at < DAY_MS; turn++, pid++) {
    const { cli, cues, truth } = random.pick(recordings);
    const id = `agent-${number}-${turn}`;
    let begun = false; // some are not heard of before their first prompt
    const first = cues.flatMap(cue => cue.events).find(event => event.hook).hook, own = first.session_id ?? first.sessionId;
    const rename = value => JSON.parse(JSON.stringify(value).replaceAll(own, id).replaceAll('$HOME', `/home/dev/${number}`));
    for (const [i, { cue, ms, events }] of cues.entries()) {
      truths.push({ at, id, begins: true });
      for (const event of events) {
        const step = lines => steps.push({ at: at + event.ms, lines });
        if (event.hook) {
          const { CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entrypoint } = event.environment ?? {};
          const payload = rename(event.hook);
          delete payload.timestamp;
          step([`env ${JSON.stringify({ cli, claude_pid: pid, claude_start: pid, attended, entrypoint })}`, `payload ${JSON.stringify(payload)}`]);
        } else if (event.record) {
          step([`session ${id}`, ...event.lines.map(line => `record ${cli} ${JSON.stringify(line)}`)]);
        } else if (event.file?.status) {
          const { status, agoMs, waitingFor } = event.file;
          step([`session ${id}`, `state ${status === 'shell' ? 'busy' : status} since=${at + event.ms - agoMs}ms for ${waitingFor ?? ''}`]);
        }
      }
      const sense = SENSES[cli]?.[cue], sensed = at + (sense === 'waiting' ? ms : Math.min(60, ms));
      const another = truth[i] !== null && truth[i] === truth[i - 1]; // one dialog in the place of another is not seen to go
      if (sense && !another) steps.push({ at: sensed, lines: [`session ${id}`, `state ${sense} since=${sensed}ms for`] });
      if (cue === 'kill') steps.push({ at: at + ms, lines: [`session ${id}`, 'probe exit'] });
      at += ms + 5;
      // Where the recording only waits, what was said last may come in its first moments.
      const waits = cues[i + 1]?.cue === 'pass';
      truths.push({ at: at + (waits ? SETTLED_MS : 0), id, kind: truth[i], begun: (begun ||= events.some(event => event.hook)) });
      if (!waits) at += random.below(random.below(4) ? 90_000 : 45 * 60_000) + 100; // a person answers at once, or after lunch
    }
    // Somebody looks at what is left to be seen, mostly.
    if (truth.at(-1) && random.below(5)) {
      steps.push({ at, lines: [`session ${id}`, 'command seen {}'] });
      truths.push({ at, id, begins: true }, { at: at + 1, id, kind: null, begun: true });
    }
    at += random.below(30 * 60_000) + 1000;
  }
  return { steps, truths };
}

test('a day of twenty agents: who needs a person, at every moment', t => {
  const seed = drawnSeed(20261117), random = new Random(seed), recordings = load();
  const clis = new Set(recordings.map(r => r.cli));
  assert.ok(clis.size === 5 && recordings.length >= 80, `${recordings.length} recordings of ${[...clis]}`);
  const lives = Array.from({ length: AGENTS }, (_, i) => live(random, recordings.filter(r => r.cli === [...clis][i % clis.size]), i + 1));
  const steps = lives.flatMap(life => life.steps), truths = lives.flatMap(life => life.truths);
  const all = [...steps, ...truths].sort((a, b) => a.at - b.at || (a.lines ? 0 : 1) - (b.lines ? 0 : 1));
  const now = new Map(), script = ['# made by day.test.mjs'];
  let checks = 0;
  for (const { at, lines, id, kind, begins, begun } of all) {
    script.push(`at ${at}ms`, ...lines ?? []);
    if (lines) continue;
    if (begins || !begun) now.delete(id); // in between two truths
    else now.set(id, kind);
    const everybody = random.below(4) === 0; // it takes a while
    for (const [one, wanted] of begins ? [] : now) {
      if (one !== id && !everybody) continue;
      script.push(`session ${one}`, wanted ? `expect attention.kind=${wanted}` : 'expect attention=null');
      checks++;
    }
  }
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-day-')), 'day.txt');
  cleanup(t, () => fs.rmSync(path.dirname(file), { recursive: true }));
  fs.writeFileSync(file, `${script.join('\n')}\n`);
  const { stdout, stderr } = spawnSync(path.join(BUILD, 'test/script/script_runner'), [file], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const line = Number(/line (\d+):/.exec(stderr)?.[1] ?? 0);
  assert.match(stdout, /^ok 1/m, `seed ${seed}: ${stderr}\n${script.slice(Math.max(0, line - 12), line).join('\n').slice(-4000)}`);
  t.diagnostic(`${steps.length} events, ${checks} checks, ${recordings.length} recordings of ${[...clis].join(', ')}`);
});
