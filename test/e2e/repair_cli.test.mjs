// `ostler repair` and `ostler archive` as a person or a script uses them, without a daemon.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { environment, makeHome, OSTLER, ostler } from './lib/daemon.mjs';

const AT = '2026-02-03T04:05:06.789Z';
const line = (uuid, parentUuid, rest = {}) => ({ parentUuid, isSidechain: false, cwd: '/p/alpha', type: 'assistant', uuid, timestamp: AT, ...rest });
const prompt = (uuid, content) => line(uuid, null, { type: 'user', message: { role: 'user', content } });
const text = (...lines) => lines.map(one => JSON.stringify(one) + '\n').join('');
const HEALTHY = text(prompt('a', 'Mend the\n fence'), line('b', 'a'), line('c', 'b'));
const BROKEN = text(prompt('a', 'Mend the fence'), line('b', 'a'), line('c', 'lost'), line('d', 'c'));
const CIRCLE = text(prompt('a', 'go'), line('b', 'c'), line('c', 'b'), line('d', 'c'));
const STOP_HOOK = text(prompt('a', 'go'), line('b', 'a'),
  line('p', 'b', { type: 'progress', toolUseID: 't', data: { type: 'hook_progress', hookEvent: 'Stop' } }),
  line('s', 'p', { type: 'system', subtype: 'stop_hook_summary', toolUseID: 't' }));

/** A home with Claude Code's directory in it, and commands that know no other. */
function makeClaude(t) {
  const home = makeHome(t), claude = path.join(home, 'claude'), project = path.join(claude, 'projects', '-p-alpha');
  fs.mkdirSync(project, { recursive: true });
  const env = { CLAUDE_CONFIG_DIR: claude };
  return {
    home, claude, project, env,
    write(content, { id = randomUUID(), dir = project } = {}) {
      const file = path.join(dir, `${id}.jsonl`);
      fs.mkdirSync(dir, { recursive: true });
      fs.writeFileSync(file, content, { mode: 0o600 });
      return file;
    },
    run: (args, options = {}) => ostler(home, args, { ...options, env: { ...env, ...options.env } }),
    async json(args) {
      const { code, stdout, stderr } = await this.run([...args, '--json']);
      return { code, stderr, objects: stdout.split('\n').filter(Boolean).map(one => JSON.parse(one)) };
    },
    backups: file => fs.readdirSync(path.dirname(file)).filter(name => name.startsWith(`${path.basename(file)}.backup-`)).sort(),
  };
}

const idOf = file => path.basename(file, '.jsonl');
const read = file => fs.readFileSync(file, 'utf8');

test('both commands are listed, know --help, and alone explain themselves with 2', async t => {
  const claude = makeClaude(t);
  assert.match((await claude.run(['--help'])).stdout, /^ {2}archive .*\n(?:.*\n)*^ {2}repair /m);
  for (const command of ['repair', 'archive']) {
    const alone = await claude.run([command]);
    assert.deepEqual([alone.code, alone.stdout], [2, '']);
    assert.match(alone.stderr, new RegExp(`^usage: ostler ${command}`));
    for (const args of [[command, '--help'], [command, '-h'], ['help', command]]) {
      const { code, stdout, stderr } = await claude.run(args);
      assert.deepEqual([code, stderr], [0, ''], args.join(' '));
      assert.equal(stdout, alone.stderr);
    }
  }
});

test('what is not understood is refused with 2, and nothing is done', async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN);
  for (const args of [
    ['repair', 'frobnicate'], ['repair', 'scan'], ['repair', 'fix'], ['repair', 'undo'], ['repair', 'undo', file, file],
    ['repair', 'all', file], ['repair', 'scan', '--dry-run', file], ['repair', 'scan', '--frobnicate', file],
    ['repair', 'all', '--active'], ['repair', 'fix', '--verbose', file],
    ['archive', 'frobnicate'], ['archive', 'on', 'now'], ['archive', 'restore'], ['archive', 'restore', 'a', 'b'],
    ['archive', 'restore', 'a', '--to'], ['archive', 'keep', '--json'], ['archive', 'ls', '--to', 'x'],
  ]) {
    const { code, stdout, stderr } = await claude.run(args);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^ostler (repair|archive): .+\n$/, args.join(' '));
  }
  assert.equal(read(file), BROKEN);
});

test('scan --json: every field, in its order, and nothing changes', async t => {
  const claude = makeClaude(t);
  const files = [HEALTHY, BROKEN, CIRCLE, STOP_HOOK, ''].map(content => claude.write(content));
  const { code, objects, stderr } = await claude.json(['repair', 'scan', ...files]);
  assert.deepEqual([code, stderr], [0, '']);
  const row = (i, status, chainDepth, orphanCount, messageCount, resumeIssue, cycleCount, gluedCount = 0) => ({
    sessionId: idOf(files[i]), filePath: files[i], status, chainDepth, orphanCount, messageCount,
    fileSize: fs.statSync(files[i]).size, resumeIssue, cycleCount, gluedCount,
  });
  assert.deepEqual(objects, [
    row(0, 'healthy', 3, 0, 3, null, 0), row(1, 'corrupted', 2, 1, 4, null, 0), row(2, 'corrupted', 3, 0, 4, null, 1),
    row(3, 'healthy', 4, 0, 4, 'inline_stop_hook_progress', 0), row(4, 'healthy', 0, 0, 0, null, 0),
  ]);
  assert.deepEqual(Object.keys(objects[0]), Object.keys(row(0)));
  assert.deepEqual(fs.readdirSync(claude.project).length, 5);
  assert.equal(fs.existsSync(path.join(claude.home, 'transcripts.db')), false);
});

test('scan for people: a line each, a sentence at the end', async t => {
  const claude = makeClaude(t), well = claude.write(HEALTHY, { id: 'well' }), broken = claude.write(BROKEN, { id: 'broken' });
  const { code, stdout } = await claude.run(['repair', 'scan', well, broken]);
  assert.equal(code, 0);
  const [head, first, second, gap, end, rest] = stdout.split('\n');
  assert.match(head, /^STATUS .* TRANSCRIPT$/);
  assert.match(first, /^healthy +3 +3 +\d+ B +- +~\/claude\/projects\/-p-alpha\/well\.jsonl$/);
  assert.match(second, /^corrupted +4 +2 +\d+ B +1 orphan +~\/claude\/projects\/-p-alpha\/broken\.jsonl$/);
  for (const row of [first, second]) assert.equal(row.indexOf('~'), head.indexOf('TRANSCRIPT'));
  assert.equal(gap, '');
  assert.match(end, /^2 transcripts: 1 healthy, 1 corrupted \(1 orphan\)\. .*ostler repair fix/);
  assert.equal(rest, '');
});

test('missing and unreadable files are said to be so, with 1, and do not keep others from being seen', async t => {
  const claude = makeClaude(t), well = claude.write(HEALTHY), missing = path.join(claude.project, 'missing.jsonl');
  for (const command of ['scan', 'fix']) {
    const { code, objects } = await claude.json(['repair', command, missing, '/dev/null', well]);
    assert.equal(code, 1);
    assert.deepEqual(objects.map(one => one.status),
      command === 'scan' ? ['missing', 'unreadable', 'healthy'] : ['failed', 'failed', 'already_healthy']);
    for (const one of objects.slice(0, 2)) assert.ok(one.error.length > 5, JSON.stringify(one));
    assert.equal('error' in objects[2], false);
    const human = await claude.run(['repair', command, missing, well]);
    assert.equal(human.code, 1);
    assert.match(human.stdout, /^missing .*missing\.jsonl/m);
    assert.match(human.stdout, /1 could not be (read|mended)/);
  }
});

test('a file that may not be read', { skip: process.getuid() === 0 && 'root may read everything' }, async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN);
  fs.chmodSync(file, 0);
  assert.equal((await claude.json(['repair', 'scan', file])).objects[0].status, 'unreadable');
  const { code, objects } = await claude.json(['repair', 'fix', file]);
  assert.deepEqual([code, objects[0].status], [1, 'failed']);
});

test('records that share a line are parted; undo joins them again and keeps what came since', async t => {
  const lines = [line('a', null), line('b', 'a'), line('c', 'b')].map(one => JSON.stringify(one)), glued = `${lines[0]}${lines[1]}\n${lines[2]}\n`;
  const claude = makeClaude(t), file = claude.write(glued), late = text(line('d', 'c'));
  const scanned = await claude.run(['repair', 'scan', file]);
  assert.match(scanned.stdout, /^corrupted +3 +3 .* 1 glued line /m);
  const { objects: [{ status, gluedFixed, orphansFixed }] } = await claude.json(['repair', 'fix', file]);
  assert.deepEqual([status, gluedFixed, orphansFixed], ['repaired', 1, 0]);
  assert.equal(read(file), `${lines.join('\n')}\n`);
  fs.appendFileSync(file, late);
  assert.equal((await claude.run(['repair', 'undo', file])).code, 0);
  assert.equal(read(file), glued + late);
});

test('fix mends, once, and says how; undo takes it back, and undo of undo does it again', async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN);
  const { code, objects: [mended], stderr } = await claude.json(['repair', 'fix', file]);
  assert.deepEqual([code, stderr], [0, '']);
  const { backupPath, ...rest } = mended;
  assert.deepEqual(rest, {
    sessionId: idOf(file), filePath: file, status: 'repaired', orphansFixed: 1, resumeIssuesFixed: 0, newChainDepth: 4, cyclesFixed: 0, gluedFixed: 0,
  });
  assert.deepEqual(claude.backups(file), [path.basename(backupPath)]);
  assert.equal(read(backupPath), BROKEN);
  const after = read(file);
  assert.deepEqual(after.trim().split('\n').map(one => JSON.parse(one).parentUuid), [null, 'a', 'b', 'c']);

  const again = await claude.json(['repair', 'fix', file]);
  assert.deepEqual([again.code, again.objects[0].status, again.objects[0].backupPath], [0, 'already_healthy', null]);
  assert.equal(again.objects[0].newChainDepth, 4);
  assert.equal(claude.backups(file).length, 1);

  const undo = await claude.run(['repair', 'undo', file]);
  assert.equal(undo.code, 0);
  assert.match(undo.stdout, new RegExp(path.basename(backupPath)));
  assert.equal(read(file), BROKEN);
  assert.equal((await claude.run(['repair', 'undo', file])).code, 0);
  assert.equal(read(file), after);
  assert.equal((await claude.json(['repair', 'scan', file])).objects[0].status, 'healthy');
});

test('undo without a backup, or of no file, says so', async t => {
  const claude = makeClaude(t), file = claude.write(HEALTHY);
  for (const word of [file, path.join(claude.project, 'missing.jsonl')]) {
    const { code, stderr, stdout } = await claude.run(['repair', 'undo', word]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /backup/);
  }
  assert.equal(read(file), HEALTHY);
});

test('fix for people says what was mended and how to take it back', async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN, { id: 'broken' }), circle = claude.write(CIRCLE, { id: 'circle' });
  const { code, stdout } = await claude.run(['repair', 'fix', file, circle]);
  assert.equal(code, 0);
  assert.match(stdout, /^mended +2 +4 +1 orphan +~\/claude\/projects\/-p-alpha\/broken\.jsonl$/m);
  assert.match(stdout, /^mended +3 +4 +1 cycle +~\/claude\/projects\/-p-alpha\/circle\.jsonl$/m);
  assert.match(stdout, /2 transcripts: 2 mended \(1 orphan, 1 cycle\)\. .*ostler repair undo FILE/);
  assert.doesNotMatch(stdout, /\u001b/);
});

test('--active mends the stop hook too, and only then', async t => {
  const claude = makeClaude(t), file = claude.write(STOP_HOOK);
  assert.equal((await claude.json(['repair', 'fix', file])).objects[0].status, 'already_healthy');
  assert.equal((await claude.json(['repair', 'all'])).objects[0].status, 'already_healthy');
  const { objects: [mended] } = await claude.json(['repair', 'fix', '--active', file]);
  assert.deepEqual([mended.status, mended.resumeIssuesFixed, mended.orphansFixed], ['repaired', 1, 0]);
  assert.equal((await claude.json(['repair', 'scan', file])).objects[0].resumeIssue, null);
});

test('--dry-run says what would be mended and touches nothing', async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN);
  claude.write(HEALTHY);
  for (const args of [['fix', file], ['all']]) {
    const { code, objects } = await claude.json(['repair', ...args, '--dry-run']);
    const one = objects.find(object => object.filePath === file);
    assert.equal(code, 0);
    assert.deepEqual([one.status, one.orphansFixed, one.newChainDepth, one.backupPath, one.dryRun], ['repaired', 1, 4, null, true]);
    const human = await claude.run(['repair', ...args, '--dry-run']);
    assert.match(human.stdout, /^mendable /m);
    assert.match(human.stdout, /1 to mend \(1 orphan\)\. Nothing was changed\./);
  }
  assert.equal(read(file), BROKEN);
  assert.deepEqual(claude.backups(file), []);
  assert.equal(fs.existsSync(path.join(claude.claude, 'history.jsonl')), false);
});

test('a directory means its transcripts and those one level below, not those of subagents', async t => {
  const claude = makeClaude(t), session = claude.write(BROKEN, { id: 'b' });
  claude.write(HEALTHY, { id: 'a' });
  claude.write(BROKEN, { id: 'deep', dir: path.join(claude.project, 'b', 'subagents') });
  claude.write(HEALTHY, { id: 'c', dir: path.join(claude.project, 'b') });
  fs.writeFileSync(path.join(claude.project, 'notes.txt'), 'x');
  fs.writeFileSync(`${session}.backup-1`, BROKEN);
  const { code, objects } = await claude.json(['repair', 'scan', claude.project]);
  assert.deepEqual([code, objects.map(one => one.sessionId)], [0, ['a', 'b', 'c']]);
  const nested = await claude.json(['repair', 'scan', path.join(claude.project, 'b')]);
  assert.deepEqual(nested.objects.map(one => one.sessionId), ['c']);
  const mended = await claude.json(['repair', 'fix', `${claude.project}/`]);
  assert.deepEqual(mended.objects.map(one => one.status), ['already_healthy', 'repaired', 'already_healthy']);
  fs.mkdirSync(path.join(claude.project, 'empty'));
  const empty = await claude.run(['repair', 'scan', path.join(claude.project, 'empty')]);
  assert.deepEqual([empty.code, empty.stdout], [0, 'No transcripts found.\n']);
});

test('a relative path and a session id mean the same file', async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN);
  const child = spawn(OSTLER, ['repair', 'scan', '--json', `./${path.basename(file)}`, `../-p-alpha/${path.basename(file)}`, '.', '..'],
    { cwd: claude.project, env: environment(claude.home, claude.env), stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', chunk => { said += chunk; });
  assert.deepEqual(await once(child, 'close'), [0, null]);
  assert.deepEqual(said.trim().split('\n').map(one => JSON.parse(one).filePath), [file, file, file, file]);
  const { code, objects } = await claude.json(['repair', 'fix', idOf(file)]);
  assert.deepEqual([code, objects[0].filePath, objects[0].status], [0, file, 'repaired']);
  assert.equal((await claude.json(['repair', 'scan', randomUUID()])).objects[0].status, 'missing');
});

test('all mends every transcript, names those it mended, and knows the rest the next time', async t => {
  const claude = makeClaude(t), broken = claude.write(BROKEN);
  for (let i = 0; i < 20; i++) claude.write(HEALTHY, { dir: path.join(claude.claude, 'projects', `-p-${i % 3}`) });
  const first = await claude.run(['repair', 'all']);
  assert.equal(first.code, 0);
  assert.deepEqual(first.stdout.split('\n').filter(row => /^(healthy|mended)/.test(row)).map(row => row.split(' ')[0]), ['mended']);
  assert.match(first.stdout, /21 transcripts: 20 healthy, 1 mended \(1 orphan\)/);
  assert.equal(claude.backups(broken).length, 1);

  const second = await claude.run(['repair', 'all']);
  assert.deepEqual([second.code, second.stdout], [0, '21 transcripts: all healthy.\n']);
  const verbose = await claude.run(['repair', 'all', '--verbose']);
  assert.equal(verbose.stdout.match(/^healthy/gm).length, 21);
  const { objects } = await claude.json(['repair', 'all']);
  assert.deepEqual(objects.map(one => one.filePath), objects.map(one => one.filePath).sort());
  assert.equal(objects.length, 21);
  assert.ok(objects.every(one => one.status === 'already_healthy'));
  assert.equal(objects.find(one => one.filePath === broken).newChainDepth, 4);

  fs.appendFileSync(broken, text(line('e', 'gone')));
  assert.equal((await claude.json(['repair', 'all'])).objects.find(one => one.filePath === broken).orphansFixed, 1);
});

test('all without any transcripts is well', async t => {
  const claude = makeClaude(t);
  const { code, stdout } = await claude.run(['repair', 'all']);
  assert.deepEqual([code, stdout], [0, 'No transcripts in ~/claude/projects.\n']);
  fs.rmSync(claude.claude, { recursive: true });
  assert.equal((await claude.run(['repair', 'all'])).code, 0);
  assert.deepEqual((await claude.json(['repair', 'all'])).objects, []);
});

test('without a state directory it mends all the same, and says what is lost', async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN), blocked = path.join(claude.home, 'blocked');
  fs.writeFileSync(blocked, 'a file');
  const { code, stdout, stderr } = await claude.run(['repair', 'fix', file], { env: { OSTLER_HOME: path.join(blocked, 'state') } });
  assert.equal(code, 0);
  assert.match(stdout, /^mended /m);
  assert.match(stderr, /^ostler repair: warning: .+\n$/);
  assert.equal(claude.backups(file).length, 1);
});

test('a file\'s name cannot speak to the terminal', async t => {
  const claude = makeClaude(t);
  claude.write(HEALTHY, { id: 'red\u001b[31m\u0007\u009b' });
  const { stdout } = await claude.run(['repair', 'scan', claude.project]);
  assert.doesNotMatch(stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test('archive: off at first, on and off again, and it says so', async t => {
  const claude = makeClaude(t);
  assert.match((await claude.run(['archive', 'status'])).stdout, /archive is off\. Nothing is kept/);
  assert.deepEqual([(await claude.run(['archive', 'on'])).code, (await claude.run(['archive', 'status'])).stdout.includes('is on')], [0, true]);
  assert.deepEqual([(await claude.run(['archive', 'off'])).code, (await claude.run(['archive', 'status'])).stdout.includes('is off')], [0, true]);
  assert.match((await claude.run(['archive', 'ls'])).stdout, /Nothing is kept/);
  assert.deepEqual((await claude.json(['archive', 'ls'])).objects, []);
});

test('archive: what is kept comes back when the CLI has deleted it', async t => {
  const claude = makeClaude(t), id = randomUUID(), file = claude.write(HEALTHY, { id });
  const mtime = new Date('2025-06-07T08:09:10.000Z');
  fs.utimesSync(file, mtime, mtime);
  claude.write(BROKEN);
  const kept = await claude.run(['archive', 'keep', file]);
  assert.deepEqual([kept.code, kept.stderr], [0, '']);
  assert.match(kept.stdout, /^kept .*\n1 transcript kept/);
  assert.match((await claude.run(['archive', 'keep'])).stdout, /^1 transcript kept .*1 kept already/m);
  assert.match((await claude.run(['archive', 'status'])).stdout, /2 transcripts are kept/);
  const { on, transcripts, fileSize, archiveSize } = JSON.parse((await claude.run(['archive', 'status', '--json'])).stdout);
  assert.deepEqual([on, transcripts, fileSize > 0, archiveSize > 0], [false, 2, true, true]);
  const { objects } = await claude.json(['archive', 'ls']);
  assert.equal(objects.length, 2);
  const one = objects.find(object => object.sessionId === id);
  assert.deepEqual([one.filePath, one.fileSize, one.modifiedAt], [file, HEALTHY.length, mtime.getTime()]);
  assert.ok(fs.existsSync(one.archivePath) && one.archiveSize > 0 && one.archivedAt > mtime.getTime());
  assert.match((await claude.run(['archive', 'ls'])).stdout, new RegExp(`${id} ~/claude/projects/-p-alpha/${id}.jsonl`));

  const there = await claude.run(['archive', 'restore', id]);
  assert.equal(there.code, 1);
  assert.match(there.stderr, /--to FILE/);
  fs.rmSync(claude.project, { recursive: true });
  const back = await claude.run(['archive', 'restore', id.slice(0, 8)]);
  assert.deepEqual([back.code, back.stderr], [0, '']);
  assert.equal(read(file), HEALTHY);
  assert.equal(fs.statSync(file).mtimeMs, mtime.getTime());
  const elsewhere = path.join(claude.home, 'elsewhere.jsonl');
  assert.equal((await claude.run(['archive', 'restore', '--to', elsewhere, id])).code, 0);
  assert.equal(read(elsewhere), HEALTHY);
  assert.equal((await claude.run(['archive', 'restore', '--to', elsewhere, id])).code, 1);
  assert.equal((await claude.run(['archive', 'restore', 'ffffffff-nobody'])).code, 1);
});

test('archive: what cannot be kept is said, with 1', async t => {
  const claude = makeClaude(t);
  const { code, stdout } = await claude.run(['archive', 'keep', path.join(claude.project, 'missing.jsonl')]);
  assert.equal(code, 1);
  assert.match(stdout, /^failed .*missing\.jsonl.*\n0 transcripts kept, 1 that could not be/);
});

test('archive on: whatever is mended or looked at by all is kept', async t => {
  const claude = makeClaude(t);
  claude.write(HEALTHY);
  assert.equal((await claude.run(['archive', 'on'])).code, 0);
  assert.equal((await claude.run(['repair', 'all'])).code, 0);
  assert.equal((await claude.json(['archive', 'ls'])).objects.length, 1);
});

/** A command at a terminal of its own: what it shows, and a way to type. */
function atTerminal(claude, args) {
  const command = [OSTLER, ...args].map(word => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'],
    { env: environment(claude.home, { ...claude.env, TERM: 'xterm' }), stdio: ['pipe', 'pipe', 'inherit'] });
  const terminal = { child, shown: '', ended: once(child, 'close') };
  child.stdout.setEncoding('utf8').on('data', chunk => { terminal.shown += chunk; });
  terminal.shows = async pattern => {
    while (!pattern.test(terminal.shown)) await once(child.stdout, 'data', { signal: AbortSignal.timeout(30_000) });
  };
  return terminal;
}

test('long work shows how far it is, and Ctrl-C ends it', async t => {
  const claude = makeClaude(t), file = claude.write(BROKEN);
  fs.truncateSync(file, 64 * 2 ** 30); // takes a good while, and no room
  const terminal = atTerminal(claude, ['repair', 'fix', file]);
  await terminal.shows(/\rMending .*\d+ % .*\d+ [MG]?B of 69 GB, .*B\/s/);
  terminal.child.stdin.write('\x03');
  assert.deepEqual(await terminal.ended, [130, null]);
  assert.match(terminal.shown, /stopped after 0 of 1 transcripts; none is half mended/);
  assert.ok(terminal.shown.lastIndexOf('\r\x1b[K') > terminal.shown.lastIndexOf('Mending'), 'the bar was not taken away');
  assert.deepEqual(claude.backups(file), []);
  assert.equal(fs.statSync(file).size, 64 * 2 ** 30);
});

test('colours at a terminal, unless NO_COLOR; no bar when it is quick', async t => {
  const claude = makeClaude(t), file = claude.write(HEALTHY);
  const coloured = atTerminal(claude, ['repair', 'scan', file]);
  await coloured.ended;
  assert.match(coloured.shown, /\x1b\[32mhealthy/);
  assert.doesNotMatch(coloured.shown, /Scanning/);
  claude.env.NO_COLOR = '1';
  const plain = atTerminal(claude, ['repair', 'scan', file]);
  await plain.ended;
  assert.match(plain.shown, /healthy/);
  assert.doesNotMatch(plain.shown, /\x1b/);
});
