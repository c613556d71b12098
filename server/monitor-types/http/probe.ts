import { Attempt, type ObserveOptions } from '@/server/monitor-types/probing/attempt';
import { ownHeaders } from '@/server/monitor-types/probing/headers';
import type { Observation } from '@/server/monitor-types/probing/observation';
import type { HttpConfig } from '@/server/monitor-types/schema';
import { accessToken, forgetToken } from './access-token';
import type { HttpAnswer } from './answer';
import type { HttpRequest } from './redirect';
import { PRESETS, requestAnswer, type Session, targetOf } from './request-answer';

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

/** The target of the first request, before redirects. */
export const httpTargetOf = (config: HttpConfig) => targetOf(new URL(config.url), config);

const NO_SESSION: Session = {};

/** Drops an access token that the target rejects. */
function sessionOf(config: HttpConfig): Session {
  const { auth } = config;
  if (auth?.kind !== 'oauth2') return NO_SESSION;
  return {
    onResponse(_url, { statusCode }) {
      if (statusCode === 401) forgetToken(auth, config);
    },
  };
}

/**
 * Makes one HTTP/1.1 exchange (RFC 9110, RFC 9112) over new connections to checked addresses, following redirects as configured. `timeoutMs` covers
 * everything, to the last byte. Any status is a response; `evaluate` judges it. Rejects only if the signal aborts.
 */
export async function observeHttp(config: HttpConfig, options: ObserveOptions): Promise<Observation<HttpAnswer>> {
  const attempt = new Attempt(config.timeoutMs, options);
  return attempt.observe(async () => {
    const { answer } = await requestAnswer(await firstRequest(config, attempt), config, attempt, sessionOf(config));
    return { evidence: answer, statusCode: answer.statusCode };
  });
}
