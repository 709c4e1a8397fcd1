// What agents and their tools print, written by somebody who had no part in the rules, before any was changed for it. Since the first
// measuring they are tuned to.
import { hide, hideEach, privateKey } from './marks.mjs';
import { SET } from './random.mjs';

const low = k => k.toLowerCase(), dashed = k => low(k).replaceAll('_', '-');
const pascal = k => low(k).replace(/(?:^|_)(.)/g, (_, c) => c.toUpperCase());
const slices = (v, n) => { const parts = []; for (let at = 0; at < v.length; at += n) parts.push(v.slice(at, at + n)); return parts; };
const form = v => v.replace(/[+/=#%&^!]/g, 'x');

export const named = {
  'shell trace': (r, k, v) => `++ export ${k}=${hide(v)}\r\n++ ${k}=${hide(v)}`,
  'kubernetes env': (r, k, v) => `        - name: ${k}\r\n          value: ${r.pick(['', '"'])}${hide(v)}`,
  'task definition': (r, k, v) => `{"name":"${k}","value":"${hide(v)}"},`,
  'task definition, pretty': (r, k, v) => `            "name": "${k}",\r\n            "value": "${hide(v)}"`,
  'docker inspect': (r, k, v) => `                "${k}=${hide(v)}",`,
  'docker run': (r, k, v) => `$ docker run --rm -e ${k}=${hide(v)} -p 80:80 app`,
  'from literal': (r, k, v) => `$ kubectl create secret generic app --from-literal=${dashed(k)}=${hide(v)}`,
  'helm': (r, k, v) => `$ helm upgrade app ./chart --set auth.${pascal(k)}=${hide(v)},replicas=2`,
  'heroku config': (r, k, v) => `${k}:${' '.repeat(r.between(1, 14))}${hide(v)}`,
  'vault kv': (r, k, v) => `Key${' '.repeat(24)}Value\r\n---${' '.repeat(24)}-----\r\n${low(k).padEnd(27)}${hide(v)}`,
  'terraform plan': (r, k, v) => `      \x1b[32m+\x1b[0m ${low(k).padEnd(24)} = "${hide(v)}"`,
  'systemd': (r, k, v) => `Environment="${k}=${hide(v)}" "LANG=C"`,
  'csh': (r, k, v) => `setenv ${k} ${hide(v)}`,
  'cmd': (r, k, v) => `C:\\app>set ${k}=${hide(v)}`,
  'go': (r, k, v) => `\t${low(k)} := "${hide(v)}"`,
  'go dump': (r, k, v) => `main.Config{Host:"db", ${pascal(k)}:"${hide(v)}", Port:5432}`,
  'rust debug': (r, k, v) => `Config { host: "db", ${low(k)}: Some("${hide(v)}") }`,
  'typescript': (r, k, v) => `export const ${k}: string = '${hide(v)}';`,
  'inspect': (r, k, v) => `  ${low(k)}: \x1b[32m'${hide(v)}'\x1b[39m,`,
  'environ': (r, k, v) => `os.environ["${k}"] = "${hide(v)}"`,
  'process.env': (r, k, v) => `process.env.${k} = '${hide(v)}';`,
  'keyword argument': (r, k, v) => `client = connect(host, ${low(k)}='${hide(v)}', timeout=3)`,
  'ruby': (r, k, v) => `{:host=>"db", :${low(k)}=>"${hide(v)}"}`,
  'php': (r, k, v) => `    '${low(k)}' => '${hide(v)}',`,
  'define': (r, k, v) => r.pick([`define('${k}', '${hide(v)}');`, `#define ${k} "${hide(v)}"`]),
  'app settings': (r, k, v) => `    <add key="${k}" value="${hide(v)}" />`,
  'grep': (r, k, v) => `config/${r.pick(['prod', 'local'])}.env:${r.between(1, 90)}:${k}=${hide(v)}`,
  'ripgrep, coloured': (r, k, v) => `\x1b[0m\x1b[32m${r.between(1, 400)}\x1b[0m:\x1b[0m\x1b[1m\x1b[31m${k}\x1b[0m=${hide(v)}`,
  'cat -n': (r, k, v) => `     ${r.between(1, 9)}\t${k}=${hide(v)}`,
  'read by an agent': (r, k, v) => `  ⎿  \x1b[2m${String(r.between(1, 99)).padStart(4)}→\x1b[22m${k}=${hide(v)}`,
  'diff, taken away': (r, k, v) => `\x1b[31m-${k}=${hide(v)}\x1b[m\r\n\x1b[32m+${k}=\x1b[m`,
  'sed': (r, k, v) => `$ sed -i 's/^${k}=.*/${k}=${hide(form(v))}/' .env`,
  'echo into a file': (r, k, v) => `$ echo "${k}=${hide(v)}" >> .env`,
  'json in a command': (r, k, v) => `$ curl -X POST -d '{"${low(k)}":"${hide(v)}"}' http://localhost:3000/login`,
  'form': (r, k, v) => `$ curl -d 'user=me&${low(k)}=${hide(form(v))}' http://localhost/`,
  'markdown table': (r, k, v) => `| \`${k}\` | \`${hide(v)}\` | production |`,
  'twice escaped': (r, k, v) => `{"log":"{\\\\\\"${low(k)}\\\\\\": \\\\\\"${hide(v)}\\\\\\"}"}`,
  'said': (r, k, v) => `I set ${k} to "${hide(v)}" in .env.local.`,
  'aws table': (r, k, v) => `|  ${pascal(k).padEnd(22)}|  ${hide(v)}  |`,
  'key, value of a file': (r, k, v) => `[default]\r\n${low(k)} = ${hide(v)}\r\nregion = eu-west-1`,
  'compose, mapped': (r, k, v) => `      ${k}: "${hide(v)}"`,
  'spaces drawn by the cursor': (r, k, v) => `\x1b[1m${k}\x1b[0m\x1b[1C=\x1b[1C${hide(v)}`,
  'beside another pane': (r, k, v) => `${k}=${hide(v)}\x1b[0m │ ${r.between(1, 90)} tests passed`,
};

export const free = {
  'alone': (r, v) => `${hide(v)}`,
  'in a hyperlink': (r, v) => `\x1b]8;;https://example.org/\x1b\\${hide(v)}\x1b]8;;\x1b\\`,
  'x-api-key': (r, v) => `> x-api-key: ${hide(v)}`,
  'cookie': (r, v) => `< set-cookie: access=${hide(v)}; Path=/; HttpOnly`,
  'in an address': (r, v) => `GET https://api.example.org/v1/me?access_token=${hide(form(v))}`,
  'list': (r, v) => `  • ${hide(v)}`,
  'json list': (r, v) => `["${hide(v)}", "eu"]`,
  'piped': (r, v) => `$ echo ${hide(v)} | docker login --username me --password-stdin`,
  'in parentheses': (r, v) => `unauthorized (${hide(v)})`,
  'in angle brackets': (r, v) => `<${hide(v)}>`,
  'with a stop behind': (r, v) => `It is ${hide(v)}.`,
  'bat': (r, v) => `\x1b[38;5;238m   ${r.between(1, 9)}   │\x1b[0m \x1b[38;5;186m"${hide(v)}"\x1b[0m`,
  'bat, wrapped': (r, v) => slices(v, r.between(30, 60)).map((part, i) => `\x1b[38;5;238m${i ? '       ' : '   4   '}│\x1b[0m ${hide(part)}`).join('\r\n'),
  'rounded box, two deep': (r, v) => { const n = r.between(26, 60); return slices(v, n).map(part => `│ │ ${hide(part)}${' '.repeat(n - part.length)} │ │`).join('\r\n'); },
  'told by an agent': (r, v) => `● Bash(curl -H "Authorization: Bearer ${hide(v)}" https://example.org)`,
  'prompt, typed': (r, v) => slices(v, 5).reduce((out, part, i, all) => `${out}\r\x1b[2K> ${hideEach(all.slice(0, i + 1), '')}`, ''),
  'typed with a mistake': (r, v) => `$ login ${hide(v.slice(0, 6))}x\b \b${hide(v.slice(6))}`,
  'column first': (r, v) => `\x1b[7;1H\x1b[2K\x1b[7;30H| idle\x1b[7;${40}H${hide(v.slice(8))}\x1b[7;32H${hide(v.slice(0, 8))}\x1b[11;1H`,
  'on the other screen': (r, v) => `\x1b[?1049h\x1b[H\x1b[2J\x1b[5;3H${hide(v)}\x1b[24;1H:q\x1b[?1049l`,
  'every line anew': (r, v) => `\x1b[H\x1b[2K one\r\n\x1b[2K ${hide(v)}\r\n\x1b[2K three\x1b[H\x1b[2K one\r\n\x1b[2K ${hide(v)}\r\n\x1b[2K four\r\n`,
};

export const passwords = {
  'psql': (r, v) => `$ PGPASSWORD=${hide(v)} psql -h db -U app shop`,
  'ssh url': (r, v) => `sftp://deploy:${hide(form(v))}@files.example.org:22/up`,
  'amqp': (r, v) => `broker_url = 'amqp://guest:${hide(form(v))}@mq:5672//'`,
  'jdbc': (r, v) => `jdbc:postgresql://db/shop?user=app&password=${hide(form(v))}`,
  'sentence': (r, v) => `The password is "${hide(v)}", log in with it.`,
  'sentence, bare': (r, v) => `Temporary password: ${hide(v)}`,
  'zip': (r, v) => `$ 7z x -p${hide(v)} backup.7z`,
  'git credentials': (r, v) => `protocol=https\r\nhost=git.example.org\r\nusername=me\r\npassword=${hide(v)}`,
  'wifi': (r, v) => `        psk="${hide(v)}"`,
  'mongo shell': (r, v) => `$ mongosh --host db -u root -p ${hide(v)} --authenticationDatabase admin`,
  'ldap': (r, v) => `$ ldapsearch -x -D cn=admin -w ${hide(v)} -b dc=example`,
  'user and password': (r, v) => `username: admin\r\npassword: ${hide(v)}`,
  'python dump': (r, v) => `User(name='bob', password='${hide(v)}', age=3)`,
  'chpasswd': (r, v) => `$ echo "root:${hide(v)}" | chpasswd`,
};

export const keys = {
  'wireguard file': r => `[Interface]\r\nPrivateKey = ${hide(`${r.text(SET.base64, 43)}=`)}\r\nAddress = 10.0.0.2/32`,
  'docker config': r => `{"auths":{"ghcr.io":{"auth":"${hide(Buffer.from(`me:${r.text(SET.word, 24)}`).toString('base64'))}"}}}`,
  'npmrc': r => `//registry.npmjs.org/:_authToken=${hide(r.text(SET.hex, 36))}`,
  'kubeconfig': r => `    client-key-data: ${hide(r.text(SET.base64, 400))}`,
  'pem in the environment': r => { const k = privateKey(r); return `TLS_KEY="${k.begin}\r\n${k.lines.map(hide).join('\r\n')}\r\n${k.end}"`; },
  'pem, read by an agent': r => { const k = privateKey(r); return [k.begin, ...k.lines.map(hide), k.end].map((line, i) => `     ${String(i + 1).padStart(6)}→${line}`).join('\r\n'); },
  'sas': r => `https://shop.blob.core.windows.net/c/f?sv=2024-11-04&sp=r&sig=${hide(`${r.text(SET.word, 40)}%2B${r.text(SET.word, 2)}%3D`)}`,
  'sentry dsn': r => `https://${hide(r.text(SET.hex, 32))}:${hide(r.text(SET.hex, 32))}@o1.ingest.sentry.io/42`,
  'presigned': r => `https://b.s3.amazonaws.com/k?X-Amz-Credential=x&X-Amz-Signature=${hide(r.text(SET.hex, 64))}`,
  'teams webhook': r => `https://acme.webhook.office.com/webhookb2/${hide(`${r.text(SET.hex, 8)}-${r.text(SET.hex, 4)}-4${r.text(SET.hex, 3)}-a${r.text(SET.hex, 3)}-${r.text(SET.hex, 12)}@${r.text(SET.hex, 32)}/IncomingWebhook/${r.text(SET.hex, 32)}`)}`,
  'kubernetes secret': r => `apiVersion: v1\r\ndata:\r\n  password: ${hide(Buffer.from(r.text(SET.word, 18)).toString('base64'))}\r\nkind: Secret`,
};
