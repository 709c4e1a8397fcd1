// A push service of the test's own, and the browsers that subscribed there. It takes what a daemon sends apart with node:crypto,
// by the RFCs alone: 8188 and 8291 (what is sealed), 8292 (who sends it).
import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { cleanup } from './cleanup.mjs';

const WAIT_MS = 30_000;
const fromText = text => Buffer.from(text, 'base64url');

/** A browser's half of a subscription. */
export class Browser {
  constructor(service, name = randomBytes(8).toString('hex')) {
    this.ecdh = createECDH('prime256v1');
    this.ecdh.generateKeys();
    this.auth = randomBytes(16);
    this.path = `/send/${name}`;
    this.endpoint = service.url + this.path;
    this.service = service;
  }

  /** What it tells the daemon. */
  subscription(more = {}) {
    const keys = { p256dh: this.ecdh.getPublicKey().toString('base64url'), auth: this.auth.toString('base64url') };
    return { endpoint: this.endpoint, expirationTime: null, keys, ...more };
  }

  /** RFC 8291, backwards. */
  open(body) {
    const salt = body.subarray(0, 16), size = body.readUInt32BE(16), length = body[20];
    assert.equal(length, 65);
    const sender = body.subarray(21, 21 + length), sealed = body.subarray(21 + length);
    assert.ok(body.length <= 4096 && sealed.length <= size, 'one record');
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.ecdh.getPublicKey(), sender]);
    const secret = Buffer.from(hkdfSync('sha256', this.ecdh.computeSecret(sender), this.auth, info, 32));
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16));
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12));
    const cipher = createDecipheriv('aes-128-gcm', key, nonce);
    cipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
    const end = plain.lastIndexOf(2);
    assert.ok(end >= 0 && plain.subarray(end + 1).every(b => b === 0), 'the last record ends with a 2 and zeros');
    return JSON.parse(plain.subarray(0, end).toString());
  }

  /** The next message for it that was not looked at yet, opened: {message, headers}. */
  async next() {
    const got = await this.service.next(this.path);
    return { message: this.open(got.body), headers: got.headers };
  }
}

export class PushService extends EventEmitter {
  requests = [];
  #answers = [];

  static async start(t, { pair, port = 0 } = {}) {
    const service = new PushService();
    const listener = (request, response) => service.#take(request, response);
    service.server = pair ? https.createServer({ key: fs.readFileSync(pair.key), cert: fs.readFileSync(pair.cert) }, listener) : http.createServer(listener);
    service.server.listen(port, '127.0.0.1');
    await once(service.server, 'listening');
    service.port = service.server.address().port;
    service.url = pair ? `https://localhost:${service.port}` : `http://127.0.0.1:${service.port}`;
    cleanup(t, () => { service.server.closeAllConnections(); service.server.close(); });
    return service;
  }

  /** The next requests are answered with these, then all with 201. */
  answer(...answers) {
    this.#answers.push(...answers);
  }

  async #take(request, response) {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const { status = 201, headers = {} } = this.#answers.shift() ?? {};
    this.requests.push({ method: request.method, path: request.url, headers: request.headers, body: Buffer.concat(pieces), status, at: performance.now() });
    response.writeHead(status, headers).end();
    this.emit('request');
  }

  async next(wanted) {
    const signal = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      const found = this.requests.find(r => !r.seen && r.path === wanted);
      if (found) {
        found.seen = true;
        return found;
      }
      await once(this, 'request', { signal });
    }
  }
}

/** The claims of a message's VAPID header, whose signature is checked with the key that the browser subscribed with. */
export function vapidClaims(headers, publicKey) {
  const [, token, key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(headers.authorization);
  assert.equal(key, publicKey);
  const [head, claims, signature] = token.split('.');
  assert.deepEqual(JSON.parse(fromText(head)), { typ: 'JWT', alg: 'ES256' });
  const point = fromText(key);
  const jwk = { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') };
  const good = verify('sha256', Buffer.from(`${head}.${claims}`), { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, fromText(signature));
  assert.ok(good, 'the signature is right');
  return JSON.parse(fromText(claims));
}

/** What a home needs so that its daemon may push to this machine. */
export function allowLoopback(home, more = {}) {
  const file = path.join(home, 'config/config.json');
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const before = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  fs.writeFileSync(file, JSON.stringify({ ...before, pushNetworks: ['127.0.0.0/8'], notifyDelay: 0, ...more }), { mode: 0o600 });
}

export async function subscribe(daemon, browser, more = {}, headers = {}) {
  return daemon.fetch('/api/push/subscriptions', {
    method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(browser.subscription(more)) });
}
