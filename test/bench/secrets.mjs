// What the redaction finds and what it masks in vain: the tables of docs/secrets.md, with mask_stream built from the release's libraries.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { BUILD, ROOT } from '../e2e/lib/daemon.mjs';
import { corpus } from '../secrets/corpus.mjs';
import { alarms, crossTable, found, mask, rate } from '../secrets/measure.mjs';
import { ordinarySources } from '../secrets/ordinary_sources.mjs';
import { report } from './report.mjs';

function compile() {
  const program = path.join(BUILD, 'bench/mask_stream');
  fs.mkdirSync(path.dirname(program), { recursive: true });
  execFileSync('gcc', ['-O2', '-std=gnu17', '-D_GNU_SOURCE', '-I', path.join(ROOT, 'src'), '-I', path.join(ROOT, 'test'), '-o', program,
    path.join(ROOT, 'test/secrets/mask_stream.c'), path.join(BUILD, 'src/term/libterm.a'), path.join(BUILD, 'src/base/libbase.a'), '-lpcre2-8'], { stdio: 'inherit' });
  return program;
}

export function benchSecrets(quick) {
  const program = compile();
  for (const [half, target] of [['tuned', 99], ['fresh', 95], ['held out', 95]]) {
    const results = found(program, corpus(half, quick ? 1 : 3));
    console.log(`\n### ${half}, kind × shape\n\n${crossTable(results)}`);
    report(`secrets found, ${half}`, 100 * rate(results), '%', ['≥', target], `${results.length} cases`);
  }
  let runs = 0, size = 0;
  for (const [name, bytes] of ordinarySources(ROOT)) {
    const n = alarms(bytes, mask(program, [{ cols: 120, rows: 40, bytes }])[0]).length;
    report(`false alarms, ${name}`, n / bytes.length * 1e6, '/MB', undefined, `${n} in ${(bytes.length / 1e6).toFixed(1)} MB`);
    runs += n;
    size += bytes.length;
  }
  report('false alarms, all ordinary output', runs / size * 1e6, '/MB', ['≤', 1], `${(size / 1e6).toFixed(0)} MB`);
}
