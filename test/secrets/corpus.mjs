// A labelled corpus: every kind of secret in every shape that it fits, among ordinary output. Its parts: shapes that the rules
// were tuned with, shapes, values and surroundings that nobody tuned to, and kinds and shapes of another author.
import * as kinds from './kinds.mjs';
import * as freshKinds from './kinds_fresh.mjs';
import { unmark } from './marks.mjs';
import { ordinaryText } from './ordinary.mjs';
import { Random } from './random.mjs';
import * as fresh from './shapes_fresh.mjs';
import * as heldOut from './shapes_held_out.mjs';
import * as tuned from './shapes_tuned.mjs';

const PARTS = { tuned: [kinds, tuned, 0x5eed1], 'held out': [kinds, heldOut, 0x0dd5eed], fresh: [freshKinds, fresh, 0xf4e5] };

/** [{kind, shape, cols, rows, bytes, secrets: [[from, to], …]}, …], `each` values for each kind in each shape. */
export function corpus(part, each = 1) {
  const [{ NAMED, PASSWORDS, TOKENS }, shapes, seed] = PARTS[part], r = new Random(seed), cases = [];
  const add = (kind, shape, make, open = 0) => {
    for (let i = 0; i < each; i++) {
      const cols = r.pick([80, 100, 120, 132]), rows = r.pick([24, 40, 50]);
      const text = `${ordinaryText(r, r.between(0, 900))}${make()}\r\n${ordinaryText(r, r.between(0, 900))}`;
      const marked = unmark(text), drawn = /\x1b\[[\d;]*[GH]/.test(text); // what is drawn in one row has room there
      const wide = 40 + marked.secrets.reduce((n, [from, to]) => n + to - from, 0);
      cases.push({ kind, shape, cols: drawn ? Math.max(cols, wide) : cols, rows, open, ...marked });
    }
  };
  const everyKind = (group, table, make) => {
    for (const [shape, render] of Object.entries(table)) for (const kind of group) add(kind.kind, shape, () => make(render, kind), kind.open);
  };
  everyKind([...TOKENS, ...NAMED], shapes.named, (render, kind) => render(r, kind.name, kind.value(r)));
  everyKind(TOKENS, shapes.free, (render, kind) => render(r, kind.value(r)));
  everyKind(PASSWORDS, shapes.passwords, (render, kind) => render(r, kind.value(r)));
  for (const [shape, render] of Object.entries(shapes.keys)) add('private key, address', shape, () => render(r));
  return cases;
}
