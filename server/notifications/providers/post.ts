import { z } from 'zod';
import { env } from '@/server/platform/env';
import { BlockedTargetError, describeNetworkError, guardedRequest } from '@/server/platform/net';
import { parseRetryAfter } from '@/server/platform/retry-after';
import type { SendOptions, SendResult } from './provider';
import { readJson } from './read-json';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16_384;
const GONE = 410;
/** The maximum length of an error text. It is shortened further after secrets are masked. */
const MOST_REASON = 2_000;

/** How a receiver reports errors in its own protocol. */
export interface Refusal {
  permanent: boolean;
  retryAfterSeconds?: number | undefined;
}

export interface Post {
  url: string;
  /** POST by default. */
  method?: string;
  headers?: Record<string, string>;
  /** Text is sent as JSON unless a header says otherwise, parameters as a form. Null for a request without a body. */
  body: string | URLSearchParams | Uint8Array | null;
  /** The subject of error messages: "Slack", "The receiver". */
  receiver: string;
  /** Extracts the receiver's error text from the body, or null. */
  reason?: (body: string) => string | null;
  /** Statuses besides 2xx that mean the message was accepted. */
  alsoAccepted?: number[];
  /** Reads an error in the provider's own form, also from a successful status. Null if the response has another form; then the status decides. */
  refusal?: (status: number, body: string, headers: Record<string, string>) => Refusal | null;
  /** Extracts the provider's ID of an accepted message. */
  ref?: (body: string) => string | undefined;
  /** Whether the URL was set by the operator instead of a user, so that it may be private. */
  trusted?: boolean;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.slice(0, MOST_REASON);
}

const Waits = z.looseObject({
  retry_after: z.number().nonnegative().optional(),
  retryAfter: z.number().nonnegative().optional(),
  parameters: z.looseObject({ retry_after: z.number().nonnegative().optional() }).optional(),
});

/** Returns the delay in seconds that a JSON body asks for with 429 or 503, in the fields that many APIs and proxies use, or null. */
function retryAfterIn(body: string, status: number): number | null {
  if (status !== 429 && status !== 503) return null;
  const waits = readJson(Waits, body);
  const seconds = waits?.retry_after ?? waits?.retryAfter ?? waits?.parameters?.retry_after;
  return seconds === undefined ? null : Math.ceil(seconds);
}

/** Returns the value of an Authorization header for Basic authentication (RFC 7617). */
export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function contentTypeOf(body: Post['body']): string {
  if (typeof body === 'string' || body === null) return 'application/json; charset=utf-8';
  return body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/octet-stream';
}

/**
 * Sends a request to a receiver and maps its response to a `SendResult`; never throws for failures of the network. Does not follow redirects. Once a
 * success status was received, the message counts as accepted, even if the rest of the response fails. With `prepared`, hands over the request
 * instead of sending it.
 */
export async function post(request: Post, { teamId, signal, prepared, onExchange }: SendOptions): Promise<SendResult> {
  const { url, method = 'POST', receiver, reason, alsoAccepted = [], trusted = false } = request;
  const body = request.body instanceof URLSearchParams ? request.body.toString() : request.body;
  const headers = {
    'content-type': contentTypeOf(request.body),
    'user-agent': `Upwatch (+${env.appUrl})`,
    ...request.headers,
  };
  if (prepared) {
    prepared({ method, url, headers, body: body instanceof Uint8Array ? null : body });
    return { ok: true, statusCode: null };
  }
  const sent = { method, url, headers, body };
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES, acceptPart: true, signal };
    const answer = await guardedRequest({
      url,
      method,
      teamId,
      headers,
      trusted,
      ...(body !== null && { body }),
      ...limits,
    });
    const { status } = answer;
    onExchange?.({ request: sent, response: { statusCode: status, headers: answer.headers, body: answer.body } });
    const refusal = request.refusal?.(status, answer.body, answer.headers) ?? null;
    const isAccepted = (status >= 200 && status < 300 && !refusal) || alsoAccepted.includes(status);
    if (isAccepted) {
      const ref = request.ref?.(answer.body);
      return { ok: true, statusCode: status, ...(ref !== undefined && { ref }) };
    }
    const words = reason?.(answer.body);
    const retryAfterSeconds =
      refusal?.retryAfterSeconds ??
      parseRetryAfter(answer.headers['retry-after'], new Date()) ??
      retryAfterIn(answer.body, status);
    return {
      ok: false,
      permanent: refusal?.permanent ?? status === GONE,
      statusCode: status,
      error: `${receiver} answered ${status}${words ? `: ${oneLine(words)}` : ''}`,
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    };
  } catch (error) {
    onExchange?.({ request: sent, response: null });
    return {
      ok: false,
      permanent: error instanceof BlockedTargetError,
      statusCode: null,
      error: describeNetworkError(error),
    };
  }
}
