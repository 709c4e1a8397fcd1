// Real output of real programs on this machine, as a terminal gets it: what is masked in it is a false alarm.
import { spawnSync } from 'node:child_process';

const LIMIT = 12e6;

/** Full of examples that are to be masked. */
const EXAMPLES = ['test', 'docs/secrets.md', 'src/term/redact*'].map(path => `:!${path}`);

/** name → the command that prints it. */
const SOURCES = {
  'git log -p': ['git', '-c', 'color.ui=always', 'log', '-p', '--stat', '-n', '600', '--', '.', ...EXAMPLES],
  'find /usr -ls': ['find', '/usr', '-xdev', '-ls'],
  'documents': ['sh', '-c', 'find /usr/share/doc /usr/share/perl /usr/share/man -type f 2>/dev/null | sort | while read f; do case "$f" in *.gz) zcat "$f";; *) cat "$f";; esac; done'],
  'headers': ['sh', '-c', 'find /usr/include -name "*.h" | sort | xargs cat'],
  'python': ['sh', '-c', 'find /usr/lib/python3* -name "*.py" | sort | xargs cat'],
  'javascript': ['sh', '-c', 'find . ../web/node_modules web/node_modules test/e2e/node_modules -path "*node_modules*" \\( -name "*.js" -o -name "*.ts" -o -name "*.mjs" -o -name "*.json" -o -name "*.md" \\) 2>/dev/null | sort -u | xargs -d "\\n" cat'],
  'grep': ['sh', '-c', 'grep -rnIE --color=always "token|password|secret|key" /usr/include /usr/lib/python3 /usr/share/perl src docs 2>/dev/null'],
  'packages': ['sh', '-c', 'dpkg -l; apt-cache dump 2>/dev/null | head -c 4000000; cat /var/log/dpkg.log /var/log/apt/term.log 2>/dev/null'],
  'hashes': ['sh', '-c', 'find /usr/lib/x86_64-linux-gnu /usr/bin -type f 2>/dev/null | head -3000 | xargs -d "\\n" sha256sum; find /usr/bin -type f | head -40 | xargs -d "\\n" base64 2>/dev/null | head -c 4000000'],
  'strings': ['sh', '-c', 'find /usr/bin /usr/lib/git-core -type f -size +100k | sort | head -60 | xargs -d "\\n" cat | tr -c "[:print:]\\n" "\\n" | grep -aE ".{6,}"'],
};

/** One after the other: [name, bytes]. */
export function* ordinarySources(root) {
  for (const [name, [program, ...args]] of Object.entries(SOURCES)) {
    const { stdout } = spawnSync(program, args, { cwd: root, maxBuffer: 4e8, stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    const text = stdout.subarray(0, LIMIT).toString('latin1').replace(/\r?\n/g, '\r\n');
    yield [name, Buffer.from(text, 'latin1')];
  }
}
