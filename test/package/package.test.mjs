// What people get: the tarball, the package, the installation. Slow: make test-all runs it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { before, test } from 'node:test';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PROGRAMS = ['ostler', 'ostler-hook', 'ostler-keeper'];
const run = (program, args, { cwd = ROOT, env = {} } = {}) =>
  execFileSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 });
const has = program => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const hash = file => crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');
const files = dir => fs.readdirSync(dir, { recursive: true, withFileTypes: true }).filter(e => e.isFile())
  .map(e => path.relative(dir, path.join(e.parentPath ?? e.path, e.name))).sort();

/** No interpreter and no libraries: it runs wherever the kernel does. */
const isStatic = file => !/INTERP|DYNAMIC/.test(run('readelf', ['-lW', file]));

let scratch;
before(() => { scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'ostler-package-')); });
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

/** The tarball, unpacked and built where there is no git; its directory. */
function buildTarball() {
  const tarball = path.join(ROOT, run('tools/dist.sh', []).trim());
  run('tar', ['-xzf', tarball, '-C', scratch]);
  const dir = path.join(scratch, path.basename(tarball, '.tar.gz'));
  const env = { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: scratch };
  if (!fs.existsSync(path.join(dir, 'build/build.ninja')))
    run('meson', ['setup', 'build', '--buildtype=release', '-Dtests=false', '-Dweb=false'], { cwd: dir, env });
  run('ninja', ['-C', 'build'], { cwd: dir, env });
  return dir;
}

test('the same commit gives the same tarball, and it builds without git, with its version', () => {
  const first = path.join(ROOT, run('tools/dist.sh', []).trim()), sum = hash(first);
  fs.rmSync(first);
  run('tools/dist.sh', [], { env: { TZ: 'Asia/Tokyo', LC_ALL: 'C' } });
  assert.equal(hash(first), sum);
  const dir = buildTarball(), version = path.basename(dir).replace('ostler-', '');
  assert.equal(fs.existsSync(path.join(dir, '.git')), false);
  assert.equal(run('build/ostler', ['version'], { cwd: dir }), `ostler ${version}\n`);
  const { commit } = JSON.parse(run('build/ostler', ['version', '--json'], { cwd: dir }));
  assert.equal(commit, run('git', ['rev-parse', 'HEAD']).trim());
  for (const program of ['ostler-hook', 'ostler-keeper']) assert.ok(isStatic(path.join(dir, 'build', program)), program);

  fs.rmSync(path.join(dir, 'VERSION')); // neither: the number of the last release, and nothing fails
  assert.match(run('tools/version.sh', [], { cwd: dir, env: { GIT_CEILING_DIRECTORIES: scratch } }), /^\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d\n$/);
});

test('make install puts everything into its place, and make uninstall takes it away', () => {
  const dir = buildTarball(), dest = path.join(scratch, 'dest');
  const install = (action, prefix) => run('tools/install.py', [action, prefix, dest], { cwd: dir });
  install('install', '/opt/o');
  const made = files(dest);
  for (const name of PROGRAMS) assert.ok(made.includes(`opt/o/bin/${name}`), name);
  const names = run('build/ostler', ['help', '--names'], { cwd: dir }).trim().split('\n');
  for (const name of ['ostler', ...names.map(n => `ostler-${n}`)]) assert.ok(made.includes(`opt/o/share/man/man1/${name}.1`), name);
  for (const file of ['share/bash-completion/completions/ostler', 'share/zsh/site-functions/_ostler', 'share/fish/vendor_completions.d/ostler.fish',
    'share/doc/ostler/README.md', 'share/doc/ostler/operations.md']) assert.ok(made.includes(`opt/o/${file}`), file);
  assert.match(fs.readFileSync(path.join(dest, 'opt/o/lib/systemd/user/ostler.service'), 'utf8'), /^ExecStart="\/opt\/o\/bin\/ostler" serve/m);
  fs.writeFileSync(path.join(dest, 'opt/o/bin/mine'), '');
  install('uninstall', '/opt/o');
  assert.deepEqual(files(dest), ['opt/o/bin/mine']);
  assert.notEqual(spawnSync('tools/install.py', ['install', 'relative'], { cwd: dir }).status, 0);
});

test('the package: checked by lintian, installed on a clean Debian, used there, and purged', { skip: has('dpkg-shlibdeps') ? false : 'dpkg-dev is not installed' }, t => {
  const dir = buildTarball(), deb = path.join(dir, run('tools/deb.sh', ['-Dweb=false'], { cwd: dir, env: { DEBEMAIL: 'ostler@debian.org' } }).trim());
  const again = () => { fs.rmSync(deb); run('tools/deb.sh', [], { cwd: dir, env: { DEBEMAIL: 'ostler@debian.org' } }); return hash(deb); };
  assert.equal(hash(deb), again(), 'the same sources give the same package');
  assert.match(run('dpkg-deb', ['-f', deb, 'Depends']), /libc6 .*libsqlite3-0 .*libuv1/);
  if (has('lintian')) assert.equal(run('lintian', ['--allow-root', '--fail-on', 'none', deb]), '');

  if (process.getuid() !== 0 || !has('mmdebstrap')) return t.skip('a clean Debian takes root and mmdebstrap');
  const release = run('sh', ['-c', '. /etc/os-release && echo "$VERSION_CODENAME"']).trim();
  const sources = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'].find(file => fs.existsSync(file));
  const { status, stdout, stderr } = spawnSync('mmdebstrap', ['--mode=root', '--variant=apt', `--customize-hook=copy-in ${deb} ${path.join(import.meta.dirname, 'clean_debian.sh')} /tmp`,
    `--customize-hook=chroot "$1" sh /tmp/clean_debian.sh /tmp/${path.basename(deb)}`, '--format=null', release, '/dev/null', sources], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stdout + stderr, /^clean_debian: all is well$/m);
});
