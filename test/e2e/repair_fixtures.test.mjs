// Transcripts that people can read, and what `ostler repair` makes of each; then, one by one, what repairing them has been
// known to get wrong.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { stopHookTail } from './lib/claude_lines.mjs';
import { makeHome, ostler, ROOT } from './lib/daemon.mjs';
import { Random } from './lib/random.mjs';
import { besides, jsonl, makeSession, makeSessions, repairAll, repairOne } from './lib/repair.mjs';
import { Corpus } from './lib/transcript_corpus.mjs';
import { apply, repair, scan, withoutParents } from './lib/transcripts.mjs';

const FIXTURES = path.join(ROOT, 'test/fixtures/sessions');
const id = n => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;

/* status, chainDepth, orphanCount, messageCount; after the repair: newChainDepth, and which message got which parent */
const EXPECTED = {
  'healthy.jsonl': { said: ['healthy', 7, 0, 7], depth: 7, parents: {} },
  'corrupted-shallow.jsonl': { said: ['corrupted', 2, 1, 10], depth: 10, parents: { 9: 8 } },
  'corrupted-deep.jsonl': { said: ['corrupted', 50, 1, 70], depth: 70, parents: { 21: 20 } },
  'corrupted-multiple.jsonl': { said: ['corrupted', 1, 5, 10], depth: 9, parents: { 1: null, 3: 2, 4: 3, 6: 5, 10: 9 } },
  'malformed.jsonl': { said: ['corrupted', 7, 0, 9], depth: 7, parents: {}, gluedCount: 2 },
  'empty.jsonl': { said: ['healthy', 0, 0, 0], depth: 0, parents: {} },
};

const textOf = file => fs.readFileSync(file, 'utf8');

function parentsOf(file) {
  const found = textOf(file).matchAll(/^\{"parentUuid":(null|"0*(\d+)-[^"]*") *,.*"uuid":"0*(\d+)-/gm);
  return Object.fromEntries([...found].map(([, , parent, own]) => [own, parent ? Number(parent) : null]));
}

for (const [name, { said, depth, parents, gluedCount = 0 }] of Object.entries(EXPECTED)) {
  test(`${name}: scanned, mended, mended again`, async t => {
    const bytes = fs.readFileSync(path.join(FIXTURES, name)), { home, file } = makeSession(t, bytes, { name });
    const [status, chainDepth, orphanCount, messageCount] = said;
    assert.deepEqual(await repairOne(home, 'scan', file), {
      sessionId: path.basename(name, '.jsonl'), filePath: file, status, chainDepth, orphanCount, messageCount, fileSize: bytes.length, resumeIssue: null, cycleCount: 0, gluedCount,
    });

    const before = parentsOf(file), result = await repairOne(home, 'fix', file), count = Object.keys(parents).length;
    const { backupPath, ...rest } = result;
    assert.deepEqual(rest, {
      sessionId: path.basename(name, '.jsonl'), filePath: file, status: count || gluedCount ? 'repaired' : 'already_healthy', orphansFixed: count, resumeIssuesFixed: 0,
      newChainDepth: depth, cyclesFixed: 0, gluedFixed: gluedCount,
    });
    assert.deepEqual(fs.readFileSync(file), apply(bytes, repair(bytes).edits));
    if (gluedCount) {
      assert.equal(textOf(file).replaceAll('\n', ''), bytes.toString().replaceAll('\n', ''));
    } else {
      assert.deepEqual(parentsOf(file), { ...before, ...parents });
      assert.deepEqual(withoutParents(fs.readFileSync(file)), withoutParents(bytes));
    }
    assert.deepEqual(besides(file), backupPath ? [path.basename(backupPath)] : []);
    if (backupPath) assert.deepEqual(fs.readFileSync(backupPath), bytes);

    const mended = fs.readFileSync(file), again = await repairOne(home, 'fix', file);
    assert.deepEqual([again.status, again.orphansFixed, again.newChainDepth, again.backupPath], ['already_healthy', 0, depth, null]);
    assert.deepEqual(fs.readFileSync(file), mended);
  });
}

test('large: 5 MB are scanned and mended as any other', async t => {
  const { home, file } = makeSession(t, '');
  const { messages, orphans } = new Corpus(5).write(file, 5e6, { orphans: 0.01 });
  const bytes = fs.readFileSync(file), want = repair(bytes);
  assert.ok(orphans > 5);
  const found = await repairOne(home, 'scan', file);
  assert.deepEqual([found.status, found.orphanCount, found.messageCount], ['corrupted', orphans, messages]);
  const { status, orphansFixed, newChainDepth } = await repairOne(home, 'fix', file);
  assert.deepEqual([status, orphansFixed, newChainDepth], ['repaired', orphans, want.newChainDepth]);
  assert.ok(newChainDepth > messages - orphans); // all but a progress here and there, which a resume does not read
  assert.ok(fs.readFileSync(file).equals(apply(bytes, want.edits)));
});

test('a dry run says what would be done and does nothing', async t => {
  const bytes = fs.readFileSync(path.join(FIXTURES, 'corrupted-multiple.jsonl')), { home, file } = makeSession(t, bytes);
  const { status, orphansFixed, newChainDepth, backupPath } = await repairOne(home, 'fix', file, '--dry-run');
  assert.deepEqual([status, orphansFixed, newChainDepth, backupPath], ['repaired', 5, 9, null]);
  assert.deepEqual([fs.readFileSync(file), besides(file)], [bytes, []]);
});

test('undo brings the file back, and undo of the undo the mended one', async t => {
  const bytes = fs.readFileSync(path.join(FIXTURES, 'corrupted-multiple.jsonl')), { home, file } = makeSession(t, bytes);
  await repairOne(home, 'fix', file);
  const mended = fs.readFileSync(file);
  for (const want of [bytes, mended, bytes]) {
    const { code, stderr } = await ostler(home, ['repair', 'undo', file]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(fs.readFileSync(file), want);
  }
});

const message = (own, parent, rest = {}) => ({ parentUuid: parent, type: 'user', uuid: own, message: { role: 'user', content: 'Mend it.' }, ...rest });

/** fix, and that the file is then what the reference makes of it, healthy, and stays so. */
async function mends(t, bytes, ...options) {
  const { home, file } = makeSession(t, bytes);
  const want = repair(bytes, { active: options.includes('--active') });
  const result = await repairOne(home, 'fix', file, ...options);
  assert.deepEqual(fs.readFileSync(file).toString('latin1'), apply(bytes, want.edits).toString('latin1'));
  assert.deepEqual([result.status, result.newChainDepth], ['repaired', want.newChainDepth]);
  const { status, orphanCount, cycleCount } = await repairOne(home, 'scan', file);
  assert.deepEqual([status, orphanCount, cycleCount], ['healthy', 0, 0]);
  assert.equal((await repairOne(home, 'fix', file, ...options)).status, 'already_healthy');
  return result;
}

test('a cycle on the active chain ends neither scan nor fix', async t => {
  const bytes = jsonl(message(id(1), null), message(id(2), id(4)), message(id(3), id(2)), message(id(4), id(3)), message(id(5), id(4)));
  const { home, file } = makeSession(t, bytes);
  const { status, cycleCount, orphanCount, chainDepth } = await repairOne(home, 'scan', file);
  assert.deepEqual([status, cycleCount, orphanCount, chainDepth], ['corrupted', 1, 0, 4]);
  const { cyclesFixed, newChainDepth } = await mends(t, bytes);
  assert.deepEqual([cyclesFixed, newChainDepth], [1, 5]);
});

test('cycles of one, of two, and beside the active chain are mended', async t => {
  const bytes = jsonl(message(id(1), id(1)), message(id(2), id(3)), message(id(3), id(2)), message(id(4), null), message(id(5), id(4)));
  assert.deepEqual((await mends(t, bytes)).cyclesFixed, 2);
});

test('fix makes no cycle: an id that comes twice', t => mends(t, jsonl(message(id(1), null), message(id(1), id(9)), message(id(2), id(1)))));
test('fix makes no cycle: a child with the id of its parent', t => mends(t, jsonl(message(id(1), null), message(id(2), id(1)), message(id(2), id(2)), message(id(3), id(9)))));
test('fix makes no cycle: an orphan between a reference and what it refers to', t => mends(t, jsonl(message(id(1), id(3)), message(id(2), id(9)), message(id(3), id(2)))));

test('a file that changed after its verdict was kept is looked at again', async t => {
  const home = makeHome(t), claude = makeSessions(t), dir = path.join(claude, 'projects/-home-dev-alpha');
  const file = path.join(dir, '0f8fad5b-d9cb-469f-a165-70867728950e.jsonl'), env = { CLAUDE_CONFIG_DIR: claude };
  fs.mkdirSync(dir, { recursive: true });
  fs.copyFileSync(path.join(FIXTURES, 'corrupted-shallow.jsonl'), file);
  const all = async () => {
    const { code, results, stderr } = await repairAll(home, 'all', [], { env });
    assert.deepEqual([code, results.map(r => r.filePath)], [0, [file]], stderr);
    return [results[0].status, results[0].orphansFixed];
  };
  assert.deepEqual(await all(), ['repaired', 1]);
  assert.deepEqual(await all(), ['already_healthy', 0]);
  fs.appendFileSync(file, jsonl(message(id(50), id(1050))));
  assert.deepEqual(await all(), ['repaired', 1]);
  assert.deepEqual(await all(), ['already_healthy', 0]);
});

test('a verdict that is kept outlives the program, and is good only for the file it was about', async t => {
  const home = makeHome(t), claude = makeSessions(t), dir = path.join(claude, 'projects/p'), env = { CLAUDE_CONFIG_DIR: claude };
  const file = path.join(dir, '0f8fad5b-d9cb-469f-a165-70867728950e.jsonl'), when = new Date('2026-01-02T03:04:05Z');
  fs.mkdirSync(dir, { recursive: true });
  const write = bytes => {
    const fd = fs.openSync(file, 'w');
    fs.writeSync(fd, bytes);
    fs.closeSync(fd);
    fs.utimesSync(file, when, when);
  };
  const orphan = jsonl(message(id(1), null), message(id(2), id(9))), whole = jsonl(message(id(1), null), message(id(2), id(1)));
  write(whole);
  const status = async () => (await repairAll(home, 'all', ['--dry-run'], { env })).results[0].status;
  assert.equal(await status(), 'already_healthy');
  write(orphan); // same inode, length and time: nobody can know without reading
  assert.equal(await status(), 'already_healthy');
  fs.utimesSync(file, when, new Date(when.getTime() + 1000));
  assert.equal(await status(), 'repaired');
});

test('the orphan whose repair uncovers an inline Stop hook: one fix mends both', async t => {
  const random = new Random(3), [assistant, progress, summary, duration] = stopHookTail(random, { ids: [2, 3, 4, 5].map(id), parent: id(1) });
  const bytes = jsonl(message(id(1), null), assistant, { ...progress, parentUuid: id(1002) }, summary, duration);
  assert.equal(scan(bytes).resumeIssue, null);
  const { orphansFixed, resumeIssuesFixed, newChainDepth } = await mends(t, bytes, '--active');
  assert.deepEqual([orphansFixed, resumeIssuesFixed, newChainDepth], [1, 1, 4]);
});

test('a Stop hook\'s summary that is an orphan itself hangs on the assistant\'s message, not on a progress', async t => {
  const random = new Random(3), [assistant, progress, summary, duration] = stopHookTail(random, { ids: [2, 3, 4, 5].map(id), parent: id(1) });
  const bytes = jsonl(message(id(1), null), assistant, progress, { ...summary, parentUuid: id(1003) }, duration);
  const { orphansFixed, resumeIssuesFixed, newChainDepth } = await mends(t, bytes, '--active');
  assert.deepEqual([orphansFixed, resumeIssuesFixed, newChainDepth], [1, 0, 4]);
});

test('an inline Stop hook is an issue, but mended only for a session that is wanted', async t => {
  const bytes = jsonl(message(id(1), null), ...stopHookTail(new Random(4), { ids: [2, 3, 4].map(id), parent: id(1) }));
  const { home, file } = makeSession(t, bytes);
  const { status, resumeIssue } = await repairOne(home, 'scan', file);
  assert.deepEqual([status, resumeIssue], ['healthy', 'inline_stop_hook_progress']);
  assert.equal((await repairOne(home, 'fix', file)).status, 'already_healthy');
  assert.deepEqual([fs.readFileSync(file), besides(file)], [bytes, []]);
  const { orphansFixed, resumeIssuesFixed } = await mends(t, bytes, '--active');
  assert.deepEqual([orphansFixed, resumeIssuesFixed], [0, 1]);
});

test('a file longer than any string of JavaScript', async t => {
  const { home, file } = makeSession(t, jsonl(message(id(1), null)));
  const hole = 540_000_000; // a line of NUL bytes that takes no room on the disk
  fs.truncateSync(file, hole);
  fs.appendFileSync(file, Buffer.concat([Buffer.from('\n'), jsonl(message(id(2), id(1)), message(id(3), id(9)))]));
  const { status, messageCount, orphanCount, fileSize } = await repairOne(home, 'scan', file);
  assert.deepEqual([status, messageCount, orphanCount, fileSize], ['corrupted', 3, 1, fs.statSync(file).size]);
  assert.equal((await repairOne(home, 'fix', file, '--dry-run')).newChainDepth, 3);
});

test('whatever else is in the file is left as it is: bad UTF-8, long numbers, names that come twice, spaces, CR', async t => {
  const bytes = Buffer.concat([
    jsonl(message('a', null)), Buffer.from('{"uuid":"b","parentUuid":"gone","x":"\xff\xfe","n":12345678901234567890,"n":1e400,"10":1,"2":2}\r\n', 'latin1'),
    Buffer.from('\xff\xfe\xfd\n{ "parentUuid" : "gone" , "parentUuid" : "also gone" , "uuid" : "c", "s":"\\u00e9\\/" }\n', 'latin1'), jsonl(message('d', 'c')),
  ]);
  await mends(t, bytes);
});

test('missing and unreadable files are called so, with a reason and status 1', async t => {
  const home = makeHome(t), dir = makeSessions(t), missing = path.join(dir, 'gone.jsonl'), folder = path.join(dir, 'folder.jsonl');
  fs.mkdirSync(path.join(dir, 'folder.jsonl/a/b'), { recursive: true });
  fs.writeFileSync(path.join(dir, 'fine.jsonl'), jsonl(message('a', null)));
  const { code, results } = await repairAll(home, 'scan', [missing, path.join(dir, 'fine.jsonl')]);
  assert.equal(code, 1);
  assert.deepEqual(results.map(r => [r.status, r.filePath, typeof r.error]),
    [['missing', missing, 'string'], ['healthy', path.join(dir, 'fine.jsonl'), 'undefined']]);
  const fixed = await repairAll(home, 'fix', [missing]);
  assert.equal(fixed.code, 1);
  assert.deepEqual(fixed.results.map(r => [r.status, r.orphansFixed, r.backupPath, typeof r.error]), [['failed', 0, null, 'string']]);
  assert.ok(fs.statSync(folder).isDirectory());
});

test('a transcript that may not be read is unreadable', { skip: process.getuid() === 0 && 'root reads everything' }, async t => {
  const { home, file } = makeSession(t, jsonl(message('a', 'gone')));
  fs.chmodSync(file, 0);
  const { code, results } = await repairAll(home, 'scan', [file]);
  assert.deepEqual([code, results[0].status], [1, 'unreadable']);
  assert.deepEqual((await repairAll(home, 'fix', [file])).results[0].status, 'failed');
});

test('what is called a transcript and is none is not waited for', async t => {
  const home = makeHome(t), fifo = path.join(makeSessions(t), 'fifo.jsonl');
  execFileSync('mkfifo', [fifo]);
  const scanned = await repairAll(home, 'scan', [fifo]), fixed = await repairAll(home, 'fix', [fifo]);
  assert.deepEqual([scanned.code, scanned.results[0].status], [1, 'unreadable']);
  assert.deepEqual([fixed.code, fixed.results[0].status], [1, 'failed']);
});

for (const [how, parent] of [['in place', id(9)], ['by a new file', 'x']])
  test(`a transcript behind a symbolic link is mended where it is, ${how}`, async t => {
    const bytes = jsonl(message(id(1), null), message(id(2), parent)), { home, file, dir } = makeSession(t, bytes, { name: 'real.jsonl' }), link = path.join(dir, 'link.jsonl');
    fs.symlinkSync('real.jsonl', link);
    assert.equal((await repairOne(home, 'fix', link)).status, 'repaired');
    assert.ok(fs.lstatSync(link).isSymbolicLink());
    assert.deepEqual(fs.readFileSync(file), apply(bytes, repair(bytes).edits));
  });

test('an orphan right after a compaction hangs on its boundary', async t => {
  const boundary = { parentUuid: null, logicalParentUuid: id(2), type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', uuid: id(3) };
  const bytes = jsonl(message(id(1), null), message(id(2), id(1)), boundary, message(id(4), id(1004), { isCompactSummary: true }), message(id(5), id(4)));
  const { newChainDepth } = await mends(t, bytes);
  assert.equal(newChainDepth, 3);
});

test('no backup is ever written over', async t => {
  const { home, file } = makeSession(t, jsonl(message('a', 'gone'))), taken = [];
  for (let ms = Date.now(), end = ms + 8000; ms < end; ms++) taken.push(`${file}.backup-${ms}`);
  for (const name of taken) fs.writeFileSync(name, '');
  const { backupPath } = await repairOne(home, 'fix', file);
  assert.ok(!taken.includes(backupPath) && fs.readFileSync(backupPath).equals(jsonl(message('a', 'gone'))));
  assert.ok(taken.every(name => fs.statSync(name).size === 0));
});
