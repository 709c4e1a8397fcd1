// What programs print all day, with nothing secret in it, though much of it looks like it.
import { SET } from './random.mjs';

const hash = r => r.text(SET.hex, 40), uuid = r => [8, 4, 4, 4, 12].map(n => r.text(SET.hex, n)).join('-');
const file = r => `src/${r.pick(['core', 'app', 'lib', 'net'])}/${r.pick(['token', 'auth', 'user', 'session', 'index', 'parser'])}${r.pick(['', '_test', '.spec'])}.${r.pick(['c', 'ts', 'py', 'go'])}`;

const LINES = [
  r => `commit ${hash(r)}`,
  r => `index ${r.text(SET.hex, 7)}..${r.text(SET.hex, 7)} 100644`,
  r => `2026-0${r.between(1, 9)}-1${r.below(10)}T09:14:55.${r.text(SET.digit, 3)}Z INFO worker[${r.below(99)}] request ${uuid(r)} finished in ${r.below(900)} ms`,
  r => `      "integrity": "sha512-${r.text(SET.base64, 86)}==",`,
  r => `      "resolved": "https://registry.npmjs.org/lodash/-/lodash-4.17.${r.below(30)}.tgz",`,
  r => `sha256:${r.text(SET.hex, 64)}`,
  r => `data:image/png;base64,iVBORw0KGgo${r.text(SET.base64, 200)}`,
  r => `${file(r)}:${r.below(900)}:${r.below(80)}: warning: unused variable 'token' [-Wunused-variable]`,
  () => 'const token: string = await getToken();',
  () => 'password = get_password()',
  () => '  passwordHash: null,',
  () => '    def login(self, username: str, password: str) -> Token:',
  () => 'if (token == TOKEN_END) return parse_secret(token, key);',
  () => 'Password: ',
  () => 'Enter passphrase for key: ',
  () => 'export API_KEY=<your key>',
  () => '    api_key = os.environ["OPENAI_API_KEY"]',
  () => 'Authorization: Bearer $TOKEN',
  () => 'usage: mysql [-h host] [-u user] [-p] database',
  r => `  ${r.text(SET.lower, 8)}@${r.below(9)}.${r.below(20)}.${r.below(9)}`,
  r => `!function(e,t){"use strict";var n=${r.text(SET.lower, 1)}(e.token),o=t.secret||null;e.key=n?o[n]:function(){return t.password}}(${r.text(SET.lower, 1)},{});`,
  () => '│ name     │ type    │ description                  │',
  () => '│ password │ string  │ the password of the user     │',
  r => `\x1b[32m✓\x1b[39m \x1b[2mreads the token from the cookie\x1b[22m ${r.below(20)} ms`,
  r => `On branch main, ${r.below(9)} ahead; the secret is kept in the vault`,
  () => 'https://example.org/path?page=2&sort=token',
  r => `-rw-r--r-- 1 build build ${r.below(99999)} Feb 11 09:14 ${file(r)}`,
  () => 'token: expected ; before } (see "password: string" above)',
  r => `tokens: ${r.below(100000)} in, ${r.below(9000)} out`,
  r => `container ${r.text(SET.hex, 12)} image ${r.text(SET.hex, 64)} up 3 hours`,
];

export const ordinaryLine = r => r.pick(LINES)(r);

/** So many bytes of it, as a terminal gets them. */
export function ordinaryText(r, bytes) {
  const lines = [];
  for (let n = 0; n < bytes; n += lines.at(-1).length + 2) lines.push(ordinaryLine(r));
  return `${lines.join('\r\n')}\r\n`;
}
