import type { ChannelConfig } from '../../schema';
import { post } from '../post';
import type { Provider } from '../provider';
import { signWebhook } from './signature';

/** Any HTTP receiver, signed as Standard Webhooks says. The signature's time is fresh on every attempt, the id is not. */
export const webhook: Provider<ChannelConfig<'webhook'>> = {
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
