// Embeds a directory in the program: embed.mjs <dir> <blob> <assembly> <table.c> <depfile>
// Every file goes into one blob raw and, where that is smaller, as gzip and brotli; the assembly includes the blob
// and the table (struct asset of src/net/assets.h) says what lies where.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const [dir, blobPath, asmPath, tablePath, depPath] = process.argv.slice(2);

const mimes = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.glb': 'model/gltf-binary',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

function* walk(path, url) {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) yield* walk(child, `${url}/${entry.name}`);
    else yield { file: child, url: `${url}/${entry.name}` };
  }
}

// Byte order, as memcmp() sees it: the program searches by halves.
const files = [...walk(dir, '')].sort((a, b) => Buffer.compare(Buffer.from(a.url), Buffer.from(b.url)));
if (!files.some((f) => f.url === '/index.html')) throw new Error(`${dir} has no index.html`);

const blobs = [];
let size = 0;
const place = (bytes) => {
  const span = `{assets_blob + ${size}, ${bytes.length}}`;
  blobs.push(bytes);
  size += bytes.length;
  return span;
};
const gzip = (raw) => gzipSync(raw, { level: 9 });
const brotli = (raw) =>
  brotliCompressSync(raw, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: raw.length },
  });

const rows = files.map(({ file, url }) => {
  const raw = readFileSync(file);
  const members = [
    `.path = ${JSON.stringify(url)}`,
    `.mime = "${mimes[extname(url)] ?? 'application/octet-stream'}"`,
    `.etag = "${createHash('sha256').update(raw).digest('hex').slice(0, 16)}"`,
    `.immutable = ${url.startsWith('/assets/')}`,
    `.raw = ${place(raw)}`,
  ];
  for (const [name, encode] of Object.entries({ gzip, brotli })) {
    const encoded = encode(raw);
    if (encoded.length < raw.length) members.push(`.${name} = ${place(encoded)}`);
  }
  return `    {${members.join(', ')}},\n`;
});

writeFileSync(blobPath, Buffer.concat(blobs));
writeFileSync(
  asmPath,
  `    .section .rodata\n    .global assets_blob\n    .balign 16\nassets_blob:\n    .incbin ${JSON.stringify(blobPath)}\n` +
    '    .byte 0\n    .section .note.GNU-stack,"",%progbits\n',
);
writeFileSync(
  tablePath,
  `#include "net/assets.h"\n\nextern const char assets_blob[];\n\nconst struct asset assets_table[] = {\n${rows.join('')}};\n` +
    `const size_t assets_count = ${files.length};\n`,
);
const escape = (path) => path.replace(/[ #$\\]/g, '\\$&');
writeFileSync(depPath, `${escape(blobPath)}: ${files.map((f) => escape(f.file)).join(' ')}\n`);
console.log(`${files.length} files of ${basename(dir)} embedded, ${size} bytes`);
