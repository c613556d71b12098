import http2, { type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitors/probing/attempt';
import { dial } from '@/server/monitors/probing/dial';
import type { Observation } from '@/server/monitors/probing/observation';
import type { GrpcConfig } from '@/server/monitors/schema';
import { Collected } from '@/server/platform/net';
import { decodeHealthResponse, encodeHealthRequest } from './health';

const MOST_BODY_BYTES = 64 * 1024;
/** A whole call takes about ten. */
const MOST_FRAMES = 500;
const FRAMES_CAUSE = `The server sent more than ${MOST_FRAMES} HTTP/2 frames for one answer`;
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;
const UNAUTHENTICATED = 16;
const CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

interface Reply {
  httpStatus: number;
  /** Null where the answer is no gRPC. */
  status: number | null;
  message: string;
  body: Buffer;
}

function requestHeaders({ host, port, service: _service, tls, timeoutMs }: GrpcConfig) {
  return {
    ':method': 'POST',
    ':scheme': tls ? 'https' : 'http',
    ':authority': `${host.includes(':') ? `[${host}]` : host}:${port}`,
    ':path': '/grpc.health.v1.Health/Check',
    'content-type': 'application/grpc',
    'user-agent': 'Upwatch/1.0',
    'grpc-timeout': `${timeoutMs}m`,
    te: 'trailers',
  };
}

function readText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Node's errors of HTTP/2; the others are the network's. */
function inWords(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_HTTP2_STREAM_ERROR') return new TargetFailure('The server broke off the call');
  return code.startsWith('ERR_HTTP2_') ? new TargetFailure('The port does not speak HTTP/2, which gRPC needs') : error;
}

/** HTTP/2 is read past JavaScript: what it tells of is counted here, the bytes of all else where they come in. */
function countFrame({ budget }: Attempt): void {
  budget.count('frames', MOST_FRAMES, FRAMES_CAUSE);
}

/** One unary call over HTTP/2 (RFC 9113, as gRPC uses it). */
function call(config: GrpcConfig, session: ClientHttp2Session, attempt: Attempt): Promise<Reply> {
  const from = attempt.now();
  return new Promise<Reply>((resolve, reject) => {
    const fail = (error: unknown) => reject(inWords(error));
    const closed = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    session.on('error', fail);
    session.once('close', closed);
    const stream = session.request(requestHeaders(config));
    stream.on('headers', () => countFrame(attempt));
    const body = new Collected(MOST_BODY_BYTES + 1);
    let headers: IncomingHttpHeaders = {};
    stream.once('response', (answered) => {
      attempt.spent('firstByteMs', from);
      attempt.answering = true;
      attempt.budget.answerOf(2 * MOST_BODY_BYTES);
      headers = answered;
    });
    stream.once('trailers', (trailers: IncomingHttpHeaders) => {
      headers = { ...headers, ...trailers };
    });
    stream.on('data', (part: Buffer) => {
      countFrame(attempt);
      body.add(part);
      if (body.size > MOST_BODY_BYTES) fail(new TargetFailure('The answer is longer than any answer about health'));
    });
    stream.on('error', fail);
    stream.once('end', () => {
      if (headers[':status'] === undefined) return closed();
      const status = headers['grpc-status'];
      resolve({
        httpStatus: Number(headers[':status']),
        status: status === undefined ? null : Number(status),
        message: readText(String(headers['grpc-message'] ?? '')),
        body: body.bytes,
      });
    });
    stream.end(encodeHealthRequest(config.service));
  });
}

async function exchange(config: GrpcConfig, socket: Socket, attempt: Attempt): Promise<Reply> {
  // The address is not used: the connection is there, and the request names its authority.
  const session = http2.connect('http://localhost', {
    createConnection: () => socket,
    settings: { enablePush: false },
  });
  for (const event of ['ping', 'remoteSettings', 'altsvc', 'origin']) session.on(event, () => countFrame(attempt));
  try {
    return await call(config, session, attempt);
  } finally {
    session.destroy();
  }
}

/** Why a reply does not say SERVING, as a sentence; null where it does. */
function complaint({ httpStatus, status, message, body }: Reply, service: string): string | null {
  const subject = service === '' ? 'The server' : `The service "${service}"`;
  if (status === null) return `The answer is not gRPC (status ${httpStatus})`;
  if (status === NOT_FOUND) return `The server does not know the service "${service}" (NOT_FOUND)`;
  if (status === UNIMPLEMENTED) return 'The server has no health service, grpc.health.v1 (UNIMPLEMENTED)';
  if (status === UNAUTHENTICATED) return 'The server wants a credential for its health service (UNAUTHENTICATED)';
  if (status !== 0) return `The server answered ${CODES[status] ?? `code ${status}`}${message && `: ${message}`}`;
  const health = decodeHealthResponse(body);
  if (health === null) return 'The answer is not a health status';
  return health === 'SERVING' ? null : `${subject} reports ${health}`;
}

/**
 * Asks by the gRPC health checking protocol (grpc.health.v1, Check) how a service is. Anything but SERVING is a failure.
 * All within `timeoutMs`. Rejects only where the signal aborts.
 */
export async function observeGrpc(config: GrpcConfig, options: ObserveOptions): Promise<Observation> {
  const attempt = new Attempt(config.timeoutMs, options);
  const { host, port, service, tls } = config;
  return attempt.observe(async () => {
    const socket = await dial({ host, port, family: 0, tls: tls ? { verify: true, alpn: ['h2'] } : null }, attempt);
    if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2') {
      throw new TargetFailure('The port does not speak HTTP/2, which gRPC needs');
    }
    const wrong = complaint(await exchange(config, socket, attempt), service);
    if (wrong !== null) throw new TargetFailure(wrong);
    return {};
  });
}
