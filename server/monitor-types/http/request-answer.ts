import type { IncomingMessage } from 'node:http';
import { type Attempt, isRefusal, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { dial } from '@/server/monitor-types/probing/dial';
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
  type TlsTrust,
} from '@/server/platform/net';
import { toTrust } from '../config/tls-trust';
import type { HttpAnswer } from './answer';
import { followRedirect, type HttpRequest, isRedirect, shownAddress } from './redirect';

/** Brotli is decoded but not asked for, because it can take about twenty times as long. */
export const PRESETS = { 'user-agent': 'Upwatch/1.0', accept: '*/*', 'accept-encoding': 'gzip, deflate' };
const MOST_BODY_BYTES = 1024 * 1024;

type Connections = Pick<HttpConfig, 'ipFamily' | 'verifyTls'> &
  Partial<Pick<HttpConfig, 'url' | 'caCertificate' | 'certificatePin' | 'clientCertificate' | 'clientKey'>>;
export type RequestSettings = Connections &
  Pick<HttpConfig, 'followRedirects' | 'maxRedirects'> &
  Partial<Pick<HttpConfig, 'upsideDown'>>;

/** What the requests of a check share. */
export interface Session {
  /** The cookies to send to a URL; without it, none are kept. */
  cookiesFor?(url: URL): string | null;
  /** Called with the head of each response, also of redirects. */
  onResponse?(url: URL, response: IncomingMessage): void;
}

/**
 * Returns which certificates a connection to a URL accepts and presents. The pinned certificate and the client certificate are for the origin of the
 * monitor only. Other origins, to which redirects may lead, are verified where the pin stands for that.
 */
export function trustOf(url: URL, settings: Connections): TlsTrust {
  const { verifyTls, caCertificate, certificatePin, clientCertificate: cert, clientKey: key } = settings;
  const isOwn = settings.url !== undefined && new URL(settings.url).origin === url.origin;
  if (isOwn) return { ...toTrust({ verifyTls, caCertificate, certificatePin }), cert, key };
  return toTrust({ verifyTls: verifyTls || certificatePin !== undefined, caCertificate });
}

/** The connection target of a URL. */
export function targetOf(url: URL, settings: Connections): DialTarget {
  const { ipFamily } = settings;
  return { ...httpTarget(url, trustOf(url, settings)), family: ipFamily === 'auto' ? 0 : ipFamily === '4' ? 4 : 6 };
}

function withCookies(request: HttpRequest, cookies: string | null): HttpRequest {
  if (cookies === null) return request;
  const own = request.headers.cookie;
  return { ...request, headers: { ...request.headers, cookie: own ? `${own}; ${cookies}` : cookies } };
}

/** Sends a request over a dedicated connection. Resolves with the response's head; its body is not read yet. */
async function exchange(request: HttpRequest, settings: RequestSettings, attempt: Attempt): Promise<IncomingMessage> {
  assertHeaders(request.headers);
  const socket = await dial(targetOf(request.url, settings), attempt);
  const exchanged = attempt.exchange(requestLine(request), request.headers);
  const from = attempt.now();
  const response = await sendRequest(request, socket, attempt.budget);
  attempt.spent('firstByteMs', from);
  attempt.answering = true;
  const { httpVersion, statusCode, statusMessage, rawHeaders: headers } = response;
  exchanged.response = { line: `HTTP/${httpVersion} ${statusCode} ${statusMessage}`, headers };
  return response;
}

/** Reads a response to its end, or up to 1 MiB. Rejects if the connection breaks before that. */
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

/**
 * Sends a request and follows its redirects, each over a new connection to a checked address. Any status is a response.
 * @returns the answer, and the URL that gave it
 * @throws TargetFailure, or the network's error
 */
export async function requestAnswer(
  first: HttpRequest,
  settings: RequestSettings,
  attempt: Attempt,
  session: Session = {},
): Promise<{ answer: HttpAnswer; url: URL }> {
  const { followRedirects, maxRedirects } = settings;
  let request = first;
  let setsCookie = false;
  for (let redirects = 0; ; redirects += 1) {
    const sent = session.cookiesFor ? withCookies(request, session.cookiesFor(request.url)) : request;
    const response = await exchange(sent, settings, attempt).catch((error: unknown) => {
      // Redirects are the target's responsibility, but what is refused was not checked, so it cannot count as an expected failure.
      if (redirects === 0 || settings.upsideDown || !isRefusal(error)) throw error;
      throw new TargetFailure(`Redirected to ${shownAddress(request.url.href)}. ${error.message}`);
    });
    const { url } = request;
    session.onResponse?.(url, response);
    const statusCode = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!followRedirects || !isRedirect(statusCode, location)) {
      return { answer: await readAnswer(response, redirects, attempt), url };
    }
    setsCookie ||= response.headers['set-cookie'] !== undefined;
    response.destroy();
    attempt.answering = false;
    request = followRedirect(request, statusCode, location);
    if (redirects >= maxRedirects) {
      // Explains redirects that repeat until a cookie is sent back, which would otherwise look like a broken site.
      const isWithoutCookies = setsCookie && !session.cookiesFor;
      const cookies = isWithoutCookies ? '. The redirects set cookies, which Upwatch does not send back' : '';
      throw new TargetFailure(
        `Stopped after ${maxRedirects} redirects; the next led to ${shownAddress(request.url.href)}${cookies}`,
      );
    }
  }
}
