// A small file system for a test, to be filled, to be made read-only, or to run out of files.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';
import { makeHome } from './daemon.mjs';

/** A home on a tmpfs of its own; null, with the test skipped, where that may not be mounted. */
export function smallHome(t, options) {
  const disk = makeHome(t);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `mode=0700,${options}`, 'tmpfs', disk], { stdio: 'pipe' });
  } catch {
    t.skip('mounting a small file system takes root');
    return null;
  }
  cleanup(t, () => execFileSync('umount', ['-l', disk]));
  const home = path.join(disk, 'home');
  fs.mkdirSync(home, { mode: 0o700 });
  return { home, disk };
}

const IMAGE_MIB = { ext4: 128, xfs: 320, btrfs: 256 };

/** A home on a file system of this kind, in a file; null, with the test skipped, where there is no such thing. */
export function imageHome(t, kind) {
  const base = makeHome(t), image = path.join(base, 'image'), disk = path.join(base, 'disk');
  fs.mkdirSync(disk);
  fs.closeSync(fs.openSync(image, 'w'));
  fs.truncateSync(image, IMAGE_MIB[kind] << 20);
  try {
    execFileSync(`mkfs.${kind}`, ['-q', image], { stdio: 'pipe' });
    execFileSync('mount', ['-o', 'loop', image, disk], { stdio: 'pipe' });
  } catch {
    t.skip(`no ${kind} can be made and mounted here`);
    return null;
  }
  cleanup(t, () => execFileSync('umount', ['-l', disk]));
  const home = path.join(disk, 'home');
  fs.mkdirSync(home, { mode: 0o700 });
  return { home, disk };
}

/** A home on an ext4 that can be made to fail; null, with the test skipped, where that is not possible. `fail()` makes it go read-only
 * by itself, by an error that it is told of or by the end of its journal; `mend()` unmounts, checks and mounts it again, which needs
 * everybody to have left it; `bind()` puts a directory of another disk into it. */
export function failingHome(t) {
  const base = makeHome(t), image = path.join(base, 'image'), disk = path.join(base, 'disk');
  const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' }).trim();
  let loop = null, mounted = [];
  const unmount = () => { while (mounted.length) run('umount', '-l', mounted.pop()); };
  cleanup(t, () => {
    unmount();
    if (loop) run('losetup', '-d', loop);
  });
  const mount = () => {
    run('mount', '-o', 'errors=remount-ro', loop, disk);
    mounted.push(disk);
  };
  fs.mkdirSync(disk);
  fs.closeSync(fs.openSync(image, 'w'));
  fs.truncateSync(image, IMAGE_MIB.ext4 << 20);
  try {
    run('mkfs.ext4', '-q', image);
    loop = run('losetup', '-f', '--show', image);
    mount();
    fs.accessSync(`/sys/fs/ext4/${path.basename(loop)}/trigger_fs_error`, fs.constants.W_OK);
  } catch {
    t.skip('no ext4 that can fail can be mounted here');
    return null;
  }
  const home = path.join(disk, 'home');
  fs.mkdirSync(home, { mode: 0o700 });
  return {
    home, disk,
    sync: () => run('sync', '-f', home),
    fail: how => how === 'error' ? fs.writeFileSync(`/sys/fs/ext4/${path.basename(loop)}/trigger_fs_error`, '1') : run('mount', '-o', 'remount,abort', disk),
    mend: () => {
      for (const place of mounted.splice(0).reverse()) run('umount', place);
      spawnSync('e2fsck', ['-f', '-y', loop]); // its status is 1 when it mended something
      run('e2fsck', '-f', '-n', loop);
      mount();
    },
    bind: (from, to) => {
      run('mount', '--bind', from, to);
      mounted.push(to);
    },
  };
}

/** Takes every block that is left. What it answers gives them back. */
export function fill(disk) {
  const file = path.join(disk, 'filler'), fd = fs.openSync(file, 'a');
  for (let size = 1 << 20; size >= 1; size >>= 1)
    for (;;)
      try {
        fs.writeSync(fd, Buffer.alloc(size, 'x'));
      } catch (e) {
        if (e.code !== 'ENOSPC') throw e;
        break;
      }
  fs.closeSync(fd);
  return () => fs.rmSync(file);
}

/** `ro` or `rw`, with whatever is open there. */
export function remount(disk, how) {
  execFileSync('mount', ['-o', `remount,${how}`, disk], { stdio: 'pipe' });
}
