// Secrets in text, marked: \uE000 … \uE001.
export { privateKey } from './kinds.mjs';

/** A value that marks a part of itself stays as it is. */
export const hide = text => text.includes('\uE000') ? text : `\uE000${text}\uE001`;

/** Parts of one secret with something between them: a text, or one for each place. */
export const hideEach = (parts, between) =>
  parts.map((part, at) => hide(part) + (at === parts.length - 1 ? '' : typeof between === 'string' ? between : between(at))).join('');

/** Text with marks → bytes, and [from, to) of what is secret in them. */
export function unmark(text) {
  const pieces = [], secrets = [];
  let at = 0;
  for (const [i, piece] of text.split(/[\uE000\uE001]/).entries()) {
    const bytes = Buffer.from(piece);
    if (i % 2 && bytes.length) secrets.push([at, at + bytes.length]);
    pieces.push(bytes);
    at += bytes.length;
  }
  return { bytes: Buffer.concat(pieces), secrets };
}
