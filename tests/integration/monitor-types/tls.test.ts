import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { evaluate } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { TlsConfig } from '@/server/monitor-types/schema';
import { asTeam, closedPort, type Target, tcpTarget } from '@/tests/integration/checks/targets';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { expiredCertificate, otherNameCertificate, trustedCertificate } from '@/tests/support/certificates';

const open: Target[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function serve(certificate: { key: string; cert: string }): Promise<number> {
  const target = await tcpTarget(() => undefined, { secure: true, certificate });
  open.push(target);
  return target.port;
}

async function plain(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(target);
  return target.port;
}

const configOf = (port: number, changes: Record<string, unknown> = {}) =>
  TlsConfig.parse({ host: 'localhost', port, timeoutMs: 1_000, ...changes });
const check = (port: number, changes: Record<string, unknown> = {}) =>
  observe({ type: 'tls', config: configOf(port, changes) }, asTeam());

describe('tls probe', () => {
  it('is up with a trusted certificate for the name, and stores it', async () => {
    const seen = await check(await serve(trustedCertificate));
    expect(seen).toMatchObject({
      outcome: 'ok',
      error: null,
      certificate: {
        subject: 'localhost',
        issuer: 'Upwatch test authority',
        validTo: new Date('2119-01-01T00:00:00Z'),
      },
    });
    expect(seen.timings.tlsMs).toBeGreaterThan(0);
  });

  it('matches the certificate against an IP address too', async () => {
    expect(await check(await serve(trustedCertificate), { host: '127.0.0.1' })).toMatchObject({ outcome: 'ok' });
  });

  it('sends a server name other than the host', async () => {
    const port = await serve(otherNameCertificate);
    expect(await check(port, { serverName: 'shop.example.test' })).toMatchObject({ outcome: 'ok' });
    expect(await check(port)).toMatchObject({
      outcome: 'failed',
      error: 'Certificate is not for localhost, but for shop.example.test',
      certificate: { subject: 'shop.example.test' },
    });
  });

  it('warns before the certificate expires', async () => {
    const config = configOf(await serve(trustedCertificate), { warnDays: 30 });
    const seen = await observe({ type: 'tls', config }, asTeam());
    const judge = (at: string) => evaluate({ type: 'tls', config }, seen, new Date(at));
    expect(judge('2118-12-01')).toEqual({ status: 'up', error: null });
    expect(judge('2118-12-20')).toEqual({
      status: 'degraded',
      error: 'Certificate expires in 12 days, on 2119-01-01',
    });
  });

  it.each([
    ['expired', expiredCertificate, 'Certificate expired on 2021-06-01'],
    ['from an untrusted issuer', selfSignedCertificate, 'Certificate is self-signed'],
  ])('fails with one %s', async (_name, certificate, error) => {
    const seen = await check(await serve(certificate));
    expect(seen).toMatchObject({ outcome: 'failed', error, certificate: { subject: 'localhost' } });
  });

  it('fails if the port is closed, has no TLS, or breaks the connection', async () => {
    expect(await check(await closedPort())).toMatchObject({ outcome: 'failed', error: 'Connection refused' });
    const talker = await plain((socket) => void socket.write('220 mail.test ESMTP\r\n'));
    expect(await check(talker)).toMatchObject({ outcome: 'failed', error: 'The port does not support TLS' });
    const breaker = await plain((socket) => void socket.once('data', () => socket.resetAndDestroy()));
    expect(await check(breaker)).toMatchObject({ outcome: 'failed' });
  });

  it('respects its timeout if the handshake hangs or drips', async () => {
    const hanging = await check(await plain(() => undefined), { timeoutMs: 200 });
    expect(hanging).toMatchObject({ outcome: 'failed', error: 'No response within 0.2 s' });
    const dripping = await plain((socket) => {
      // The header of a 16 KiB handshake record, then single bytes slowly.
      socket.write(Buffer.from([22, 3, 3, 0x40, 0]));
      const timer = setInterval(() => socket.write(Buffer.from([2])), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await check(dripping, { timeoutMs: 200 })).toMatchObject({ outcome: 'failed' });
  });
});
