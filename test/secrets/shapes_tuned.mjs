// Shapes that the rules were tuned with. A shape gives text in which what is secret stands between \uE000 and \uE001.
import { hide, hideEach, privateKey } from './marks.mjs';
import { SET } from './random.mjs';

/** With a name in front. */
export const named = {
  'env': (r, k, v) => `${r.pick(['', 'export ', '+'])}${k}=${hide(v)}`,
  'env dump': (r, k, v) => `HOME=/home/me\r\n${k}=${hide(v)}\r\nLANG=C.UTF-8`,
  'json': (r, k, v) => `  "${k.toLowerCase()}": "${hide(v)}",`,
  'yaml': (r, k, v) => `  ${k.toLowerCase()}: ${hide(v)}`,
  'code': (r, k, v) => `const ${k.toLowerCase()} = "${hide(v)}";`,
  'table, lines': (r, k, v) => `│ ${k.toLowerCase()} │ ${hide(v)} │`,
  'next line': (r, k, v) => `${k.toLowerCase()}:\r\n  ${hide(v)}`,
  'coloured': (r, k, v) => `\x1b[36m${k}\x1b[39m=\x1b[33m${hide(v)}\x1b[39m`,
  'end first, named': (r, k, v) => { const half = v.length >> 1; return `\x1b[2K\x1b[${k.length + 2 + half}G${hide(v.slice(half))}\x1b[1G${k}=${hide(v.slice(0, half))}\r\n`; },
  'log': (r, k, v) => `2026-02-11 09:14:55 DEBUG config loaded ${k.toLowerCase()}=${hide(v)} retries=3`,
};

/** By itself. */
export const free = {
  'plain': (r, v) => `use ${hide(v)} for that`,
  'wrapped, CR LF': (r, v) => hideEach(cut(r, v, 20), '\r\n'),
  'box': (r, v) => box(r, v, r.between(24, 70), '│', '╭╮╰╯─'),
  'zero width': (r, v) => hideEach([...v], at => at % 5 === 4 ? '\u200B' : ''),
  'end first': (r, v) => { const half = v.length >> 1; return `\x1b[2K\x1b[${half + 1}G${hide(v.slice(half))}\x1b[1G${hide(v.slice(0, half))}\r\n`; },
  'bearer': (r, v) => `Authorization: Bearer ${hide(v)}`,
};

export const passwords = {
  '--password X': (r, v) => `$ tool --user me --password ${hide(v)}`,
  '--password=X': (r, v) => `$ tool --password=${hide(v)} --verbose`,
  'url': (r, v) => `postgres://app:${hide(v.replace(/[%#^]/g, 'x'))}@db.example.org:5432/app`,
  'prompt': (r, v) => `Password: ${hide(v)}`,
  'curl -u': (r, v) => `$ curl -s -u admin:${hide(v)} https://example.org/api`,
};

export const keys = {
  'webhook': r => `posting to https://hooks.slack.com/services/${hide(`T${r.text(SET.capital, 10)}/B${r.text(SET.capital, 10)}/${r.text(SET.word, 24)}`)} now`,
  'pem': r => { const k = privateKey(r); return `${k.begin}\r\n${k.lines.map(hide).join('\r\n')}\r\n${k.end}`; },
};

/** A line longer than the screen, broken by the program. */
export function cut(r, v, least) {
  const parts = [];
  const width = Math.max(least, Math.ceil(v.length / r.between(2, 4)));
  for (let at = 0; at < v.length; at += width) parts.push(v.slice(at, at + width));
  return parts;
}

export function box(r, v, width, border, [tl, tr, bl, br, line]) {
  const parts = [];
  for (let at = 0; at < v.length; at += width) parts.push(v.slice(at, at + width));
  const rows = parts.map(part => `${border} ${hide(part)}${' '.repeat(width - part.length)} ${border}`);
  return [tl + line.repeat(width + 2) + tr, ...rows, bl + line.repeat(width + 2) + br].join('\r\n');
}
