import { Attempt, isRefusal, type ObserveOptions, TargetFailure } from '@/server/monitors/probing/attempt';
import { ownHeaders } from '@/server/monitors/probing/headers';
import type { Observation } from '@/server/monitors/probing/observation';
import type { HttpConfig } from '@/server/monitors/schema';
import { accessToken, forgetToken } from './access-token';
import type { HttpAnswer } from './answer';
import { exchange, readAnswer } from './exchange';
import { followRedirect, type HttpRequest, isRedirect, shownAddress } from './redirect';

const PRESETS = { 'user-agent': 'Upwatch/1.0', accept: '*/*', 'accept-encoding': 'identity' };

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

async function run(config: HttpConfig, attempt: Attempt): Promise<HttpAnswer> {
  const { followRedirects, maxRedirects, auth } = config;
  let request = await firstRequest(config, attempt);
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
    response.destroy();
    attempt.answering = false;
    request = followRedirect(request, statusCode, location);
    if (redirects >= maxRedirects) {
      throw new TargetFailure(
        `Stopped after ${maxRedirects} redirects; the next led to ${shownAddress(request.url.href)}`,
      );
    }
  }
}

/**
 * One HTTP/1.1 exchange (RFC 9110, RFC 9112) over new connections to checked addresses, following redirects as configured. `timeoutMs` covers
 * everything, to the last byte. Any status is a response; `evaluate` judges it. Rejects only if the signal aborts.
 */
export async function observeHttp(config: HttpConfig, options: ObserveOptions): Promise<Observation<HttpAnswer>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    const answer = await run(config, attempt);
    return { evidence: answer, statusCode: answer.statusCode };
  });
}
