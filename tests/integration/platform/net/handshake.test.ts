import { generateKeyPairSync } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import tls, { type TlsOptions } from 'node:tls';
import { afterEach, expect, it, vi } from 'vitest';
import { writeCertificate } from '@/tests/support/x509';

vi.stubEnv('ALLOW_PRIVATE_TARGETS', 'true');
const { guardedRequest } = await import('@/server/platform/net');

const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });
let server: tls.Server;
afterEach(() => server.close());

/** A request to a TLS server that accepts only these key exchanges. */
async function request(options: TlsOptions) {
  server = tls.createServer({ ...writeCertificate({ key }), ...options }, (socket) => {
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return guardedRequest({
    url,
    method: 'GET',
    teamId: 'team',
    timeoutMs: 5_000,
    maxResponseBytes: 100,
    trust: { verify: false },
  });
}

// A group of the server's choice takes a second of the thread that all checks share.
it.each([
  ['TLS 1.2', { maxVersion: 'TLSv1.2', ciphers: 'kDHE', dhparam: 'auto' }],
  ['TLS 1.3', { minVersion: 'TLSv1.3', ecdhCurve: 'ffdhe2048' }],
] satisfies [string, TlsOptions][])('offers no finite-field Diffie-Hellman in %s', async (_version, options) => {
  await expect(request(options)).rejects.toMatchObject({ code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE' });
});

it.each([
  ['X25519', { ecdhCurve: 'X25519' }],
  ['P-256 in TLS 1.2', { maxVersion: 'TLSv1.2', ecdhCurve: 'P-256' }],
  ['P-521', { ecdhCurve: 'P-521' }],
  ['an RSA key in TLS 1.2', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
] satisfies [string, TlsOptions][])('connects with %s', async (_name, options) => {
  expect((await request(options)).body).toBe('ok');
});

it('ends a handshake with more than 32 KiB of certificates', async () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}.certificate.example.test`);
  expect((await request(writeCertificate({ alternatives: names(300) }))).body).toBe('ok');
  await expect(request(writeCertificate({ alternatives: names(2_000) }))).rejects.toMatchObject({ code: 'EFLOOD' });
});
