import { z } from 'zod';
import type { Message } from '../../messages/message';
import { type Alert, alertOf } from '../alert';
import { failureForm } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { providerApi } from '../provider-api';
import { shorten } from '../shorten';
import type { OpsgenieConfig } from './definition';

/** Jira Service Management has the same API. */
const hosts = {
  us: 'https://api.opsgenie.com',
  eu: 'https://api.eu.opsgenie.com',
  jsm: 'https://api.atlassian.com/jsm/ops/integration',
} as const;
const priorities = { critical: 'P1', warning: 'P3', minor: 'P5' } as const satisfies Record<Alert['severity'], string>;

const Failure = z.looseObject({ message: z.string(), requestId: z.string().optional() });

const failure = failureForm({
  schema: Failure,
  text: ({ message }) => message,
  permanent: [400, 401, 402, 403, 404, 422],
  wait: (_failure, headers) => {
    const seconds = Number(headers['x-ratelimit-period-in-sec']);
    return Number.isFinite(seconds) ? seconds : undefined;
  },
});

/**
 * Maps an alert to a request: acknowledges or closes the incident's alert, or else creates one. Shortens texts to Opsgenie's limits: 130 characters
 * in `message`, 15,000 in `description`. A `note` may have 25,000.
 */
function toRequest({ headline, details, url, payload }: Message, alert: Alert): { path: string; body: object } {
  const text = shorten(details.join('\n'), 14_000);
  const change = { source: 'Upwatch', note: shorten([headline, text].join('\n'), 15_000), user: 'Upwatch' };
  const path = `/v2/alerts/${encodeURIComponent(alert.key)}`;
  if (alert.action === 'acknowledge') return { path: `${path}/acknowledge?identifierType=alias`, body: change };
  if (alert.action === 'resolve') return { path: `${path}/close?identifierType=alias`, body: change };
  const body = {
    message: shorten(headline, 130),
    alias: alert.key,
    description: `${text}\n${url}`.trim(),
    source: 'Upwatch',
    priority: alert.action === 'note' ? 'P5' : priorities[alert.severity],
    entity: shorten(alert.source, 512),
    details: { url, event: payload.type },
  };
  return { path: '/v2/alerts', body };
}

/** Sends to Opsgenie's Alert API, which accepts requests with 202. The alias identifies the incident, so that later events find its alert. */
export const opsgenie: Provider<OpsgenieConfig> = {
  send(message, { apiKey, region }, options) {
    const { path, body } = toRequest(message, alertOf(message));
    const headers = { authorization: `GenieKey ${apiKey}` };
    const request = { ...providerApi(`${hosts[region]}${path}`), headers, body: JSON.stringify(body) };
    return post({ ...request, receiver: 'Opsgenie', ...failure }, options);
  },
};
