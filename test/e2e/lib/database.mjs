// The daemon's database, as another program sees it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';

export const databaseOf = home => path.join(home, 'ostler.db');

/** Holds the write lock until the answer is called. */
export const lockDatabase = (t, home) => hold(t, home, 'BEGIN IMMEDIATE;');

/** Reads in a transaction that lasts until the answer is called: the log cannot be emptied meanwhile. */
export const readDatabase = (t, home) => hold(t, home, 'BEGIN; SELECT count(*) FROM sessions;');

async function hold(t, home, sql) {
  const holder = spawn('sqlite3', [databaseOf(home)], { stdio: ['pipe', 'pipe', 'inherit'] });
  cleanup(t, () => holder.kill('SIGKILL'));
  holder.stdin.write(`.timeout 10000\n${sql}\n.print held\n`);
  await once(holder.stdout, 'data');
  return async () => {
    holder.stdin.end('ROLLBACK;\n');
    await once(holder, 'exit');
  };
}

/** Rows of a query, as objects. */
export function query(home, sql) {
  const text = execFileSync('sqlite3', ['-json', databaseOf(home), sql], { encoding: 'utf8', maxBuffer: 64 << 20 });
  return text ? JSON.parse(text) : [];
}

/** Changes it, while no daemon runs. */
export function change(home, sql) {
  execFileSync('sqlite3', [databaseOf(home), sql]);
}
