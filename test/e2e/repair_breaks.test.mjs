// Transcripts that real Claude Codes wrote (test/real/repair/record.mjs), broken in the ways that test/real tries with the CLI itself:
// what is mended is as the reference says, and the chain reaches all that it reached before, but for what is lost.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { brokenOnes } from '../real/repair/breaks.mjs';
import { makeHome } from './lib/daemon.mjs';
import { makeSessions, repairAll } from './lib/repair.mjs';
import { apply, read, repair, scan } from './lib/transcripts.mjs';

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures/sessions');
const BROKEN_TURN = 4;
const names = fs.readdirSync(FIXTURES).filter(name => name.startsWith('claude-'));

/** The ids of the messages from the last one back; a compaction's boundary says nothing to anybody. */
function reached(bytes) {
  const { messages, link } = read(bytes), ids = [];
  for (let at = messages.length - 1; at >= 0 && ids.length <= messages.length; at = link[at])
    if (messages[at].value.subtype !== 'compact_boundary') ids.push(messages[at].id);
  return ids;
}

for (const name of names)
  test(`${name}: broken and mended`, async t => {
    const whole = fs.readFileSync(path.join(FIXTURES, name)), home = makeHome(t), dir = makeSessions(t, { inMemory: true });
    const cases = brokenOnes(whole.toString(), BROKEN_TURN).map(([what, text], i) => ({ what, bytes: Buffer.from(text), file: path.join(dir, `b${i}.jsonl`) }));
    for (const { bytes, file } of cases) fs.writeFileSync(file, bytes);
    const saidOf = async command => new Map((await repairAll(home, command, [dir])).results.map(result => [result.filePath, result]));
    const scanned = await saidOf('scan'), fixed = await saidOf('fix'), again = await saidOf('fix');
    for (const { what, bytes, file } of cases) {
      const { sessionId: _, filePath: __, ...said } = scanned.get(file), want = repair(bytes), now = fs.readFileSync(file);
      assert.deepEqual(said, scan(bytes), what);
      assert.equal(fixed.get(file).status, want.status, what);
      assert.ok(now.equals(apply(bytes, want.edits)), what);
      assert.equal(again.get(file).status, 'already_healthy', what);
      const there = new Set(read(now).messages.map(({ id }) => id)), reach = new Set(reached(now));
      assert.deepEqual(reached(whole).filter(id => there.has(id) && !reach.has(id)), [], what);
    }
    assert.equal(scan(whole).status, 'healthy');
  });

test('there is a transcript of every version that test/real tries', () => {
  const { agents, olderClaudes } = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, '../real/versions.json'), 'utf8'));
  assert.deepEqual(names.sort(), [...olderClaudes, agents.claude.version].map(version => `claude-${version}.jsonl`).sort());
});
