// The TLS door: certificates that change while it is open, names, handshakes that lead nowhere.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';
import { makePair, openssl } from './lib/certificates.mjs';
import { cleanup } from './lib/cleanup.mjs';
import { makeHome, ostler, startDaemon } from './lib/daemon.mjs';

async function get(url, options) {
  const [answer] = await once(https.get(url, { agent: false, ...options }), 'response');
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode, body };
}

test('files that are replaced are taken up without a restart; a pair that does not work changes nothing and is told', async t => {
  const dir = makeHome(t);
  const first = makePair(dir, 'first', '-days', '30'), second = makePair(dir, 'second', '-days', '30');
  const cert = path.join(dir, 'cert.pem'), key = path.join(dir, 'key.pem');
  const put = pair => {
    for (const [from, to] of [[pair.cert, cert], [pair.key, key]]) {
      fs.copyFileSync(from, `${to}.new`);
      fs.renameSync(`${to}.new`, to);
    }
  };
  put(first);
  const daemon = await startDaemon(t, { args: ['--tls-cert', cert, '--tls-key', key] });
  const health = async pair => (await get(`https://localhost:${daemon.port}/api/health`, { ca: fs.readFileSync(pair.cert) }));
  const fingerprint = file => openssl('x509', '-in', file, '-noout', '-fingerprint', '-sha256').trim().split('=')[1];
  const viewer = tls.connect({ port: daemon.port, host: '127.0.0.1', servername: 'localhost', ca: fs.readFileSync(first.cert) });
  cleanup(t, () => viewer.destroy());
  await once(viewer, 'secureConnect');
  const { pid } = daemon.child;

  fs.copyFileSync(second.key, key); // half of it
  await daemon.says(/does not belong to the certificate .* is used further/);
  assert.equal(JSON.parse((await health(first)).body).status, 'degraded');
  assert.match((await ostler(daemon.home, ['status'])).stdout, /problem: the key in .* does not belong/);

  put(second);
  await daemon.says(new RegExp(`the certificate was replaced; its fingerprint \\(SHA-256\\) is ${fingerprint(second.cert)}`));
  assert.equal(JSON.parse((await health(second)).body).status, 'ok');
  await assert.rejects(health(first), 'the old one is not shown any more');
  assert.match((await ostler(daemon.home, ['status'])).stdout, new RegExp(fingerprint(second.cert)));
  assert.equal(daemon.child.pid, pid);

  viewer.write(`GET /api/health HTTP/1.1\r\nHost: localhost:${daemon.port}\r\n\r\n`); // who was here before stays
  assert.match(String((await once(viewer, 'data'))[0]), /^HTTP\/1.1 200/);

  const expired = path.join(dir, 'expired.crt'), request = path.join(dir, 'again.csr');
  openssl('req', '-new', '-key', second.key, '-subj', '/CN=old', '-out', request);
  openssl('x509', '-req', '-in', request, '-signkey', second.key, '-days', '-1', '-out', expired);
  put({ cert: expired, key: second.key });
  await daemon.says(/has expired: put a new one in its place, it is taken up at once; the certificate that there was/);
  assert.equal((await health(second)).status, 200);
});

test('that a certificate will expire is said two weeks beforehand, and no longer when it is renewed', async t => {
  const dir = makeHome(t);
  const soon = makePair(dir, 'soon', '-days', '9'), later = makePair(dir, 'later', '-days', '60');
  const daemon = await startDaemon(t, { args: ['--tls-cert', soon.cert, '--tls-key', soon.key] });
  const said = async () => {
    const status = await ostler(daemon.home, ['status']), doctor = await ostler(daemon.home, ['doctor', '--json']);
    const line = doctor.stdout.trim().split('\n').map(text => JSON.parse(text)).find(({ check }) => check === 'daemon');
    return { code: status.code, note: /note: (.*certificate.*)/.exec(status.stdout)?.[1] ?? null, state: line.state, doctor: JSON.stringify(line) };
  };
  const before = await said();
  assert.equal(before.code, 0, 'nothing is wrong yet');
  assert.match(before.note, /expires in [89] days: put a new one in its place/);
  assert.equal(before.state, 'warn');
  assert.match(before.doctor, /expires in [89] days/);
  fs.copyFileSync(later.key, soon.key);
  fs.copyFileSync(later.cert, soon.cert);
  await daemon.says(/the certificate was replaced/);
  const after = await said();
  assert.deepEqual([after.code, after.note], [0, null]);
  assert.doesNotMatch(after.doctor, /expires/);

  const own = await startDaemon(t, { args: ['--tls'] }); // nobody has to do anything for that one
  assert.doesNotMatch((await ostler(own.home, ['status'])).stdout, /expires/);
});

test('whatever name a client asks for, it gets the one certificate; the Host header decides what is served', async t => {
  const daemon = await startDaemon(t, { args: ['--tls'] });
  const ask = (servername, host) => new Promise((resolve, reject) => {
    const socket = tls.connect({ port: daemon.port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () => {
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.write(`GET /api/health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      let text = '';
      socket.on('data', piece => { text += piece; }).on('end', () => resolve({ fingerprint256, status: Number(text.split(' ')[1]) }));
    }).on('error', reject);
  });
  const fingerprint256 = daemon.info.fingerprint;
  assert.deepEqual(await ask('evil.example', `localhost:${daemon.port}`), { fingerprint256, status: 200 });
  assert.deepEqual(await ask('localhost', 'evil.example'), { fingerprint256, status: 421 });
});

test('handshakes that never end keep nobody out', async t => {
  const daemon = await startDaemon(t, { args: ['--tls'] });
  const slow = await Promise.all(Array.from({ length: 300 }, async (_, i) => {
    const socket = net.connect(daemon.port, '127.0.0.1');
    cleanup(t, () => socket.destroy());
    socket.on('error', () => {});
    await once(socket, 'connect');
    if (i % 2) socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])); // a hello that is not finished
    return socket;
  }));
  assert.equal((await ostler(daemon.home, ['status'])).code, 0);
  const ca = fs.readFileSync(path.join(daemon.home, 'tls.pem'));
  for (const socket of slow.slice(0, 100)) socket.destroy();
  for (;;) { // as soon as there are places, others get them
    const answer = await get(`https://localhost:${daemon.port}/api/health`, { ca }).catch(() => null);
    if (answer?.status === 200) break;
  }
});
