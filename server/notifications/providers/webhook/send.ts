import { post } from '../post';
import type { Provider } from '../provider';
import type { WebhookConfig } from './config';
import { newWebhookSecret, signWebhook } from './signature';

/** Any HTTP receiver, signed according to Standard Webhooks: each attempt has its own timestamp, and all share one ID. */
export const webhook: Provider<WebhookConfig> = {
  complete: (config) => (config.secret === undefined ? { ...config, secret: newWebhookSecret() } : config),
  send({ id, payload }, { url, secret = '' }, options) {
    const body = JSON.stringify(payload);
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signWebhook(secret, id, timestamp, body),
    };
    return post({ url, headers, body, receiver: 'The receiver' }, options);
  },
};
