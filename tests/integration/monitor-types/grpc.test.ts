import http2 from 'node:http2';
import type { Socket } from 'node:net';
import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
} from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from 'vitest';
import { observe } from '@/server/monitor-types/probes';
import { GrpcConfig } from '@/server/monitor-types/schema';
import { asTeam, closedPort, httpTarget, listening, type Target, tcpTarget } from '@/tests/integration/checks/targets';
import { selfSignedCertificate } from '@/tests/support/certificate';
import { trustedCertificate } from '@/tests/support/certificates';

const open: Pick<Target, 'close'>[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** The service of the .proto file. Messages stay bytes, so that the product's own encoding is tested. */
const bytes = (value: Buffer) => value;
const definition: ServiceDefinition = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
};

type Reply = { code: number; details: string } | Buffer | 'silence';

/** A server built with the reference implementation. */
async function serve(
  reply: (request: Buffer) => Reply,
  credentials = ServerCredentials.createInsecure(),
  address = '127.0.0.1',
) {
  const server = new Server();
  const answer: handleUnaryCall<Buffer, Buffer> = (call, send) => {
    const said = reply(call.request);
    if (said === 'silence') return;
    if (said instanceof Buffer) send(null, said);
    else send({ ...said, metadata: new Metadata() }, null);
  };
  server.addService(definition, { check: answer });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${address}:0`, credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  open.push({ close: async () => server.forceShutdown() });
  return port;
}

const secured = ({ key, cert }: typeof trustedCertificate) =>
  ServerCredentials.createSsl(null, [{ private_key: Buffer.from(key), cert_chain: Buffer.from(cert) }]);

const check = (port: number, changes: Record<string, unknown> = {}) =>
  observe(
    { type: 'grpc', config: GrpcConfig.parse({ host: 'localhost', port, timeoutMs: 1_500, ...changes }) },
    asTeam(),
  );

const SERVING = Buffer.from([0x08, 1]);

describe('grpc probe', () => {
  it('is up if the server reports SERVING for the requested service', async () => {
    const asked: string[] = [];
    const port = await serve((request) => {
      asked.push(request.toString('hex'));
      return SERVING;
    });
    const seen = await check(port);
    expect(seen).toMatchObject({ outcome: 'ok', error: null });
    expect(seen.timings.firstByteMs).toBeGreaterThan(0);
    expect(await check(port, { service: 'shop.Cart' })).toMatchObject({ outcome: 'ok' });
    const name = 'x'.repeat(200);
    await check(port, { service: name });
    const hex = (text: string) => Buffer.from(text).toString('hex');
    expect(asked).toEqual(['', `0a09${hex('shop.Cart')}`, `0ac801${hex(name)}`]);
  });

  it('calls a server at an IPv6 address, plain and over TLS', async () => {
    const serving = (credentials?: ServerCredentials) => serve(() => SERVING, credentials, '[::1]');
    expect(await check(await serving(), { host: '::1' })).toMatchObject({ outcome: 'ok', error: null });
    const secure = { host: '::1', tls: true };
    expect(await check(await serving(secured(selfSignedCertificate)), secure)).toMatchObject({
      error: 'Certificate is self-signed',
    });
  });

  it('ignores unknown fields', async () => {
    const port = await serve(() =>
      Buffer.from([0x12, 2, 1, 1, 0x1d, 1, 2, 3, 4, 0x08, 1, 0x19, 1, 2, 3, 4, 5, 6, 7, 8]),
    );
    expect(await check(port)).toMatchObject({ outcome: 'ok' });
  });

  it.each<[string, Reply, string]>([
    ['not serving', Buffer.from([0x08, 2]), 'The service "shop" reports NOT_SERVING'],
    ['unknown, as the default value', Buffer.alloc(0), 'The service "shop" reports UNKNOWN'],
    ['an unknown service', Buffer.from([0x08, 3]), 'The service "shop" reports SERVICE_UNKNOWN'],
    ['an invalid status', Buffer.from([0x08, 9]), 'The response is not a health status'],
    ['a truncated message', Buffer.from([0x08]), 'The response is not a health status'],
    [
      'no such service',
      { code: status.NOT_FOUND, details: 'unknown' },
      'The server does not know the service "shop" (NOT_FOUND)',
    ],
    [
      'no health service',
      { code: status.UNIMPLEMENTED, details: '' },
      'The server has no health service, grpc.health.v1 (UNIMPLEMENTED)',
    ],
    [
      'an internal error',
      { code: status.UNAVAILABLE, details: 'over capacity: 100 %' },
      'The server answered UNAVAILABLE: over capacity: 100 %',
    ],
  ])('reports: %s', async (_name, reply, error) => {
    const port = await serve(() => reply);
    expect(await check(port, { service: 'shop' })).toMatchObject({ outcome: 'failed', error });
  });

  it('respects its timeout', async () => {
    expect(await check(await serve(() => 'silence'), { timeoutMs: 200 })).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/No response within 0.2 s|DEADLINE_EXCEEDED|aborted/),
    });
    const hanging = await tcpTarget(() => undefined);
    open.push(hanging);
    expect(await check(hanging.port, { timeoutMs: 200 })).toMatchObject({ error: 'No response within 0.2 s' });
  });

  it('uses TLS and verifies the certificate', async () => {
    const good = await serve(() => SERVING, secured(trustedCertificate));
    expect(await check(good, { tls: true })).toMatchObject({ outcome: 'ok', certificate: { subject: 'localhost' } });
    const bad = await serve(() => SERVING, secured(selfSignedCertificate));
    expect(await check(bad, { tls: true })).toMatchObject({ outcome: 'failed', error: 'Certificate is self-signed' });
  });

  it('fails if the port is closed or speaks another protocol', async () => {
    expect(await check(await closedPort())).toMatchObject({ outcome: 'failed', error: 'Connection refused' });
    const noHttp2 = 'The port does not support HTTP/2, which gRPC requires';
    const web = await httpTarget((_request, response) => void response.end('hello'));
    open.push(web);
    expect(await check(web.port)).toMatchObject({ outcome: 'failed', error: noHttp2 });
    const secure = await tcpTarget(() => undefined, { secure: true, certificate: trustedCertificate });
    open.push(secure);
    expect(await check(secure.port, { tls: true })).toMatchObject({ outcome: 'failed', error: noHttp2 });
  });

  it('fails if HTTP/2 answers without gRPC, or with too much data', async () => {
    const server = http2.createServer((_request, response) => void response.writeHead(404).end('nothing here'));
    open.push(await listening(server));
    const [first] = open.slice(-1) as Target[];
    expect(await check(first?.port ?? 0)).toMatchObject({ error: 'The response is not gRPC (status 404)' });
    const flood = http2.createServer((_request, response) => void response.end(Buffer.alloc(200_000)));
    const target = await listening(flood);
    open.push(target);
    expect(await check(target.port)).toMatchObject({ error: 'The response is too long for a health status' });
  });

  it('fails if the connection or the call is reset', async () => {
    const sockets: Socket[] = [];
    const server = http2.createServer();
    server.on('stream', (stream) => {
      stream.on('error', () => undefined);
      sockets.at(-1)?.destroy();
    });
    const target = await listening(server);
    server.on('connection', (socket: Socket) => sockets.push(socket));
    open.push(target);
    expect(await check(target.port)).toMatchObject({
      outcome: 'failed',
      error: expect.stringMatching(/closed|aborted/),
    });
    const resetting = http2.createServer();
    resetting.on('stream', (stream) => {
      stream.on('error', () => undefined);
      stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
    });
    const other = await listening(resetting);
    open.push(other);
    expect(await check(other.port)).toMatchObject({ outcome: 'failed', error: 'The server aborted the call' });
  });
});
