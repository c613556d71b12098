import type { IncomingMessage } from 'node:http';
import { Deadline, type Patience } from './deadline';
import { type DialFor, dial } from './dial';
import { DnsError, InvalidTargetError, NetworkTimeoutError } from './errors';
import { assertHeaders, headersOf, httpTarget, readBody, sendRequest } from './http-exchange';
import type { TlsTrust } from './secure-context';
import { Sockets } from './sockets';

export interface GuardedRequest {
  url: string;
  method: string;
  /** The team whose share of the pools the request uses. */
  teamId: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From the first step to the last byte of the response. */
  timeoutMs: number;
  /** The maximum size of the response's body, which is truncated there. */
  maxResponseBytes: number;
  /** Which certificates are accepted; by default those of public authorities. */
  trust?: TlsTrust;
  /** Whether the operator set the URL instead of a user, so that it may be private. */
  trusted?: boolean;
  /** Accepts a body that breaks off, or does not end in time, as truncated instead of failing. */
  acceptPart?: boolean;
  signal?: AbortSignal | undefined;
  /** The limits of the check that the request is part of; its clock is paused too while the request waits for a slot. */
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
  const { method, headers = {}, body = null, trust = { verify: true } } = options;
  assertHeaders(headers);
  const socket = await dial({ ...httpTarget(url, trust), family: 0 }, use);
  return sendRequest({ url, method, headers, body }, socket, use.sockets.budget);
}

/**
 * Makes one HTTP/1.1 request to a user-supplied target: over a new connection to a checked address, without redirects, limited in time and size. Any
 * status is a response. `describeNetworkError` describes each error.
 * @throws BlockedTargetError, InvalidTargetError, DnsError, NetworkTimeoutError, the signal's reason or the socket's error
 */
export async function guardedRequest(options: GuardedRequest): Promise<GuardedResponse> {
  const { teamId, trusted = false, timeoutMs, maxResponseBytes, acceptPart = false, signal, within } = options;
  let begun = false;
  const deadline = new Deadline({ timeoutMs, reason: () => new NetworkTimeoutError(timeoutMs, begun), signal, within });
  const asker = trusted ? null : { teamId, by: deadline };
  const sockets = new Sockets(deadline.signal, (error) => deadline.abort(error), asker);
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
    // If a name was not resolved in time, its DnsError says more than the timeout.
    throw deadline.signal.aborted && !(error instanceof DnsError) ? deadline.signal.reason : error;
  } finally {
    deadline.end();
    sockets.close();
  }
}
