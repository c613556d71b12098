import { post } from '../post';
import type { Provider } from '../provider';
import type { WebhookConfig } from './definition';
import { newWebhookSecret, signWebhook } from './signature';

/**
 * Sends the event as JSON to any HTTP receiver, signed according to Standard Webhooks: each attempt has its own timestamp, and all attempts share one
 * ID. While a previous secret is valid, both sign.
 */
export const webhook: Provider<WebhookConfig> = {
  complete: (config) => (config.secret === undefined ? { ...config, secret: newWebhookSecret() } : config),
  send({ id, payload }, { url, secret = '' }, options) {
    const body = JSON.stringify(payload);
    const timestamp = Math.floor(Date.now() / 1000);
    const secrets = [secret, ...(options.alsoSignedWith === undefined ? [] : [options.alsoSignedWith])];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': secrets.map((each) => signWebhook(each, id, timestamp, body)).join(' '),
    };
    return post({ url, headers, body, receiver: 'The receiver' }, options);
  },
};
