// The daemon's database, as another program sees it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';

export const databaseOf = home => path.join(home, 'ostler.db');

/** Holds the write lock until the answer is called. */
export async function lockDatabase(t, home) {
  const holder = spawn('sqlite3', [databaseOf(home)], { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanup(t, () => holder.kill('SIGKILL'));
  holder.stdin.write('.timeout 10000\nBEGIN IMMEDIATE;\n.print locked\n');
  await once(holder.stdout, 'data');
  return async () => {
    holder.stdin.end('ROLLBACK;\n');
    await once(holder, 'exit');
  };
}
