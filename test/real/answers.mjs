#!/usr/bin/env node
// make test-real ARGS="answers": many requests of real agents, answered from the inbox, at the desk, and by both at once, while the daemon
// is killed again and again. Every tool must have run as decided, once or never, and every request must have one end, which is true.
//
//     answers [claude|codex …] [--count N] [--seed N] [--kills no] [--phases api,desk,both]
//     answers --phases told    one agent at a time: how long from an answer to its tool
//     answers --phases own     the same with a hook that allows by itself: how long the CLI itself takes
//
// What is true the CLI's own record says: who allowed a call, and who refused it.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Driver } from './answers/driver.mjs';
import { percentile } from './answers/figures.mjs';
import { Random } from './answers/random.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: {
  count: { type: 'string', default: '100' }, seed: { type: 'string', default: String(Date.now() % 100_000) }, kills: { type: 'string', default: 'yes' },
  phases: { type: 'string', default: 'api,desk,both' } } });
const { agents } = JSON.parse(process.env.OSTLER_REAL_AGENTS);
const clis = positionals.length ? positionals : ['claude', 'codex'];
console.log(`seed ${values.seed}`);

let faults = 0;
for (const name of clis) {
  for (const phase of values.phases.split(',')) {
    const driver = await Driver.set(name, agents[name], { random: new Random(Number(values.seed)), kills: values.kills === 'yes' });
    try {
      const found = await driver.run(phase, Number(values.count));
      faults += found.faults.length;
      const took = driver.delays.length ? `, answer → tool p50 ${percentile(driver.delays, 50)} ms, p99 ${percentile(driver.delays, 99)} ms, n ${driver.delays.length}` : '';
      console.log(`${name} ${phase}: ${JSON.stringify(found.counts)}, daemon killed ${driver.killed} times, ${found.seconds} s${took}`);
      for (const fault of found.faults) console.log(`  FAULT ${fault}`);
      if (found.faults.length && process.env.OSTLER_REAL_KEEP) driver.keep(process.env.OSTLER_REAL_KEEP, phase);
    } finally {
      await driver.end();
    }
  }
}
assert.equal(faults, 0, `${faults} faults`);
