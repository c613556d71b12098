import { type Alert, alertOf } from '../alert';
import { messageOf } from '../message-of';
import { post } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import type { GrafanaOncallConfig } from './definition';

/**
 * Matches the response of an integration of another type. A removed integration responds with an empty 403 page, which could also come from a proxy.
 */
const OTHER_TYPE = /^This url is for integration with/i;

const states = {
  trigger: 'alerting',
  acknowledge: 'acknowledged',
  resolve: 'ok',
  note: 'ok',
} as const satisfies Record<Alert['action'], string>;

/**
 * Sends to a formatted webhook of Grafana OnCall: `alert_uid` groups the events of an incident, the state "ok" resolves, and all others alert.
 * Acknowledging only has an effect if the integration has a template for it.
 */
export const grafanaOncall: Provider<GrafanaOncallConfig> = {
  send(message, { url }, options) {
    const { action, key } = alertOf(message);
    const body = {
      alert_uid: key,
      title: shorten(message.headline, 500),
      message: shorten(message.details.join('\n'), 15_000),
      state: states[action],
      link_to_upstream_details: message.url,
    };
    const reason = (answer: string) => (OTHER_TYPE.test(answer) ? answer : messageOf(answer));
    const refusal = (_status: number, answer: string) => (OTHER_TYPE.test(answer) ? { permanent: true } : null);
    return post({ url, body: JSON.stringify(body), receiver: 'Grafana OnCall', reason, refusal }, options);
  },
};
