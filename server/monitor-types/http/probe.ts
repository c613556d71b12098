import type { IncomingMessage } from 'node:http';
import { Attempt, isRefusal, type ObserveOptions, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
import { ownHeaders } from '@/server/monitor-types/probing/headers';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { requestLine } from '@/server/monitor-types/probing/trace';
import type { HttpConfig } from '@/server/monitor-types/schema';
import {
  assertHeaders,
  type DialTarget,
  decodeBody,
  headersOf,
  httpTarget,
  readBody,
  sendRequest,
} from '@/server/platform/net';
import { accessToken, forgetToken } from './access-token';
import type { HttpAnswer } from './answer';
import { followRedirect, type HttpRequest, isRedirect, shownAddress } from './redirect';

/** Brotli is decoded but not asked for, because it can take about twenty times as long. */
const PRESETS = { 'user-agent': 'Upwatch/1.0', accept: '*/*', 'accept-encoding': 'gzip, deflate' };
const MOST_BODY_BYTES = 1024 * 1024;

async function credentials(config: HttpConfig, attempt: Attempt): Promise<Record<string, string>> {
  const { auth } = config;
  if (!auth) return {};
  switch (auth.kind) {
    case 'basic':
      return { authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` };
    case 'bearer':
      return { authorization: `Bearer ${auth.token}` };
    case 'oauth2':
      return { authorization: `Bearer ${await accessToken(auth, config, attempt)}` };
    default:
      return auth satisfies never;
  }
}

async function firstRequest(config: HttpConfig, attempt: Attempt): Promise<HttpRequest> {
  return {
    url: new URL(config.url),
    method: config.method,
    headers: { ...PRESETS, ...ownHeaders(config.headers), ...(await credentials(config, attempt)) },
    body: config.body ?? null,
  };
}

const targetOf = (url: URL, { ipFamily, verifyTls }: HttpConfig): DialTarget => ({
  ...httpTarget(url, verifyTls),
  family: ipFamily === 'auto' ? 0 : ipFamily === '4' ? 4 : 6,
});

/** The target of the first request, before redirects. */
export const httpTargetOf = (config: HttpConfig) => targetOf(new URL(config.url), config);

/** Sends a request over a dedicated connection. Resolves with the response's head; its body is not read yet. */
async function exchange(request: HttpRequest, config: HttpConfig, attempt: Attempt): Promise<IncomingMessage> {
  assertHeaders(request.headers);
  const socket = await dial(targetOf(request.url, config), attempt);
  const exchanged = attempt.exchange(requestLine(request), request.headers);
  const from = attempt.now();
  const response = await sendRequest(request, socket, attempt.budget);
  attempt.spent('firstByteMs', from);
  attempt.answering = true;
  const { httpVersion, statusCode, statusMessage, rawHeaders: headers } = response;
  exchanged.response = { line: `HTTP/${httpVersion} ${statusCode} ${statusMessage}`, headers };
  return response;
}

/**
 * Reads a response to its end, or up to 1 MiB, and decodes it.
 * @throws the connection's error if it breaks before that
 */
async function readAnswer(response: IncomingMessage, redirects: number, attempt: Attempt): Promise<HttpAnswer> {
  const from = attempt.now();
  const received = await readBody(response, MOST_BODY_BYTES, attempt.budget);
  const encoding = response.headers['content-encoding'];
  const exchanged = attempt.trace.exchanges.at(-1);
  // Decoding rejects if the time is over.
  if (exchanged) exchanged.isTruncated = true;
  const { body, unread, ...decoded } = await decodeBody(received.body, encoding, MOST_BODY_BYTES, attempt.asker);
  const truncated = received.truncated || decoded.truncated;
  const { broken } = received;
  if (exchanged) Object.assign(exchanged, { body, isTruncated: truncated || unread !== null || broken !== null });
  if (broken) throw broken;
  attempt.spent('downloadMs', from);
  const statusCode = response.statusCode ?? 0;
  // A truncated body cannot be decoded completely either, so only the truncation is reported.
  const why = truncated || unread === null ? {} : { unread };
  return { statusCode, headers: headersOf(response), body, truncated, redirects, ...why };
}

async function run(config: HttpConfig, attempt: Attempt): Promise<HttpAnswer> {
  const { followRedirects, maxRedirects, auth } = config;
  let request = await firstRequest(config, attempt);
  let setsCookie = false;
  for (let redirects = 0; ; redirects += 1) {
    const response = await exchange(request, config, attempt).catch((error: unknown) => {
      // Redirects are the target's responsibility.
      if (redirects === 0 || !isRefusal(error)) throw error;
      throw new TargetFailure(`Redirected to ${shownAddress(request.url.href)}. ${error.message}`);
    });
    const statusCode = response.statusCode ?? 0;
    const { location } = response.headers;
    if (statusCode === 401 && auth?.kind === 'oauth2') forgetToken(auth);
    if (!followRedirects || !isRedirect(statusCode, location)) return readAnswer(response, redirects, attempt);
    setsCookie ||= response.headers['set-cookie'] !== undefined;
    response.destroy();
    attempt.answering = false;
    request = followRedirect(request, statusCode, location);
    if (redirects >= maxRedirects) {
      // Explains redirects that repeat until a cookie is sent back, which would otherwise look like a broken site.
      const cookies = setsCookie ? '. The redirects set cookies, which Upwatch does not send back' : '';
      throw new TargetFailure(
        `Stopped after ${maxRedirects} redirects; the next led to ${shownAddress(request.url.href)}${cookies}`,
      );
    }
  }
}

/**
 * Makes one HTTP/1.1 exchange (RFC 9110, RFC 9112) over new connections to checked addresses, following redirects as configured. `timeoutMs` covers
 * everything, to the last byte. Any status is a response; `evaluate` judges it. Rejects only if the signal aborts.
 */
export async function observeHttp(config: HttpConfig, options: ObserveOptions): Promise<Observation<HttpAnswer>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    const answer = await run(config, attempt);
    return { evidence: answer, statusCode: answer.statusCode };
  });
}
