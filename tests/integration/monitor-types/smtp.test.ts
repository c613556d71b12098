import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { evaluate } from '@/server/monitor-types/evaluate';
import { observe } from '@/server/monitor-types/probes';
import { definitions } from '@/server/monitor-types/schema';
import { asTeam, closedPort, tcpTarget } from '@/tests/integration/checks/targets';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { expiredCertificate, otherNameCertificate, trustedCertificate } from '@/tests/support/certificates';

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

/** A real mail server; resolves with its port. */
async function mailServer(options: SMTPServerOptions = {}): Promise<number> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, ...options });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  open.push(() => new Promise((resolve) => server.close(() => resolve(undefined))));
  return (server.server.address() as AddressInfo).port;
}

/** A TCP server that sends the given data. */
async function talker(greet: (socket: Socket) => void): Promise<number> {
  const target = await tcpTarget(greet);
  open.push(() => target.close());
  return target.port;
}

/** Sends a greeting, then the next of these texts for each line received. */
function script(greeting: string, ...replies: string[]): Promise<number> {
  return talker((socket) => {
    socket.write(greeting);
    socket.on('data', () => {
      const reply = replies.shift();
      if (reply !== undefined) socket.write(reply);
    });
  });
}

const GREETING = '220 mail.test ESMTP\r\n';
const EHLO = '250-mail.test\r\n250 STARTTLS\r\n';

async function check(port: number, changes: Record<string, unknown> = {}) {
  const config = definitions.smtp.schema.parse({ host: 'localhost', port, timeoutMs: 1_000, ...changes });
  const seen = await observe({ type: 'smtp', config }, asTeam());
  return { ...seen, ...evaluate({ type: 'smtp', config }, seen, new Date()) };
}

describe('smtp probe', () => {
  it('is up if a mail server answers EHLO, and measures the phases', async () => {
    const seen = await check(await mailServer());
    expect(seen).toMatchObject({
      status: 'up',
      error: null,
      statusCode: 250,
      certificate: null,
      evidence: { code: 250 },
    });
    expect(seen.timings).toMatchObject({ tlsMs: null });
    for (const phase of ['connectMs', 'firstByteMs', 'downloadMs'] as const) expect(seen.timings[phase]).not.toBeNull();
  });

  it.each(['starttls', 'tls'] as const)('verifies the certificate over %s, and stores it', async (security) => {
    const options = security === 'tls' ? { secure: true } : { disabledCommands: [] };
    const seen = await check(await mailServer({ ...trustedCertificate, ...options }), { security });
    expect(seen).toMatchObject({
      status: 'up',
      certificate: { subject: 'localhost', validTo: new Date('2119-01-01T00:00:00Z') },
    });
    expect(seen.timings.tlsMs).toBeGreaterThan(0);
  });

  it.each([
    ['expired', expiredCertificate, /expired/],
    ['for another name', otherNameCertificate, /not (for|valid for)|another name/i],
    ['self-signed', selfSignedCertificate, /self-signed/],
  ])('is down after STARTTLS if the certificate is %s', async (_name, certificate, error) => {
    const port = await mailServer({ ...certificate, disabledCommands: [] });
    const seen = await check(port, { security: 'starttls' });
    expect(seen).toMatchObject({ status: 'down', certificate: expect.anything() });
    expect(seen.error).toMatch(error);
    expect(await check(port)).toMatchObject({ status: 'up' });
  });

  it('is down if the server does not offer STARTTLS, or rejects it', async () => {
    const security = 'starttls';
    expect(await check(await mailServer(), { security })).toMatchObject({
      error: 'The server does not offer STARTTLS',
    });
    const refusing = await script(GREETING, EHLO, '454 not now\r\n');
    expect(await check(refusing, { security })).toMatchObject({ error: 'The server rejected STARTTLS: 454 not now' });
  });

  it('is down if plain text follows the reply to STARTTLS', async () => {
    const port = await script(GREETING, EHLO, '220 go on\r\n250 injected\r\n');
    expect(await check(port, { security: 'starttls' })).toMatchObject({
      error: 'The server sent plain text after its reply to STARTTLS',
    });
  });

  it('compares the code of the last reply with the expected one', async () => {
    const refusing = await script('554-no\r\n554 mail from here\r\n');
    expect(await check(refusing)).toMatchObject({
      status: 'down',
      statusCode: 554,
      error: 'Expected code 250, got 554 no mail from here',
    });
    expect(await check(refusing, { expectedCode: 554 })).toMatchObject({ status: 'up' });
    expect(await check(await script(GREETING, '502 no EHLO\r\n'))).toMatchObject({
      error: 'Expected code 250, got 502 no EHLO',
    });
  });

  it('reads a reply in fragments', async () => {
    const port = await talker((socket) => {
      socket.write('22');
      setTimeout(() => socket.write('0 mail.test\r\n'), 20);
      socket.once('data', () => {
        socket.write('250-mail.test\r');
        setTimeout(() => socket.write('\n250 HELP\r\n'), 20);
      });
    });
    expect(await check(port)).toMatchObject({ status: 'up', evidence: { lines: ['mail.test', 'HELP'] } });
  });

  it('is down if another protocol answers, the port is closed, or the connection breaks', async () => {
    expect(await check(await script('HTTP/1.1 400 Bad Request\r\n\r\n'))).toMatchObject({
      error: 'Expected an SMTP reply, got "HTTP/1.1 400 Bad Request"',
    });
    expect(await check(await closedPort())).toMatchObject({ error: 'Connection refused' });
    const closing = await talker((socket) => void socket.end('220-mail'));
    expect(await check(closing)).toMatchObject({ error: 'The connection was closed before the server replied' });
    const resetting = await talker(
      (socket) => void socket.once('data', () => socket.resetAndDestroy()).write(GREETING),
    );
    expect(await check(resetting)).toMatchObject({ status: 'down', outcome: 'failed' });
  });

  it('respects its timeout if the server is silent, slow or drips', async () => {
    const limit = { timeoutMs: 200 };
    expect(await check(await talker(() => undefined), limit)).toMatchObject({ error: 'No response within 0.2 s' });
    const silent = await script(GREETING);
    expect(await check(silent, limit)).toMatchObject({ error: 'The response did not end within 0.2 s' });
    const dripping = await talker((socket) => {
      const timer = setInterval(() => socket.write('220-more\r\n'), 20);
      socket.once('close', () => clearInterval(timer));
    });
    expect(await check(dripping, limit)).toMatchObject({ status: 'down', outcome: 'failed' });
    const handshake = await script(GREETING, EHLO, '220 go on\r\n');
    expect(await check(handshake, { ...limit, security: 'starttls' })).toMatchObject({ status: 'down' });
  });

  it.each(['220-more\r\n', '2'])('ends if the server sends %j without an end', async (text) => {
    const port = await talker((socket) => {
      const many = text.repeat(4_000);
      const write = () => {
        while (!socket.destroyed && socket.write(many));
      };
      socket.on('drain', write);
      write();
    });
    expect((await check(port)).error).toMatch(/^The server sent more than/);
  });
});
