#!/usr/bin/env node
// Draws as Claude Code's ink does: inline, no alternate screen. Finished text scrolls away above; what lives below it is erased line
// by line and written anew many times a second, inside synchronized output. Plays one conversation and ends.
import { setTimeout as sleep } from 'node:timers/promises';

const FRAMES = ['✻', '✽', '✶', '∗', '✢', '·'];
const WORDS = ['Pondering', 'Herding', 'Noodling', 'Percolating'];
const CSI = '\x1b[';
const rgb = (r, g, b, text) => `${CSI}38;2;${r};${g};${b}m${text}${CSI}39m`;
const dim = text => `${CSI}2m${text}${CSI}22m`;
const bold = text => `${CSI}1m${text}${CSI}22m`;
const width = () => process.stdout.columns || 80;
const TURNS = [
  ['what does src/main.c do? 说明一下', [
    `${rgb(78, 186, 101, '⏺')} ${bold('Read')}(src/main.c)`, `  ⎿  Read ${bold('214')} lines ${dim('(ctrl+r to expand)')}`, '',
    `${rgb(255, 255, 255, '⏺')} It composes the program: the loop, the store, the sockets 🔌, and takes them down in the opposite order. 主程序按顺序组合各部分，然后反向关闭它们。`, '']],
  ['fix the flaky test', [
    `${rgb(78, 186, 101, '⏺')} ${bold('Bash')}(ninja -C build test)`, `  ⎿  ${CSI}31m✗ 1 failed${CSI}39m, 212 passed`, `     … ${dim('+38 lines (ctrl+r to expand)')}`, '',
    `${rgb(78, 186, 101, '⏺')} ${bold('Update')}(test/unit/timer_test.c)`, `  ⎿  Updated with ${bold('2')} additions and ${bold('1')} removal`,
    `       ${dim('41')}      timer_start(&t, 10);`,
    `       ${dim('42')} ${CSI}48;2;92;33;38m-    usleep(10000);${CSI}49m`, `       ${dim('42')} ${CSI}48;2;34;92;43m+    fake_clock_advance(&clock, 10);${CSI}49m`, '',
    `${rgb(255, 255, 255, '⏺')} Done 🎉 — it now waits for the clock, not for time. 👩‍💻 ❤️ 🇩🇪 e\u0301`, '']],
];

let drawn = 0;

/** Erases what was drawn last, upwards, and writes `lines` in its place; those of `above` stay. */
function draw(lines, above = []) {
  let out = `${CSI}?2026h`;
  if (drawn) out += `${CSI}2K${`${CSI}1A${CSI}2K`.repeat(drawn - 1)}${CSI}G`;
  out += [...above, ...lines].join('\n');
  process.stdout.write(`${out}${CSI}?2026l`);
  drawn = lines.length;
}

function box(text) {
  const inner = width() - 2, line = ` > ${text}${CSI}7m ${CSI}27m`;
  const used = 4 + [...text].reduce((n, c) => n + (c.codePointAt(0) > 0x2e80 ? 2 : 1), 0);
  const gray = s => rgb(136, 136, 136, s);
  return [gray(`╭${'─'.repeat(inner)}╮`), `${gray('│')}${line}${' '.repeat(Math.max(0, inner - used))}${gray('│')}`, gray(`╰${'─'.repeat(inner)}╯`),
    `  ${dim('? for shortcuts')}${' '.repeat(Math.max(1, width() - 38))}${rgb(255, 193, 7, '◯')} ${dim('Auto-update ok')}`];
}

const spinner = (n, word) => `${rgb(215, 119, 87, `${FRAMES[n % FRAMES.length]} ${word}…`)} ${dim(`(${n >> 3}s · ↑ ${n * 37} tokens · esc to interrupt)`)}`;

process.stdout.write(`${CSI}?25l${CSI}?2004h${CSI}?1004h\x1b]0;✳ ostler\x07`);
draw(box(''), [rgb(215, 119, 87, `╭${'─'.repeat(34)}╮`), `${rgb(215, 119, 87, '│')} ✻ Welcome to ${bold('a make-believe agent')} ${rgb(215, 119, 87, '│')}`,
  rgb(215, 119, 87, `╰${'─'.repeat(34)}╯`), '', dim(`  cwd: \x1b]8;;file:///srv/demo\x1b\\/srv/demo\x1b]8;;\x1b\\`), '']);
for (const [prompt, answer] of TURNS) {
  for (let n = 1; n <= prompt.length; n++) draw(box(prompt.slice(0, n)));
  draw([spinner(0, WORDS[0]), '', ...box('')], [`${dim('>')} ${prompt}`, '']);
  let n = 0;
  for (const line of answer) {
    for (let frame = 0; frame < 6; frame++, n++) {
      draw([spinner(n, WORDS[(n >> 4) % WORDS.length]), '', ...box('')]);
      await sleep(2);
    }
    draw([spinner(n, WORDS[0]), '', ...box('')], [line]);
  }
  draw(box(''));
}
draw([`${bold('Do you want to make this edit?')}`, `${rgb(177, 185, 249, '❯ 1. Yes')}`, '  2. Yes, and do not ask again', `  3. No ${dim('(esc)')}`]);
draw([]);
process.stdout.write(`\n${CSI}?25h${CSI}?2004l${CSI}?1004l`);
