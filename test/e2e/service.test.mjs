// ostler service: the unit, in the eyes of systemd, and with a manager that runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { environment, makeHome, OSTLER, ostler } from './lib/daemon.mjs';
import { alive, gone } from './lib/keeper.mjs';
import { Manager, noManager } from './lib/manager.mjs';

const unitOf = home => path.join(home, '.config/systemd/user/ostler.service');
const linkOf = home => path.join(home, '.config/systemd/user/default.target.wants/ostler.service');
const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;

/** Every problem that systemd has with a unit of a user. */
function verify(home, file) {
  const { status, stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--user', file],
    { encoding: 'utf8', env: { ...environment(home), XDG_RUNTIME_DIR: home } });
  return { status, said: `${stdout}${stderr}`.split('\n').filter(line => line.includes('ostler')).join('\n') };
}

test('without a manager: the unit is written and enabled, and what to do is said', async t => {
  const home = makeHome(t);
  const status = () => ostler(home, ['service', 'status', '--json']).then(r => ({ code: r.code, ...JSON.parse(r.stdout) }));
  assert.deepEqual(await status(), { code: 1, installed: false, file: unitOf(home), enabled: false, active: false, manager: false, lingering: false });
  const { code, stdout } = await ostler(home, ['service', 'install']);
  assert.equal(code, 0);
  assert.match(stdout, /~\/\.config\/systemd\/user\/ostler\.service/);
  assert.match(stdout, /next login[\s\S]*loginctl enable-linger/);
  const text = fs.readFileSync(unitOf(home), 'utf8');
  assert.ok(text.includes(`ExecStart="${OSTLER}" serve --no-open\n`));
  assert.ok(text.includes(`Environment="OSTLER_HOME=${home}"\n`) && text.includes(`Environment="PATH=${process.env.PATH}"\n`));
  assert.match(text, /^KillMode=process$/m);
  assert.equal(fs.readlinkSync(linkOf(home)), '../ostler.service');
  assert.equal((await status()).enabled, true);
  assert.equal((await ostler(home, ['service', 'install'])).code, 0);
  assert.equal(fs.readFileSync(unitOf(home), 'utf8'), text, 'twice is once');

  assert.equal((await ostler(home, ['service', 'uninstall'])).code, 0);
  assert.deepEqual([unitOf(home), linkOf(home), path.dirname(linkOf(home))].filter(file => fs.existsSync(file)), []);
  assert.match((await ostler(home, ['service', 'uninstall'])).stdout, /not installed/);
});

test('a unit of somebody else\'s is left alone', async t => {
  const home = makeHome(t), text = '[Service]\nExecStart=/bin/true\n';
  fs.mkdirSync(path.dirname(unitOf(home)), { recursive: true });
  fs.writeFileSync(unitOf(home), text);
  for (const action of ['install', 'uninstall', 'status']) {
    const { code, stderr } = await ostler(home, ['service', action]);
    assert.equal(code, 1, action);
    assert.match(stderr, /was not written by ostler/);
  }
  assert.equal(fs.readFileSync(unitOf(home), 'utf8'), text);
});

test('without HOME there is no place for it', async t => {
  const { code, stderr } = await ostler(makeHome(t), ['service', 'install'], { env: { HOME: '' } });
  assert.deepEqual([code, /HOME is not set/.test(stderr)], [1, true]);
});

test('systemd has nothing to say against the unit, whatever is in the environment', { skip: analyze ? false : 'systemd is not installed' }, async t => {
  const home = makeHome(t), odd = path.join(home, 'odd 100% $HOME "quoted" \\x');
  fs.mkdirSync(odd);
  assert.equal((await ostler(home, ['service', 'install'], { env: { OSTLER_HOME: odd } })).code, 0);
  assert.deepEqual(verify(home, unitOf(home)), { status: 0, said: '' });

  const plain = path.join(home, 'plain'); // as a package has it
  fs.mkdirSync(plain);
  const { stdout } = await ostler(home, ['service', 'print', '--program', OSTLER]);
  assert.doesNotMatch(stdout, /Environment=/);
  fs.writeFileSync(path.join(plain, 'ostler.service'), stdout);
  assert.deepEqual(verify(home, path.join(plain, 'ostler.service')), { status: 0, said: '' });
  fs.writeFileSync(path.join(plain, 'ostler.service'), stdout.replace('KillMode=process', 'KillMode=nobody')); // it would tell
  assert.match(verify(home, path.join(plain, 'ostler.service')).said, /KillMode|kill mode/i);
});

test('with a manager: installed, it runs; stopped and uninstalled, its terminals live', { skip: await noManager() ?? false }, async t => {
  const home = makeHome(t), manager = await Manager.start(t, { home }), config = path.dirname(unitOf(home)), env = environment(home);
  if (manager.prefix.length === 0) return t.skip('the manager that runs here has units of its own, which are not for tests');
  const call = async (...args) => {
    const child = manager.spawn([OSTLER, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { said += chunk; });
    const [code] = await once(child, 'close');
    return { code, said };
  };
  cleanup(t, () => call('service', 'uninstall'));
  // A free port: the unit has none of its own.
  fs.mkdirSync(path.join(config, 'ostler.service.d'), { recursive: true });
  cleanup(t, () => fs.rmSync(path.join(config, 'ostler.service.d'), { recursive: true }));
  fs.writeFileSync(path.join(config, 'ostler.service.d/port.conf'), '[Service]\nEnvironment=PORT=0\n');

  const installed = await call('service', 'install');
  assert.equal(installed.code, 0, installed.said);
  const announced = path.join(home, 'run/daemon.json');
  const waitFor = async look => { while (!look()) await new Promise(resolve => { setTimeout(resolve, 10); }); };
  await waitFor(() => fs.existsSync(announced));
  const { pid, port } = JSON.parse(fs.readFileSync(announced, 'utf8'));
  assert.equal(await manager.unit(pid), 'ostler.service');
  assert.match((await call('service', 'status')).said, /runs/);

  const url = `http://127.0.0.1:${port}/api/terminals`;
  const made = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ argv: ['sleep', '1000'], workingDir: '/' }) });
  const { terminalId } = await made.json(), { pid: program } = await (await fetch(`${url}/${terminalId}`)).json();
  cleanup(t, () => { if (alive(program)) process.kill(program, 'SIGKILL'); });

  // What runs in a terminal is what it would be anywhere: nothing of the unit is locked there.
  const facts = text => Object.fromEntries([...text.matchAll(/^(Seccomp|NoNewPrivs|Umask|CapBnd):\s+(\S+)/gm)].map(([, name, value]) => [name, value]));
  assert.deepEqual(facts(fs.readFileSync(`/proc/${program}/status`, 'utf8')), facts(await manager.run('cat', '/proc/self/status')));

  const restarted = await call('restart'); // in its place: the manager notices nothing
  assert.equal(restarted.code, 0, restarted.said);
  assert.equal((await manager.run('systemctl', '--user', 'show', '-p', 'MainPID,NRestarts', '--value', 'ostler')).trim().split('\n')[0], String(pid));
  process.kill(pid, 'SIGKILL'); // a crash is mended
  await waitFor(() => { try { return JSON.parse(fs.readFileSync(announced, 'utf8')).pid !== pid; } catch { return false; } });
  const next = JSON.parse(fs.readFileSync(announced, 'utf8')).pid;
  assert.equal((await call('stop')).code, 0); // an orderly stop is not
  await gone(next);
  assert.equal((await manager.run('systemctl', '--user', 'show', '-p', 'ActiveState', '--value', 'ostler')).trim(), 'inactive');

  const gone1 = await call('service', 'uninstall');
  assert.equal(gone1.code, 0, gone1.said);
  assert.equal(fs.existsSync(path.join(config, 'ostler.service')), false);
  assert.ok(alive(program), 'the terminal lives');
});
