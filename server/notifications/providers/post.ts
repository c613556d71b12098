import { env } from '@/server/platform/env';
import { BlockedTargetError, describeNetworkError, guardedRequest } from '@/server/platform/net';
import type { SendOptions, SendResult } from './provider';
import { parseRetryAfter } from './retry-after';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16_384;
const GONE = 410;

export interface Post {
  url: string;
  headers?: Record<string, string>;
  body: string;
  /** Who is spoken of in an error: "Slack", "The receiver". */
  receiver: string;
  /** The receiver's own words in the body of a refusal, or null. */
  reason?: (body: string) => string | null;
  /** Statuses beside 2xx that mean the message is there. */
  alsoAccepted?: number[];
  /** The operator set the address, no user did: it may be a private one. */
  trusted?: boolean;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/**
 * Posts JSON to a receiver and reads its answer as a `SendResult`. Redirects are not followed. The status decides: what
 * was accepted is not sent again because the rest of the answer breaks off.
 */
export async function post(request: Post, { teamId, signal }: SendOptions): Promise<SendResult> {
  const { url, body, receiver, reason, alsoAccepted = [], trusted = false } = request;
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Upwatch (+${env.appUrl})`,
    ...request.headers,
  };
  try {
    const limits = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_RESPONSE_BYTES, acceptPart: true, signal };
    const answer = await guardedRequest({ url, method: 'POST', teamId, headers, body, trusted, ...limits });
    const { status } = answer;
    if ((status >= 200 && status < 300) || alsoAccepted.includes(status)) return { ok: true, statusCode: status };
    const words = reason?.(answer.body);
    const retryAfterSeconds = parseRetryAfter(answer.headers['retry-after'], new Date());
    return {
      ok: false,
      permanent: status === GONE,
      statusCode: status,
      error: `${receiver} answered ${status}${words ? `: ${oneLine(words)}` : ''}`,
      ...(retryAfterSeconds !== null && { retryAfterSeconds }),
    };
  } catch (error) {
    return {
      ok: false,
      permanent: error instanceof BlockedTargetError,
      statusCode: null,
      error: describeNetworkError(error),
    };
  }
}
