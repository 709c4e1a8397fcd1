// A wall clock that can be set while programs run with it; the machine's own stays as it is.
import fs from 'node:fs';
import path from 'node:path';
import { BUILD } from './daemon.mjs';

export const HOUR = 3600 * 1000;

export class SettableClock {
  /** Its file is in the home. */
  constructor(home) {
    this.file = path.join(home, 'test-clock');
    this.ms = 0;
    fs.writeFileSync(this.file, Buffer.alloc(8));
    this.fd = fs.openSync(this.file, 'r+');
  }

  /** What a program's environment needs to go by it. */
  get env() {
    const options = [process.env.ASAN_OPTIONS, 'verify_asan_link_order=0'].filter(Boolean).join(':');
    return { LD_PRELOAD: path.join(BUILD, 'test/libclock_shim.so'), OSTLER_TEST_CLOCK: this.file, ASAN_OPTIONS: options };
  }

  /** Sets it so much ahead of where it is, or back. */
  move(ms) {
    this.ms += ms;
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(this.ms) * 1000n);
    fs.writeSync(this.fd, bytes, 0, 8, 0);
  }

  now() {
    return Date.now() + this.ms;
  }

  close() {
    fs.closeSync(this.fd);
  }
}
