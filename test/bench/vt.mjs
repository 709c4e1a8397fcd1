// How fast the terminal core is, and how large: test/bench/vt_bench, built with the libraries of the release build.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { BUILD, ROOT } from '../e2e/lib/daemon.mjs';
import { report } from './report.mjs';

const FIXTURES = path.join(ROOT, 'test/fixtures/tty');
const TUI = ['agent.80x24.bin', 'vim.80x24.bin', 'htop.100x30.bin', 'tmux.90x26.bin'].map(name => path.join(FIXTURES, name));

function compile() {
  const program = path.join(BUILD, 'bench/vt_bench');
  fs.mkdirSync(path.dirname(program), { recursive: true });
  execFileSync('gcc', ['-O2', '-std=gnu17', '-D_GNU_SOURCE', '-I', path.join(ROOT, 'src'), '-o', program, path.join(ROOT, 'test/bench/vt_bench.c'),
    path.join(BUILD, 'src/term/libterm.a'), path.join(BUILD, 'src/base/libbase.a'), '-lpcre2-8'], { stdio: 'inherit' });
  return program;
}

export function benchVt() {
  const text = execFileSync(compile(), TUI, { encoding: 'utf8' });
  for (const [, name, speed] of text.matchAll(/^(\S+): (\d+) MB\/s$/gm)) report(`terminal core, ${name.replace('.bin', '')}`, Number(speed), 'MB/s', ['≥', 100]);
  for (const [, name, lines, size, snapshot, save, load] of text.matchAll(/^(\S+), (\d+) lines: ([\d.]+) bytes a line, snapshot ([\d.]+) ms .*, save ([\d.]+) ms .*, load ([\d.]+) ms$/gm)) {
    report(`${lines} lines of scrollback, ${name}, a line`, Number(size), 'bytes', ['≤', 110]);
    report(`their snapshot, ${name}`, Number(snapshot), 'ms', ['≤', 20], `save ${save}, load ${load}`);
  }
}
