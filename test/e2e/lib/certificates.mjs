// Keys and certificates, made by openssl.
import { execFileSync } from 'node:child_process';
import path from 'node:path';

export const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

/** A certificate and its key as files. */
export function makePair(dir, name, ...more) {
  const key = path.join(dir, `${name}.key`), cert = path.join(dir, `${name}.crt`);
  openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert,
    '-subj', '/CN=ostler.example', '-addext', 'subjectAltName=DNS:ostler.example,DNS:localhost', ...more);
  return { key, cert };
}
