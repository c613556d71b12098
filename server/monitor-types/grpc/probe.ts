import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Attempt, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import type { Observation } from '@/server/monitor-types/probing/observation';
import type { GrpcConfig } from '@/server/monitor-types/schema';
import type { DialTarget } from '@/server/platform/net';
import { percentDecoded } from '@/server/platform/schema';
import { toTrust } from '../config/tls-trust';
import { decodeHealthResponse, encodeHealthRequest } from './health';
import { callOverHttp2 } from './http2';

const MOST_BODY_BYTES = 64 * 1024;
/** The maximum number of frames; a whole call takes about ten. */
const MOST_FRAMES = 500;
const FRAMES_CAUSE = `The server sent more than ${MOST_FRAMES} HTTP/2 frames for one response`;
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
  /** Null if the response is not gRPC. */
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

/** Makes one unary call over HTTP/2, as gRPC uses it. */
async function call(config: GrpcConfig, socket: Socket, attempt: Attempt): Promise<Reply> {
  const from = attempt.now();
  const sent = requestHeaders(config);
  const exchange = attempt.exchange(`POST ${sent[':path']} HTTP/2`, { 'content-type': sent['content-type'] });
  const { headers, body } = await callOverHttp2(socket, {
    headers: sent,
    body: encodeHealthRequest(config.service),
    mostBytes: MOST_BODY_BYTES,
    tooLong: 'The response is too long for a health status',
    onFrame: () => attempt.budget.count('frames', MOST_FRAMES, FRAMES_CAUSE),
    onAnswer() {
      attempt.spent('firstByteMs', from);
      attempt.answering = true;
      attempt.budget.answerOf(2 * MOST_BODY_BYTES);
    },
  });
  exchange.response = { line: `HTTP/2 ${headers[':status']}`, headers: Object.entries(headers).flat() };
  const status = headers['grpc-status'];
  return {
    httpStatus: Number(headers[':status']),
    status: status === undefined ? null : Number(status),
    message: percentDecoded(headers['grpc-message'] ?? ''),
    body,
  };
}

/** Returns a sentence that says why a reply is not SERVING; null if it is. */
function complaint({ httpStatus, status, message, body }: Reply, service: string): string | null {
  const subject = service === '' ? 'The server' : `The service "${service}"`;
  if (status === null) return `The response is not gRPC (status ${httpStatus})`;
  if (status === NOT_FOUND) return `The server does not know the service "${service}" (NOT_FOUND)`;
  if (status === UNIMPLEMENTED) return 'The server has no health service, grpc.health.v1 (UNIMPLEMENTED)';
  if (status === UNAUTHENTICATED) return 'The health service requires a credential (UNAUTHENTICATED)';
  if (status !== 0) return `The server answered ${CODES[status] ?? `code ${status}`}${message && `: ${message}`}`;
  const health = decodeHealthResponse(body);
  if (health === null) return 'The response is not a health status';
  return health === 'SERVING' ? null : `${subject} reports ${health}`;
}

export function grpcTarget({ host, port, tls, ...trust }: GrpcConfig): DialTarget {
  return { host, port, family: 0, tls: tls ? { ...toTrust(trust), alpn: ['h2'] } : null };
}

/**
 * Queries a service by the gRPC health checking protocol (grpc.health.v1, Check). Anything but SERVING is a failure. All within `timeoutMs`. Rejects
 * only if the signal aborts.
 */
export async function observeGrpc(config: GrpcConfig, options: ObserveOptions): Promise<Observation> {
  const attempt = new Attempt(config.timeoutMs, options);
  const { service } = config;
  return attempt.observe(async () => {
    const socket = await dial(grpcTarget(config), attempt);
    if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2') {
      throw new TargetFailure('The port does not support HTTP/2, which gRPC requires');
    }
    const wrong = complaint(await call(config, socket, attempt), service);
    if (wrong !== null) throw new TargetFailure(wrong);
    return {};
  });
}
