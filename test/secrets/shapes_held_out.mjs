// Shapes that nobody tuned to: they are only measured. Whoever changes a rule looks at the misses of shapes_tuned.mjs.
import { hide, hideEach, privateKey } from './marks.mjs';
import { SET } from './random.mjs';

const camel = k => k.toLowerCase().replace(/_(.)/g, (_, c) => c.toUpperCase());
const kebab = k => k.toLowerCase().replaceAll('_', '-');
const title = k => k.split('_').map(w => w[0] + w.slice(1).toLowerCase()).join('-');
const slices = (v, n) => { const parts = []; for (let at = 0; at < v.length; at += n) parts.push(v.slice(at, at + n)); return parts; };

export const named = {
  'compose': (r, k, v) => `      - ${k}=${hide(v)}`,
  'dotenv, quoted': (r, k, v) => `${k}='${hide(v)}'  # production`,
  'toml': (r, k, v) => `${k.toLowerCase()} = "${hide(v)}"`,
  'properties': (r, k, v) => `spring.datasource.${kebab(k)}=${hide(v)}`,
  'camel json': (r, k, v) => `{"host":"db","${camel(k)}":"${hide(v)}","port":5432}`,
  'escaped json': (r, k, v) => `body: "{\\"${k.toLowerCase()}\\":\\"${hide(v)}\\"}"`,
  'python dict': (r, k, v) => `KeyError: {'user': 'bob', '${k.toLowerCase()}': '${hide(v)}'}`,
  'header': (r, k, v) => `> X-${title(k)}: ${hide(v)}`,
  'curl header': (r, k, v) => `$ curl -H "X-${title(k)}: ${hide(v)}" https://api.example.org/v1/me`,
  'flag': (r, k, v) => `+ deploy --${kebab(k)} ${hide(v)} --region eu`,
  'flag=': (r, k, v) => `+ deploy --${kebab(k)}=${hide(v)}`,
  'powershell': (r, k, v) => `PS C:\\> $env:${k} = "${hide(v)}"`,
  'fish': (r, k, v) => `set -gx ${k} ${hide(v)}`,
  'dockerfile': (r, k, v) => ` => [2/7] ENV ${k}=${hide(v)}`,
  'ascii table': (r, k, v) => `| ${k.toLowerCase().padEnd(24)} | ${hide(v)} |`,
  'psql': (r, k, v) => ` ${k.toLowerCase()} | ${hide(v)}`,
  'columns': (r, k, v) => `${k.toLowerCase().padEnd(28)}${hide(v)}`,
  'xml': (r, k, v) => `<entry><${r.pick(['password', 'token', 'secret'])}>${hide(v)}</x></entry>`,
  'diff, coloured': (r, k, v) => `\x1b[32m+  ${k.toLowerCase()}: \x1b[1m"${hide(v)}"\x1b[m`,
  'query': (r, k, v) => `GET /v1/items?${k.toLowerCase()}=${hide(v.replace(/[+/=#%&^]/g, 'x'))}&page=2 HTTP/1.1`,
  'in a heavy box': (r, k, v) => boxed([`${k}=${hide(v)}`], k.length + v.length + 1, '┃'),
  'redrawn piece by piece': (r, k, v) => redrawn(r, `${k}=`, v),
};

export const free = {
  'git remote': (r, v) => `origin  https://oauth2:${hide(v)}@git.example.org/me/app.git (fetch)`,
  'in quotes': (r, v) => `client = Client('${hide(v)}')`,
  'markdown': (r, v) => `The key is \`${hide(v)}\`, keep it safe.`,
  'minified': (r, v) => `!function(){var e={a:1,k:"${hide(v)}",n:null};t(e)}();`,
  'newline escaped': (r, v) => `"stdout": "done\\n${hide(v)}\\n"`,
  'indented wrap': (r, v) => `  ⎿  ${hideEach(slices(v, r.between(24, 58)), '\r\n     ')}`,
  'numbered wrap': (r, v) => slices(v, r.between(22, 60)).map((part, i) => `${String(i + 7).padStart(4)} ${hide(part)}`).join('\r\n'),
  'quoted wrap': (r, v) => slices(v, r.between(24, 60)).map(part => `> ${hide(part)}`).join('\r\n'),
  'double box': (r, v) => { const n = r.between(20, 64); return boxed(slices(v, n).map(hide), n, '║', 2); },
  'coloured box': (r, v) => { const n = r.between(24, 60); return boxed(slices(v, n).map(part => `\x1b[33m${hide(part)}\x1b[39m`), n, '\x1b[90m│\x1b[39m'); },
  'zero width joiner': (r, v) => hideEach([...v], at => at % 7 === 3 ? '\u200D' : ''),
  'byte order marks': (r, v) => hideEach([...v], at => at === 2 || at === 9 ? '\uFEFF' : ''),
  'soft hyphens': (r, v) => hideEach([...v], at => at % 11 === 5 ? '\u00AD' : ''),
  'word joiners': (r, v) => hideEach([...v], at => at % 3 === 1 ? '\u2060' : ''),
  'combining marks': (r, v) => hideEach([...v], at => at % 9 === 4 ? '\u0301' : ''),
  'styled letters': (r, v) => hideEach([...v], at => at % 4 === 0 ? `\x1b[${30 + at % 8}m` : ''),
  'in a title': (r, v) => `\x1b]0;deploy ${hide(v)}\x07$ `,
  'middle first': (r, v) => { const a = v.length / 3 | 0, b = 2 * a; return `\x1b[6;1H\x1b[2K\x1b[6;${a + 1}H${hide(v.slice(a, b))}\x1b[6;1H${hide(v.slice(0, a))}\x1b[6;${b + 1}H${hide(v.slice(b))}\x1b[9;1H`; },
  'backwards': (r, v) => `\x1b[5;1H\x1b[2K${slices(v, 6).map((part, i) => `\x1b[5;${1 + i * 6}H${hide(part)}`).reverse().join('')}\x1b[8;1H`,
  'typed into a screen': (r, v) => `\x1b[4;1H\x1b[2K${[...v].map((c, i) => `\x1b[4;${i + 1}H${hide(c)}\x1b[10;1H${'|/-\\'[i % 4]} ${i}s`).join('')}\x1b[12;1H`,
  'alternate screen': (r, v) => `\x1b[?1049h\x1b[2J\x1b[3;20H${hide(v.slice(10))}\x1b[3;10H${hide(v.slice(0, 10))}\x1b[20;1H\x1b[?1049l`,
};

export const passwords = {
  'mysql -pX': (r, v) => `$ mysql -h db -u root -p${hide(v)} shop`,
  'mysqldump -pX': (r, v) => `$ mysqldump --single-transaction -uroot -p'${hide(v)}' shop > shop.sql`,
  'sshpass': (r, v) => `$ sshpass -p ${hide(v)} ssh deploy@10.0.0.7`,
  'redis-cli': (r, v) => `$ redis-cli -h cache -a ${hide(v)} ping`,
  'docker login': (r, v) => `$ docker login -u me -p ${hide(v)} registry.example.org`,
  'curl --user': (r, v) => `$ curl --silent --user 'me:${hide(v)}' https://example.org`,
  'url, redis': (r, v) => `connecting to redis://:${hide(v.replace(/[%#^]/g, 'x'))}@cache:6379/0`,
  'url, mongodb': (r, v) => `MONGO_URL=mongodb+srv://svc:${hide(v.replace(/[%#^]/g, 'x'))}@cluster0.example.net/?retryWrites=true`,
  'pgpass': (r, v) => `db.example.org:5432:shop:app:${hide(v)}`,
  'netrc': (r, v) => `machine api.example.org login me password ${hide(v)}`,
  'sql': (r, v) => `CREATE USER 'app'@'%' IDENTIFIED BY '${hide(v)}';`,
  'sql, postgres': (r, v) => `ALTER ROLE app WITH LOGIN PASSWORD '${hide(v)}';`,
  'ado': (r, v) => `Server=db;Database=shop;User Id=sa;Password=${hide(v)};Encrypt=yes`,
  'basic': (r, v) => `< authorization: basic ${hide(Buffer.from(`admin:${v}`).toString('base64'))}`,
  'ini': (r, v) => `[client]\r\nuser=root\r\npassword = ${hide(v)}`,
  'ansible': (r, v) => `ok: [web1] => {"ansible_become_pass": "${hide(v)}"}`,
  'line below': (r, v) => `Your new password is:\r\n\r\n    ${hide(v)}`,
  'wget': (r, v) => `$ wget --http-user=me --http-password=${hide(v)} https://example.org/f`,
  'openssl': (r, v) => `$ openssl enc -d -aes256 -in f -pass pass:${hide(v)}`,
};

export const keys = {
  'pem in json': r => { const k = privateKey(r); return `"private_key": "${k.begin}\\n${k.lines.map(hide).join('\\n')}\\n${k.end}\\n"`; },
  'pem, numbered': r => { const k = privateKey(r); return [k.begin, ...k.lines.map(hide), k.end].map((line, i) => `${String(i + 1).padStart(4)}\t${line}`).join('\r\n'); },
  'pem in a box': r => { const k = privateKey(r); return boxed([k.begin, ...k.lines.map(hide), k.end], 70, '│'); },
  'pem, indented': r => { const k = privateKey(r); return ['  key: |', ...[k.begin, ...k.lines.map(hide), k.end].map(line => `    ${line}`)].join('\r\n'); },
  'pem in a diff': r => { const k = privateKey(r); return [k.begin, ...k.lines.map(hide), k.end].map(line => `\x1b[32m+${line}\x1b[m`).join('\r\n'); },
  'discord webhook': r => `https://discord.com/api/webhooks/${r.text(SET.digit, 18)}/${hide(r.text(SET.url, 68))}`,
  'azure connection': r => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${hide(`${r.text(SET.base64, 86)}==`)};EndpointSuffix=core.windows.net`,
};

function boxed(lines, width, border, pad = 1) {
  const seen = text => text.replace(/\x1b\[[\d;]*m|[\uE000\uE001]/g, '');
  const rows = lines.map(line => `${border}${' '.repeat(pad)}${line}${' '.repeat(Math.max(0, width - seen(line).length) + pad)}${border}`);
  return [`┌${'─'.repeat(width + 2 * pad)}┐`, ...rows, `└${'─'.repeat(width + 2 * pad)}┘`].join('\r\n');
}

/** A screen that draws what changed: the second half of a line, something else, then the first half. */
function redrawn(r, key, v) {
  const half = r.between(1, v.length - 1), row = r.between(2, 9);
  return `\x1b[${row};1H\x1b[2K\x1b[${row};${key.length + half + 1}H${hide(v.slice(half))}\x1b[14;1Hworking… ${r.below(90)}s\x1b[${row};1H${key}${hide(v.slice(0, half))}\x1b[15;1H`;
}
