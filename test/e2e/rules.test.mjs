// Rules that are written from here into a CLI's own settings: shown before, listed, and undone.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { environment, startDaemon } from './lib/daemon.mjs';
import { HOOK, runHooks } from './lib/hook.mjs';
import { Agent } from './lib/payloads.mjs';

const send = async (daemon, method, where, body) => {
  const reply = await daemon.fetch(where, { method, headers: { 'content-type': 'application/json' }, body: body && JSON.stringify(body) });
  return [reply.status, await reply.json()];
};

/** A project's directory, and an agent that works there. */
async function startAgent(daemon) {
  const cwd = path.join(daemon.home, 'project');
  fs.mkdirSync(cwd, { recursive: true });
  const agent = new Agent({ cwd });
  await runHooks(daemon.home, [agent.start()]);
  const local = path.join(cwd, '.claude', 'settings.local.json');
  return { agent, cwd, local };
}

async function until(look) {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise(done => setTimeout(done, 20));
  }
}

test('what "always" wrote is listed with its file, and taken out again with all other bytes as they were', async t => {
  const daemon = await startDaemon(t);
  const { agent, cwd, local } = await startAgent(daemon);
  const hook = spawn(HOOK, ['--cli', 'claude', '--reply'], { env: environment(daemon.home), stdio: ['pipe', 'pipe', 'inherit'] });
  hook.stdin.end(JSON.stringify(agent.permission('Bash', { command: 'npm test' })));
  const { id, digest, rules } = await until(async () => (await daemon.get('/api/approvals')).approvals.find(one => one.can.includes('always')));
  assert.deepEqual(rules[0], { rule: 'Bash(npm test:*)', where: 'localSettings' });
  const ended = once(hook, 'close');
  assert.equal((await send(daemon, 'POST', `/api/approvals/${id}`, { decision: 'always', digest, rule: 'Bash(npm run test:*)' }))[0], 200);
  await ended;

  // The CLI writes it; until it has, the list says that it is not there.
  const listed = async () => (await daemon.get('/api/rules')).rules;
  assert.deepEqual((await listed()).map(r => [r.rule, r.where, r.project, r.file, r.state]),
    [['Bash(npm run test:*)', 'localSettings', cwd, local, 'gone']]);
  const text = '{\n\t"permissions": {\n\t\t"allow": ["Read", "Bash(npm run test:*)"]\n\t}, // mine\n\t"model": "opus"\n}\n';
  fs.mkdirSync(path.dirname(local));
  fs.writeFileSync(local, text);
  const [rule] = await listed();
  assert.equal(rule.state, 'there');
  assert.deepEqual(await send(daemon, 'DELETE', `/api/rules/${rule.id}`), [200, { ok: true }]);
  assert.equal(fs.readFileSync(local, 'utf8'), text.replace(', "Bash(npm run test:*)"', ''));

  // An answer is a promise.
  await daemon.crash();
  await daemon.start();
  assert.deepEqual((await listed()).map(r => r.state), ['undone']);
  assert.equal((await send(daemon, 'DELETE', '/api/rules/u1'))[0], 404);
});

test('a policy shows its rules before they are written, and takes out what it wrote', async t => {
  const daemon = await startDaemon(t);
  const { agent, local } = await startAgent(daemon);
  const where = `/api/sessions/${agent.id}/policies`;
  const { policies } = await until(async () => { const all = await daemon.get(where); return all.policies && all; });
  assert.deepEqual(policies.map(p => [p.name, p.on, p.file]), [['reads', false, local], ['directory', false, local]]);
  assert.ok(!fs.existsSync(local), 'looking writes nothing');
  assert.deepEqual(await send(daemon, 'POST', where, { name: 'directory', on: true }), [200, { ok: true }]);
  assert.deepEqual(JSON.parse(fs.readFileSync(local, 'utf8')), { permissions: { allow: policies[1].rules.map(r => r.rule) } });
  await until(async () => (await daemon.get('/api/rules')).rules.some(r => r.state === 'there'));
  assert.ok((await daemon.get(where)).policies[1].on);
  assert.deepEqual(await send(daemon, 'POST', where, { name: 'directory', on: false }), [200, { ok: true }]);
  assert.deepEqual(JSON.parse(fs.readFileSync(local, 'utf8')).permissions.allow, []);
  await until(async () => (await daemon.get('/api/rules')).rules.every(r => r.state === 'undone'));

  assert.equal((await send(daemon, 'POST', where, { name: 'everything', on: true }))[0], 409);
  assert.equal((await send(daemon, 'POST', where, { name: 'reads' }))[0], 400);
  assert.equal((await send(daemon, 'POST', '/api/sessions/nobody/policies', { name: 'reads', on: true }))[0], 404);
});

test('a repository that has put a link in the place of its settings gets nothing written elsewhere', async t => {
  const daemon = await startDaemon(t);
  const { agent, cwd, local } = await startAgent(daemon);
  const where = `/api/sessions/${agent.id}/policies`;
  await until(async () => (await daemon.fetch(where)).status === 200);
  const elsewhere = path.join(daemon.home, 'elsewhere.json');
  fs.writeFileSync(elsewhere, '{}');
  fs.mkdirSync(path.dirname(local));
  fs.symlinkSync(elsewhere, local);
  const [status, { error }] = await send(daemon, 'POST', where, { name: 'reads', on: true });
  assert.equal(status, 409);
  assert.match(error, /symbolic link/);
  fs.rmSync(path.join(cwd, '.claude'), { recursive: true });
  const other = path.join(daemon.home, 'other');
  fs.mkdirSync(other);
  fs.symlinkSync(other, path.join(cwd, '.claude'));
  assert.equal((await send(daemon, 'POST', where, { name: 'reads', on: true }))[0], 409);
  assert.equal(fs.readFileSync(elsewhere, 'utf8'), '{}');
  assert.deepEqual(fs.readdirSync(other), []);
});
