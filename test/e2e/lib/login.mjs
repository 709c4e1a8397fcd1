// A home with a password, and people who know it.
import assert from 'node:assert/strict';
import { createHash, randomBytes, scryptSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import WebSocket from 'ws';
import { cleanup } from './cleanup.mjs';
import { makeHome } from './daemon.mjs';

export const PASSWORD = 'correct horse';
export const LIFE_MS = 24 * 3600 * 1000;

/** As Node's own crypto makes it. */
export function hashOf(password) {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${scryptSync(password, salt, 64).toString('hex')}`;
}

export const sha256 = text => createHash('sha256').update(text).digest('hex');

export const configFile = home => path.join(home, 'config/config.json');
export const tokensFile = home => path.join(home, 'tokens');

/** Writes the configuration; without a hash there is no password. */
export function configure(home, passwordHash) {
  fs.mkdirSync(path.dirname(configFile(home)), { recursive: true, mode: 0o700 });
  fs.writeFileSync(configFile(home), JSON.stringify({ port: 3333, mine: [1, 2], passwordHash }), { mode: 0o600 });
}

export function homeWithPassword(t, password = PASSWORD) {
  const home = makeHome(t);
  configure(home, hashOf(password));
  return home;
}

export function ask(daemon, where, body, headers = {}) {
  return daemon.fetch(where, {
    method: 'POST', headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body) });
}

/** Logs in as a program does and answers the token. */
export async function login(daemon, password = PASSWORD, headers = {}) {
  const answer = await ask(daemon, '/api/auth/login', { password }, headers);
  const said = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(said));
  return said.token;
}

/** The halves that an answer gives to a page: {cookie, key}. */
export async function halvesOf(daemon, answer) {
  const said = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(said));
  const [, name, value] = answer.headers.get('set-cookie').match(/^(\w+)=([0-9a-f]{64}); HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/);
  assert.equal(name, cookieName(daemon));
  assert.match(said.key, /^[0-9a-f]{64}$/);
  assert.equal(said.token, undefined, 'a page never has a whole token');
  return { cookie: value, key: said.key };
}

/** Logs in as a page does. */
export const loginPage = async (daemon, headers = {}) =>
  halvesOf(daemon, await ask(daemon, '/api/auth/login', { password: PASSWORD, split: true }, headers));

export const bearer = token => ({ authorization: `Bearer ${token}` });
export const cookieName = daemon => `ostler_login_${daemon.port}`;
export const cookie = (daemon, value) => ({ cookie: `theme=dark; ${cookieName(daemon)}=${value}` });
/** What a page's requests have. */
export const halves = (daemon, { cookie: value, key }) => ({ ...cookie(daemon, value), 'x-ostler-key': key });
export const keyProtocol = key => `ostler.key.${key}`;

/** May who has this token look at the sessions? */
export async function letsIn(daemon, headers) {
  const answer = await daemon.fetch('/api/sessions', { headers });
  assert.ok([200, 401].includes(answer.status), String(answer.status));
  if (answer.status === 401) assert.deepEqual(await answer.json(), { error: 'Unauthorized' });
  return answer.status === 200;
}

/** A socket as a browser opens it; `closed` answers {code, reason}, `first` the first message. */
export function openSocket(t, daemon, where, { headers = {}, protocols = [] } = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}${where}`, protocols, { headers });
  cleanup(t, () => socket.terminate());
  socket.on('error', () => {});
  const closed = new Promise(resolve => socket.on('close', (code, reason) => resolve({ code, reason: String(reason) })));
  const first = new Promise((resolve, reject) => {
    socket.on('message', resolve);
    closed.then(({ code }) => reject(new Error(`closed with ${code}`)));
  });
  first.catch(() => {});
  return { socket, closed, first };
}

export const UNAUTHORIZED = { code: 4001, reason: 'Unauthorized' };

/** As if so much time had passed since anybody logged in or did anything. For a home whose daemon does not run. */
export function ageLogins(home, ms) {
  const [head, ...lines] = fs.readFileSync(tokensFile(home), 'utf8').trimEnd().split('\n');
  const times = [1, 2, 3, 6, 9];
  const aged = lines.map(line => line.split(' ').map((word, i) => times.includes(i) && word !== '0' ? Number(word) - ms : word).join(' '));
  fs.writeFileSync(tokensFile(home), [head, ...aged, ''].join('\n'), { mode: 0o600 });
}
