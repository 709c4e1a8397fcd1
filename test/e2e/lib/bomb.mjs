// Backups that nobody made of data: zstd frames and tar heads written by hand, a few bytes that unpack to as many as one likes.

const BLOCK_MAX = 128 << 10, RAW = 0, RLE = 1;

/** A block's head: is it the last one, its kind, how many bytes it has or stands for. */
function blockHead(last, kind, size) {
  const head = Buffer.alloc(3);
  head.writeUIntLE((last ? 1 : 0) | kind << 1 | size << 3, 0, 3);
  return head;
}

/** Pieces of a frame, to be written one after the other. */
export const frame = {
  begin: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x68]), // a window of 8 MiB, no size, no checksum
  raw: bytes => Buffer.concat([blockHead(false, RAW, bytes.length), bytes]),
  zeros: size => {
    const whole = Buffer.concat([blockHead(false, RLE, BLOCK_MAX), Buffer.from([0])]), left = size % BLOCK_MAX;
    const rest = left ? [Buffer.concat([blockHead(false, RLE, left), Buffer.from([0])])] : [];
    return Buffer.concat([Buffer.alloc(whole.length * Math.floor(size / BLOCK_MAX), whole), ...rest]);
  },
  end: blockHead(true, RAW, 0),
};

/** The head of a plain file in a tar archive; `size` may be a BigInt of any size. */
export function tarHead(name, size) {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  for (const at of [100, 108, 116]) head.write('0000600\0', at);
  if (BigInt(size) < 1n << 33n) {
    head.write(`${BigInt(size).toString(8).padStart(11, '0')}\0`, 124);
  } else {
    head[124] = 0x80;
    head.writeBigUInt64BE(BigInt(size), 128);
  }
  head.write('00000000000\0', 136);
  head.write('        ', 148);
  head.write('0', 156);
  head.write('ustar\x0000', 257, 'latin1');
  head.write(`${head.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

/** Small enough for what is not zeros to be told apart: a head as two blocks. */
export const packedHead = (name, size) => {
  const head = tarHead(name, size);
  return Buffer.concat([frame.raw(head.subarray(0, 265)), frame.zeros(512 - 265)]);
};
