import { alertOf } from '../alert';
import { messageOf } from '../message-of';
import { post } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import type { GrafanaOncallConfig } from './config';

/** A wrong or removed integration. A proxy in front of it answers these too, and is repaired, but an integration never comes back. */
const PERMANENT = [401, 403, 410];

/** A formatted webhook of Grafana OnCall: `alert_uid` groups the events of an incident, state "ok" resolves. It cannot acknowledge. */
export const grafanaOncall: Provider<GrafanaOncallConfig> = {
  send(message, { url }, options) {
    const { action, key } = alertOf(message);
    const body = {
      alert_uid: key,
      title: shorten(message.headline, 500),
      message: shorten(message.details.join('\n'), 15_000),
      state: action === 'resolve' || action === 'note' ? 'ok' : 'alerting',
      link_to_upstream_details: message.url,
    };
    const request = { url, body: JSON.stringify(body), receiver: 'Grafana OnCall', reason: messageOf };
    const refusal = (status: number) => (PERMANENT.includes(status) ? { permanent: true } : null);
    return post({ ...request, refusal }, options);
  },
};
