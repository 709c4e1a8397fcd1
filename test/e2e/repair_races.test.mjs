// A transcript is exchanged for a link, and its directory too, at full speed while it is mended: nothing outside gets a byte.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';
import { jsonl, repairAll } from './lib/repair.mjs';
import { runHooks } from './lib/hook.mjs';
import { Agent, turn } from './lib/payloads.mjs';

const ID = '0f8fad5b-d9cb-469f-a165-70867728950e', ROUNDS = 30;
const uuid = n => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const message = (n, parent) => ({ parentUuid: parent && uuid(parent), type: 'user', uuid: uuid(n), message: { role: 'user', content: `m${n}` } });
/** Broken in as many places as there are messages, in place or (`long`) only by a new file. */
const broken = long => jsonl(message(1, null), ...Array.from({ length: 50 }, (_, i) => ({ ...message(i + 2, 900 + i), ...(long && i % 5 === 0 && { parentUuid: 'x' }) })));

/** A home with a transcript, and beside it an outside with the same one, which no repair may touch. */
function makePlace(t, long) {
  const home = makeHome(t), projects = path.join(home, '.claude/projects'), dir = path.join(projects, '-p'), file = path.join(dir, `${ID}.jsonl`);
  const outside = path.join(home, 'outside'), victim = path.join(outside, `${ID}.jsonl`), bytes = broken(long);
  for (const one of [dir, outside]) fs.mkdirSync(one, { recursive: true });
  for (const one of [file, victim]) fs.writeFileSync(one, bytes, { mode: 0o600 });
  return { home, projects, dir, file, outside, victim, bytes };
}

/** A process that exchanges two names of a directory all the time, until it is stopped; answers how often. */
async function startSwapping(t, a, link, target) {
  const script = `const fs = require('node:fs'), [a, link, target] = ${JSON.stringify([a, link, target])};
    let n = 0, over = false;
    process.stdin.on('data', () => { over = true; }).on('end', () => { over = true; });
    function swap() {
      for (let i = 0; i < 50; i++, n++) {
        try { fs.renameSync(a, a + '.away'); fs.symlinkSync(target, link); } catch {}
        try { fs.unlinkSync(link); } catch {}
        try { fs.renameSync(a + '.away', a); } catch {}
      }
      if (over) { console.log(n); process.exit(0); }
      setImmediate(swap);
    }
    console.log('ready');
    swap();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', chunk => { said += chunk; });
  cleanup(t, () => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    await once(child, 'close');
    return Number(said.trim().split('\n').at(-1));
  };
}

for (const long of [false, true])
  for (const what of ['file', 'dir'])
    test(`${what === 'file' ? 'the transcript' : 'its directory'} becomes a link again and again, ${long ? 'by a new file' : 'in place'}`, async t => {
      const p = makePlace(t, long), [name, target] = what === 'file' ? [p.file, p.victim] : [p.dir, p.outside];
      const stop = await startSwapping(t, name, name, target);
      for (let i = 0; i < ROUNDS; i++) {
        await repairAll(p.home, 'all', []);
        await repairAll(p.home, 'fix', [ID]);
        assert.deepEqual(fs.readFileSync(p.victim), p.bytes, 'nothing is written outside');
        assert.deepEqual(fs.readdirSync(p.outside), [`${ID}.jsonl`], 'nor made there');
        try { fs.writeFileSync(p.file, p.bytes, { flag: 'r+' }); } catch { /* it is away just now */ }
        assert.deepEqual(fs.readFileSync(p.victim).length, p.bytes.length);
        fs.writeFileSync(p.victim, p.bytes); // that write of the test's own may have gone through the link
      }
      assert.ok(await stop() >= 1000, 'it was exchanged thousands of times');
    });

test('the daemon is not led elsewhere by a link in the place of a transcript', async t => {
  const p = makePlace(t, false);
  fs.rmSync(p.file);
  fs.symlinkSync(p.victim, p.file);
  fs.symlinkSync(p.outside, path.join(p.projects, '-linked'));
  const daemon = await startDaemon(t, { home: p.home }), agent = new Agent({ id: ID });
  await runHooks(p.home, turn(agent, 'hello').map(event => ({ ...event, transcript_path: p.file })));
  const answer = await daemon.fetch(`/api/sessions/${ID}`);
  await answer.arrayBuffer();
  const { results } = await repairAll(p.home, 'all', []);
  assert.deepEqual(results, []);
  await daemon.stop();
  assert.deepEqual(fs.readFileSync(p.victim), p.bytes);
  assert.deepEqual(fs.readdirSync(p.outside), [`${ID}.jsonl`]);
});

test('a transcript with a second name is read, never written, and that is said', async t => {
  const p = makePlace(t, false), second = path.join(p.outside, 'second.jsonl');
  fs.linkSync(p.file, second);
  for (const args of [['all', []], ['fix', [ID]], ['fix', [p.file]], ['undo', [p.file]]]) {
    const { code, stdout, stderr } = await ostler(p.home, ['repair', args[0], ...args[1]]);
    assert.equal(code, 1, stdout);
    if (args[0] !== 'undo') assert.match(stdout + stderr, /second name \(a hard link\)/);
    assert.deepEqual(fs.readFileSync(second), p.bytes);
  }
  assert.deepEqual(fs.readdirSync(p.dir), [`${ID}.jsonl`]);
  fs.unlinkSync(second);
  assert.equal((await repairAll(p.home, 'fix', [ID])).results[0].status, 'repaired');
});

test('~/.claude and its projects may be links of the person\'s own', async t => {
  const p = makePlace(t, false), dotfiles = path.join(p.home, 'dotfiles');
  fs.renameSync(p.projects, dotfiles);
  fs.symlinkSync('../dotfiles', p.projects);
  const { code, results } = await repairAll(p.home, 'all', []);
  assert.equal(code, 0);
  assert.deepEqual(results.map(one => one.status), ['repaired']);
  assert.ok(fs.lstatSync(p.projects).isSymbolicLink());
});
