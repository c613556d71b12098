import type { IncomingMessage } from 'node:http';
import { Deadline, type Patience } from './deadline';
import { type DialFor, dial } from './dial';
import { DnsError, InvalidTargetError, NetworkTimeoutError } from './errors';
import { assertHeaders, headersOf, httpTarget, readBody, sendRequest } from './http-exchange';
import { Sockets } from './sockets';

export interface GuardedRequest {
  url: string;
  method: string;
  /** Whose share of what all teams use together the request takes. */
  teamId: string;
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
  /** The check that the request is a part of. */
  within?: Patience;
}

export interface GuardedResponse {
  status: number;
  /** Names in lower case; a repeated header's values joined with ", ". */
  headers: Record<string, string>;
  body: string;
  /** The body was longer than `maxResponseBytes`, or did not end (`acceptPart`). */
  truncated: boolean;
}

async function open(options: GuardedRequest, use: DialFor): Promise<IncomingMessage> {
  const url = new URL(options.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InvalidTargetError('Only http:// and https:// addresses can be requested');
  const { method, headers = {}, body = null, verifyTls = true } = options;
  assertHeaders(headers);
  const socket = await dial({ ...httpTarget(url, verifyTls), family: 0 }, use);
  return sendRequest({ url, method, headers, body }, socket, use.sockets.budget);
}

/**
 * One HTTP/1.1 request to a target that users name: over a fresh connection to a checked address, following no redirect, bounded in
 * time and in size. An answer of any status is an answer. Throws `BlockedTargetError`, `InvalidTargetError`, `DnsError`, `NetworkTimeoutError`,
 * the signal's reason or the socket's error; `describeNetworkError` puts each into words.
 */
export async function guardedRequest(options: GuardedRequest): Promise<GuardedResponse> {
  const { teamId, trusted = false, timeoutMs, maxResponseBytes, acceptPart = false, signal, within } = options;
  let begun = false;
  const deadline = new Deadline({ timeoutMs, reason: () => new NetworkTimeoutError(timeoutMs, begun), signal, within });
  const asker = trusted ? null : { teamId, by: deadline };
  const sockets = new Sockets(deadline.signal, (error) => deadline.abort(error));
  try {
    const response = await open(options, { signal: deadline.signal, asker, sockets });
    begun = true;
    const { body, truncated, broken } = await readBody(response, maxResponseBytes, sockets.budget);
    if (broken && !acceptPart) throw broken;
    return {
      status: response.statusCode ?? 0,
      headers: headersOf(response),
      body: body.toString('utf8'),
      truncated: truncated || broken !== null,
    };
  } catch (error) {
    // Of a name that nobody answered for in time, the name is what is wrong.
    throw deadline.signal.aborted && !(error instanceof DnsError) ? deadline.signal.reason : error;
  } finally {
    deadline.end();
    sockets.close();
  }
}
