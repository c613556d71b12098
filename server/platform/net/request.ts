import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { InvalidTargetError, NetworkTimeoutError } from './errors';
import { assertAllowedHost, assertPort } from './host';
import { guardedConnection } from './lookup';

export interface GuardedRequest {
  url: string;
  method: string;
  headers?: Record<string, string>;
  body?: string;
  /** From the first step to the last byte of the answer. */
  timeoutMs: number;
  /** An answer's body is cut off here. */
  maxResponseBytes: number;
  /** False accepts any certificate. */
  verifyTls?: boolean;
  /** The operator set this address, no user did: it may be a private one. */
  trusted?: boolean;
  /** What came of a body that breaks off, or does not end in time, is taken as a truncated one. */
  acceptPart?: boolean;
  signal?: AbortSignal | undefined;
}

export interface GuardedResponse {
  status: number;
  /** Names in lower case; a repeated header's values joined with ", ". */
  headers: Record<string, string>;
  body: string;
  /** The body was longer than `maxResponseBytes`, or did not end (`acceptPart`). */
  truncated: boolean;
}

function open(options: GuardedRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(options.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InvalidTargetError('Only http:// and https:// addresses can be requested');
  const secure = url.protocol === 'https:';
  assertPort(url.port === '' ? (secure ? 443 : 80) : Number(url.port));
  if (!options.trusted) assertAllowedHost(url.hostname);
  const { lookup, ...connection } = guardedConnection;
  return new Promise((resolve, reject) => {
    const request = (secure ? https : http).request(url, {
      ...connection,
      ...(!options.trusted && { lookup }),
      method: options.method,
      headers: options.headers ?? {},
      // A connection of its own: one that was kept alive would skip the check of its address.
      agent: false,
      rejectUnauthorized: options.verifyTls ?? true,
      signal,
    });
    request.once('response', resolve);
    request.on('error', reject);
    request.end(options.body);
  });
}

async function read(
  response: IncomingMessage,
  { maxResponseBytes, acceptPart = false }: GuardedRequest,
): Promise<Pick<GuardedResponse, 'body' | 'truncated'>> {
  const parts: Buffer[] = [];
  let size = 0;
  let broken = false;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      size += part.length;
      if (size > maxResponseBytes) break;
    }
  } catch (error) {
    if (!acceptPart) throw error;
    broken = true;
  }
  const body = Buffer.concat(parts).subarray(0, maxResponseBytes).toString('utf8');
  return { body, truncated: broken || size > maxResponseBytes };
}

function toHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(pairs);
}

/**
 * One HTTP/1.1 request to a target that users name: over a fresh connection to a checked address, following no redirect, bounded in
 * time and in size. An answer of any status is an answer. Throws `BlockedTargetError`, `InvalidTargetError`, `DnsError`, `NetworkTimeoutError`,
 * the signal's reason or the socket's error; `describeNetworkError` puts each into words.
 */
export async function guardedRequest(options: GuardedRequest): Promise<GuardedResponse> {
  const { timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const stop = new AbortController();
  let begun = false;
  const timer = setTimeout(() => stop.abort(new NetworkTimeoutError(timeoutMs, begun)), timeoutMs);
  const cancel = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const response = await open(options, stop.signal);
    begun = true;
    const { body, truncated } = await read(response, options);
    return { status: response.statusCode ?? 0, headers: toHeaders(response.headers), body, truncated };
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
