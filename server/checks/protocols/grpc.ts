import http2, { type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { GrpcConfig } from '@/server/monitors/schema';
import type { Observation } from '../types';
import { Attempt, TargetFailure } from './attempt';
import { dial } from './dial';
import { decodeHealthResponse, encodeHealthRequest } from './grpc-health';

const MOST_BODY_BYTES = 64 * 1024;
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

/** One unary call over HTTP/2 (RFC 9113, as gRPC uses it). */
function call(config: GrpcConfig, socket: Socket, attempt: Attempt): Promise<Reply> {
  const from = performance.now();
  return new Promise<Reply>((resolve, reject) => {
    const fail = (error: unknown) => reject(inWords(error));
    const session = http2.connect(`${config.tls ? 'https' : 'http'}://${config.host}`, {
      createConnection: () => socket,
    });
    const closed = () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    session.on('error', fail);
    session.once('close', closed);
    const stream = session.request(requestHeaders(config));
    const parts: Buffer[] = [];
    let headers: IncomingHttpHeaders = {};
    let size = 0;
    stream.once('response', (answered) => {
      attempt.spent('firstByteMs', from);
      attempt.answering = true;
      headers = answered;
    });
    stream.once('trailers', (trailers: IncomingHttpHeaders) => {
      headers = { ...headers, ...trailers };
    });
    stream.on('data', (part: Buffer) => {
      size += part.length;
      if (size <= MOST_BODY_BYTES) parts.push(part);
      else reject(new TargetFailure('The answer is longer than any answer about health'));
    });
    stream.on('error', fail);
    stream.once('end', () => {
      if (headers[':status'] === undefined) return closed();
      const status = headers['grpc-status'];
      resolve({
        httpStatus: Number(headers[':status']),
        status: status === undefined ? null : Number(status),
        message: readText(String(headers['grpc-message'] ?? '')),
        body: Buffer.concat(parts),
      });
    });
    stream.end(encodeHealthRequest(config.service));
  }).finally(() => socket.destroy());
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
 * All within `timeoutMs`. Rejects only where `signal` aborts.
 */
export async function observeGrpc(config: GrpcConfig, signal: AbortSignal): Promise<Observation> {
  const attempt = new Attempt(config.timeoutMs, signal);
  const { host, port, service, tls } = config;
  return attempt.observe(async () => {
    const socket = await dial({ host, port, family: 0, tls: tls ? { verify: true, alpn: ['h2'] } : null }, attempt);
    if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2') {
      socket.destroy();
      throw new TargetFailure('The port does not speak HTTP/2, which gRPC needs');
    }
    const wrong = complaint(await call(config, socket, attempt), service);
    if (wrong !== null) throw new TargetFailure(wrong);
    return {};
  });
}
