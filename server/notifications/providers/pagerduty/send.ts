import { z } from 'zod';
import { env } from '@/server/platform/env';
import type { Message } from '../../messages/message';
import { type Alert, alertOf } from '../alert';
import { failureForm } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { providerApi } from '../provider-api';
import { shorten } from '../shorten';
import type { PagerdutyConfig } from './definition';

const hosts = { us: 'https://events.pagerduty.com', eu: 'https://events.eu.pagerduty.com' } as const;
const severities = { critical: 'critical', warning: 'warning', minor: 'info' } as const satisfies Record<
  Alert['severity'],
  string
>;

/** An event is limited to 512 KB; this is enough for people. */
const MOST_DETAILS = 20_000;

/** The response has status 400 for an invalid event or key, 429 for too many requests. */
const Failure = z.looseObject({ status: z.string(), message: z.string(), errors: z.array(z.string()).optional() });

const failure = failureForm({
  schema: Failure,
  text: ({ message, errors = [] }) => [message, ...errors].join(': '),
  permanent: [400, 401, 403, 404],
});

/** Returns the fields that both kinds of events have. A summary may have 1,024 characters. */
function summaryOf({ headline, details, payload }: Message, { source }: Alert): object {
  return {
    summary: shorten(headline, 1024),
    source: shorten(source, 255),
    timestamp: payload.timestamp,
    custom_details: { details: shorten(details.join('\n'), MOST_DETAILS) },
  };
}

/** Builds an alert event; for anything but incidents and tests a change event, which pages nobody. */
function toEvent(message: Message, alert: Alert, routingKey: string): { path: string; body: object } {
  const links = [{ href: message.url, text: 'Open in Upwatch' }];
  const summary = summaryOf(message, alert);
  if (alert.action === 'note') {
    return { path: '/v2/change/enqueue', body: { routing_key: routingKey, payload: summary, links } };
  }
  const body = {
    routing_key: routingKey,
    event_action: alert.action,
    dedup_key: alert.key,
    links,
    client: 'Upwatch',
    client_url: env.appUrl,
    payload: { ...summary, severity: severities[alert.severity], class: message.payload.data.incident?.type ?? 'test' },
  };
  return { path: '/v2/enqueue', body };
}

/** Sends to PagerDuty's Events API v2. `dedup_key` combines all events of an incident into one alert. */
export const pagerduty: Provider<PagerdutyConfig> = {
  send(message, { routingKey, region }, options) {
    const { path, body } = toEvent(message, alertOf(message), routingKey);
    const request = { ...providerApi(`${hosts[region]}${path}`), body: JSON.stringify(body), receiver: 'PagerDuty' };
    return post({ ...request, ...failure }, options);
  },
};
