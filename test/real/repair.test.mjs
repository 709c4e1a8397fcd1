// Transcripts of real Claude Codes, old and new, broken in every way we know and mended: what a resume sends to the model afterwards
// is never less than what it sent before, and all of it where no record was lost. Prints a table of the messages that were sent.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { Person } from '../e2e/lib/tmux.mjs';
import { repairOne } from '../e2e/lib/repair.mjs';
import { installAgents, installOlderClaudes } from './install.mjs';
import { Model } from './model.mjs';
import { BREAKS, brokenOnes, LOSSLESS } from './repair/breaks.mjs';
import { Claude, SESSIONS } from './repair/sessions.mjs';

const versions = [...installOlderClaudes(), installAgents().claude];
const BREAKS_MIN = 18; // that were found in the field
const table = new Map(); // break → session → version → "before → after"

/** Runs them all, as many at once as there are processors. */
async function forEach(items, work) {
  const queue = [...items];
  await Promise.all(Array.from({ length: os.availableParallelism() }, async () => {
    while (queue.length) await work(queue.shift());
  }));
}

/** Mends a broken one as the daemon does before a resume, and a second time, which changes nothing. */
async function mend(claude, file) {
  const bytes = fs.readFileSync(file), result = await repairOne(claude.home, 'fix', file, '--active');
  assert.equal((await repairOne(claude.home, 'scan', file)).status, 'healthy');
  assert.equal((await repairOne(claude.home, 'fix', file, '--active')).status, 'already_healthy');
  if (result.backupPath) assert.ok(fs.readFileSync(result.backupPath).equals(bytes));
  return result.status === 'repaired';
}

/** Known to send less after mending than before: that version guesses a lost parent by the time, and sends what a compaction seconds ago
 * had replaced, without the summary. Mended it must send exactly what it sends of the unbroken file. */
const EXCEPTIONS = {
  '2.1.101, compacted': new Set(['boundary and summary on a line', 'summary and the next on a line', 'message behind the summary lost', 'foreign parent behind the summary']),
};

async function tryBreak(claude, session, id, whole, [name, text]) {
  const before = await claude.resume(claude.put(text, id)), mended = claude.put(text, id);
  const after = await mend(claude, claude.fileOf(mended)) ? await claude.resume(mended) : before;
  if (!table.has(name)) table.set(name, {});
  (table.get(name)[session] ??= {})[claude.version] = `${before.messages} → ${after.messages}`;
  const wanted = LOSSLESS.has(name) ? whole.marks : before.marks, less = wanted.filter(mark => !after.marks.includes(mark));
  const isExcepted = EXCEPTIONS[`${claude.version}, ${session}`]?.has(name) && after.messages === whole.messages && String(after.marks) === String(whole.marks);
  return (after.messages < before.messages || less.length) && !isExcepted ? [`${name}: ${before.messages} → ${after.messages} ${less}`] : [];
}

for (const version of versions)
  for (const [session, { turns, broken }] of Object.entries(SESSIONS))
    test(`Claude Code ${version.version}, ${session}: never less after mending than before`, async t => {
      const claude = new Claude(t, version, await Model.start(t)), id = await claude.have(turns), worse = [];
      const text = fs.readFileSync(claude.fileOf(id), 'utf8'), cases = brokenOnes(text, broken);
      assert.equal(new Set(cases.map(([, each]) => each)).size, cases.length, 'each is broken, and in its own way');
      assert.ok(Object.keys(BREAKS).length >= BREAKS_MIN);
      const whole = await claude.resume(claude.put(text, id));
      await forEach(cases, async one => { worse.push(...await tryBreak(claude, session, id, whole, one)); });
      assert.deepEqual(worse, []);
      assert.ok(!fs.existsSync(path.join(claude.home, '.claude/history.jsonl')), 'neither it nor ostler has entered these sessions anywhere');
    });

for (const version of versions)
  test(`Claude Code ${version.version} lists a session that is not in its history of prompts`, async t => {
    const claude = new Claude(t, version, await Model.start(t)), id = await claude.have(SESSIONS.plain.turns.slice(0, 1));
    const file = claude.fileOf(id); // those that had no terminal are not listed by newer versions
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('"entrypoint":"sdk-cli"', '"entrypoint":"cli"'));
    const person = await Person.sitDown(t, claude.home, { cols: 120, rows: 40, env: claude.environment });
    await person.starts(`cd project; clear; ${claude.program} --resume; clear`);
    await person.sees(/Resume session/i);
    await person.sees(/TURN-1/);
    await person.type('\x1b');
    await person.sees(/^>$/m);
    assert.ok(!fs.existsSync(path.join(claude.home, '.claude/history.jsonl')));
  });

after(() => {
  const sessions = Object.keys(SESSIONS), names = versions.map(one => one.version);
  console.log(`| break | ${sessions.flatMap(session => names.map(name => `${session}, ${name}`)).join(' | ')} |`);
  console.log(`|---|${'---|'.repeat(sessions.length * names.length)}`);
  for (const [name, row] of table)
    console.log(`| ${name} | ${sessions.flatMap(session => names.map(version => row[session]?.[version] ?? '')).join(' | ')} |`);
});
