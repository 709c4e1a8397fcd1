// Files that a CLI writes.
import fs from 'node:fs';
import path from 'node:path';

/** Those below a directory whose path matches. */
export function filesBelow(dir, pattern) {
  try {
    return fs.readdirSync(dir, { recursive: true }).map(name => path.join(dir, name)).filter(file => pattern.test(file));
  } catch {
    return []; // not yet there
  }
}
