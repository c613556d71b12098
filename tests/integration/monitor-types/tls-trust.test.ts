import { X509Certificate } from 'node:crypto';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { observe } from '@/server/monitor-types/probes';
import { definitions, type MonitorType } from '@/server/monitor-types/schema';
import { env } from '@/server/platform/env';
import { asTeam, tcpTarget } from '@/tests/integration/checks/targets';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { trustedCertificate } from '@/tests/support/certificates';

const { cert } = selfSignedCertificate;
const pin = new X509Certificate(cert).fingerprint256;
const otherPin = new X509Certificate(trustedCertificate.cert).fingerprint256;
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function listen(server: Server): Promise<number> {
  closing.push(() => server.close());
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

/** A mail server's side of a session: greets, and accepts every command. */
function talk(socket: Socket, greeting: string, ok: string): void {
  socket.on('error', () => undefined);
  socket.write(greeting);
  socket.on('data', () => socket.write(ok));
}

const SMTP = ['220 mail.test ESMTP\r\n', '250 mail.test\r\n'] as const;

/** A server that upgrades its connections after STARTTLS. */
async function startTlsServer(): Promise<number> {
  const target = await tcpTarget((socket) => {
    socket.write(SMTP[0]);
    socket.on('data', (data) => {
      if (!data.toString().startsWith('STARTTLS')) return socket.write('250-mail.test\r\n250 STARTTLS\r\n');
      socket.removeAllListeners('data');
      socket.write('220 go ahead\r\n');
      const secured = new TLSSocket(socket, { isServer: true, ...selfSignedCertificate });
      secured.on('error', () => undefined);
      return secured.on('data', () => secured.write(SMTP[1]));
    });
  });
  closing.push(() => target.close());
  return target.port;
}

const plainTls = (greet: (socket: Socket) => void) => () =>
  listen(
    createServer(selfSignedCertificate, (socket) => {
      socket.on('error', () => undefined);
      greet(socket);
    }),
  );

const https = () => listen(createHttps(selfSignedCertificate, (_request, response) => response.end('{}')));

async function webSocketServer(): Promise<number> {
  const server = createHttps(selfSignedCertificate);
  const sockets = new WebSocketServer({ server });
  closing.push(() => sockets.close());
  return listen(server);
}

const host = 'localhost';
/** The servers of each type, and what its checks say once they trust the certificate. */
const cases: [type: Exclude<MonitorType, 'heartbeat'>, serve: () => Promise<number>, config: object, then?: string][] =
  [
    ['http', https, {}],
    ['tcp', plainTls(() => undefined), { host, tls: true }],
    ['tls', plainTls(() => undefined), { host }],
    ['websocket', webSocketServer, {}],
    ['grpc', plainTls(() => undefined), { host, tls: true }, 'The port does not support HTTP/2, which gRPC requires'],
    ['smtp', plainTls((socket) => talk(socket, ...SMTP)), { host, security: 'tls' }],
    ['smtp', startTlsServer, { host, security: 'starttls' }],
    ['mailbox', plainTls((socket) => talk(socket, '* OK ready\r\n', '')), { host, security: 'tls' }],
  ];

async function check(type: (typeof cases)[number][0], port: number, config: object) {
  const url = { http: `https://localhost:${port}/`, websocket: `wss://localhost:${port}/` }[type as string];
  const given = { ...(url === undefined ? { port } : { url }), timeoutMs: 3_000, ...config };
  return observe({ type, config: definitions[type].schema.parse(given) } as never, asTeam());
}

describe.each(cases)('own certificates of %s', (type, serve, config, then) => {
  const good = then === undefined ? { outcome: 'ok', error: null } : { outcome: 'failed', error: then };

  it('are rejected by default, and accepted with their authority', async () => {
    const port = await serve();
    expect(await check(type, port, config)).toMatchObject({ outcome: 'failed', error: 'Certificate is self-signed' });
    expect(await check(type, port, { ...config, caCertificate: cert })).toMatchObject(good);
  });

  it('are accepted without verification, unless another one is pinned', async () => {
    const port = await serve();
    const unverified = { ...config, verifyTls: false };
    expect(await check(type, port, unverified)).toMatchObject(good);
    expect(await check(type, port, { ...unverified, certificatePin: pin })).toMatchObject(good);
    const bare = pin.replaceAll(':', '').toLowerCase();
    expect(await check(type, port, { ...unverified, certificatePin: bare })).toMatchObject(good);
    expect(await check(type, port, { ...unverified, certificatePin: otherPin })).toMatchObject({
      outcome: 'failed',
      error: 'Certificate does not have the pinned fingerprint',
    });
  });
});

describe('an own authority', () => {
  it('replaces the public ones, and the name must still match', async () => {
    const port = await listen(createHttps(trustedCertificate, (_request, response) => response.end()));
    expect(await check('http', port, {})).toMatchObject({ outcome: 'ok' });
    expect(await check('http', port, { caCertificate: cert })).toMatchObject({
      outcome: 'failed',
      error: 'Certificate issuer is not trusted',
    });
    const own = await https();
    expect(await check('http', own, { url: `https://127.0.0.1:${own}/`, caCertificate: cert })).toMatchObject({
      outcome: 'failed',
      error: 'Certificate is for another name',
    });
  });
});

describe('a token URL with an unverified certificate', () => {
  const serveTokens = async () => {
    let tokens = 0;
    const server = createHttps(selfSignedCertificate, (request, response) => {
      if (request.method === 'POST') tokens += 1;
      response.end('{"access_token":"abc"}');
    });
    return { port: await listen(server), count: () => tokens };
  };
  const auth = (port: number) => ({
    kind: 'oauth2',
    tokenUrl: `https://localhost:${port}/token`,
    clientId: 'a',
    clientSecret: `secret ${port}`,
  });

  it('gets no client secret if another certificate is pinned', async () => {
    const { port, count } = await serveTokens();
    const unverified = { verifyTls: false, auth: auth(port) };
    expect(await check('http', port, { ...unverified, certificatePin: otherPin })).toMatchObject({ outcome: 'failed' });
    expect(count()).toBe(0);
    expect(await check('http', port, { ...unverified, certificatePin: pin })).toMatchObject({ outcome: 'ok' });
    expect(count()).toBe(1);
  });

  it('is verified if it is not the origin of the pinned certificate', async () => {
    const [own, other] = [await serveTokens(), await serveTokens()];
    const config = { verifyTls: false, certificatePin: pin, auth: auth(other.port) };
    expect(await check('http', own.port, config)).toMatchObject({ outcome: 'failed' });
    expect(other.count()).toBe(0);
  });
});

describe('a client certificate', () => {
  const own = { verifyTls: false, clientCertificate: cert, clientKey: selfSignedCertificate.key };
  let presented: (string | null)[] = [];

  /** A server that requires a client certificate if `isRequired`, and redirects to `location` if that is set. */
  function mutual(isRequired: boolean, location?: string): Promise<number> {
    presented = [];
    const options = { ...selfSignedCertificate, ca: cert, requestCert: true, rejectUnauthorized: isRequired };
    const server = createHttps(options, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      presented.push(subject ? String(subject.CN) : null);
      response.writeHead(location === undefined ? 200 : 302, location === undefined ? {} : { location }).end();
    });
    return listen(server);
  }

  it('authenticates the check', async () => {
    const port = await mutual(true);
    expect(await check('http', port, { verifyTls: false })).toMatchObject({ outcome: 'failed' });
    expect(await check('http', port, own)).toMatchObject({ outcome: 'ok', statusCode: 200 });
    expect(presented).toEqual(['localhost']);
  });

  it('is not presented to another origin after a redirect', async () => {
    const target = await mutual(false);
    const first = await mutual(true, `https://127.0.0.1:${target}/`);
    expect(await check('http', first, own)).toMatchObject({ outcome: 'ok', statusCode: 200 });
    expect(presented).toEqual(['localhost', null]);
  });

  it('with another key makes the check unknown', async () => {
    const { key: clientKey } = trustedCertificate;
    const seen = await check('http', await mutual(true), { ...own, clientKey });
    expect(seen).toMatchObject({
      outcome: 'unknown',
      error: 'The client certificate of this monitor cannot be used with its key',
    });
  });
});

describe('a redirect to an address that is not allowed', () => {
  afterEach(() => {
    Object.assign(env, { allowPrivateTargets: true });
  });

  const seen = async (config: object) => {
    const server = createHttps(selfSignedCertificate, (_request, response) => {
      Object.assign(env, { allowPrivateTargets: false });
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    });
    return check('http', await listen(server), { verifyTls: false, ...config });
  };

  it('fails the check', async () => {
    expect(await seen({})).toMatchObject({ outcome: 'failed', error: expect.stringContaining('Redirected to') });
  });

  it('is not the failure that is expected of a monitor that is upside down', async () => {
    expect(await seen({ upsideDown: true })).toMatchObject({ outcome: 'unknown' });
  });
});
