// Programs that are started oddly: without standard descriptors.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';
import { ostler, startDaemon } from './lib/daemon.mjs';

/** Runs words with these descriptors closed. */
const without = (...closed) => ['sh', '-c', `exec "$@" ${closed.join(' ')}`, 'sh'];

for (const closed of [['<&-', '>&-', '2>&-'], ['2>&-'], ['<&-']])
  test(`a daemon that is started with ${closed.join(' ')} keeps its files off these numbers and hosts programs`, async t => {
    const daemon = await startDaemon(t, { under: without(...closed) });
    for (const fd of [0, 1, 2]) {
      const what = fs.readlinkSync(`/proc/${daemon.child.pid}/fd/${fd}`);
      assert.match(what, /^(\/dev\/null|pipe:.*|socket:.*)$/, `descriptor ${fd}`);
    }
    const run = await ostler(daemon.home, ['run', '-d', '--', 'sh', '-c', 'ls -l /proc/self/fd; echo there; exec cat']);
    assert.equal(run.code, 0, run.stderr);
    const { terminals: [terminal] } = await daemon.get('/api/terminals');
    let lines = [];
    while (!lines.includes('there')) ({ lines } = await daemon.get(`/api/terminals/${terminal.terminalId}/screen`));
    for (const line of lines.filter(l => l.includes('->'))) assert.match(line, /-> (\/dev\/pts\/\d+|\/proc\/\d+\/fd)$/);
    await daemon.stop();
  });
