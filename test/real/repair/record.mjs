#!/usr/bin/env node
// Records what test/fixtures/sessions has of real Claude Codes: a compacted session of each version, without what is long and without
// anything of the machine that it ran on. record.mjs, after a version was added to versions.json.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { installAgents, installOlderClaudes } from '../install.mjs';
import { Model } from '../model.mjs';
import { Claude, SESSIONS } from './sessions.mjs';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/sessions');
const SESSION = '0f8fad5b-d9cb-469f-a165-70867728950e', TEXT_MAX = 120;
const LEFT_OUT = /^(api-request|atis-latch|cost-state|tools-used|queue-operation)/; // of no message

function trimmed(value, replace) {
  if (typeof value === 'string') return replace(value).slice(0, TEXT_MAX);
  if (Array.isArray(value)) return value.map(item => trimmed(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, trimmed(item, replace)]));
}

for (const version of [...installOlderClaudes(), installAgents().claude])
  test(`a session of Claude Code ${version.version}`, async t => {
    const claude = new Claude(t, version, await Model.start(t)), id = await claude.have(SESSIONS.compacted.turns);
    const replace = text => text.replaceAll(claude.project, '/home/dev/alpha').replaceAll(claude.home, '/home/dev').replaceAll(id, SESSION);
    const records = fs.readFileSync(claude.fileOf(id), 'utf8').trim().split('\n').map(line => JSON.parse(line)).filter(({ type }) => !LEFT_OUT.test(type));
    const lines = records.map(record => JSON.stringify(trimmed(record.attachment ? { ...record, attachment: { type: record.attachment.type } } : record, replace)));
    fs.writeFileSync(path.join(FIXTURES, `claude-${version.version}.jsonl`), `${lines.join('\n')}\n`);
  });
