// With a systemd user manager, a terminal outlives the unit that its daemon ran in.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cleanup } from './lib/cleanup.mjs';
import { environment, makeHome, OSTLER } from './lib/daemon.mjs';
import { alive, gone } from './lib/keeper.mjs';
import { Manager, noManager } from './lib/manager.mjs';

const parent = pid => Number(fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1]);

test('a keeper has a scope of its own, and lives when the daemon\'s is stopped', { skip: await noManager() ?? false }, async t => {
  const manager = await Manager.start(t), home = makeHome(t), unit = `ostler-test-daemon-${process.pid}.scope`;
  const daemon = manager.spawn(['systemd-run', '--user', '--scope', '--quiet', '--collect', `--unit=${unit}`, '--', OSTLER, 'serve', '--port', '0', '--no-open'],
    { env: environment(home), stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(daemon, 'exit');
  cleanup(t, () => daemon.kill('SIGKILL'));
  const info = path.join(home, 'run/daemon.json');
  while (!fs.existsSync(info)) {
    assert.equal(daemon.exitCode, null, 'the daemon ended');
    await new Promise(resolve => { setTimeout(resolve, 10); });
  }
  const { port, pid } = JSON.parse(fs.readFileSync(info, 'utf8'));
  assert.equal(await manager.unit(pid), unit);

  const url = `http://127.0.0.1:${port}/api/terminals`;
  const made = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ argv: ['sleep', '1000'], workingDir: '/' }) });
  const { terminalId } = await made.json();
  const terminal = await (await fetch(`${url}/${terminalId}`)).json();
  const keeper = parent(terminal.pid);
  cleanup(t, () => { for (const one of [keeper, terminal.pid]) if (alive(one)) process.kill(one, 'SIGKILL'); });
  assert.match(await manager.unit(keeper), new RegExp(`^ostler-${terminalId}-\\d+\\.scope$`));
  assert.equal(await manager.unit(terminal.pid), await manager.unit(keeper));

  await manager.run('systemctl', '--user', 'stop', unit);
  await ended;
  await gone(pid);
  assert.ok(alive(keeper) && alive(terminal.pid), 'stopping the daemon\'s unit ended nothing else');
});
