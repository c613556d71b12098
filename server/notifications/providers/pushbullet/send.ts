import { z } from 'zod';
import { failureForm, REJECTED, secondsUntil } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { providerApi } from '../provider-api';
import { shorten } from '../shorten';
import { toText } from '../to-text';
import type { PushbulletConfig } from './definition';

const Failure = z.looseObject({ error: z.looseObject({ type: z.string(), message: z.string() }) });

const failure = failureForm({
  schema: Failure,
  text: ({ error }) => error.message,
  permanent: REJECTED,
  wait: (_failure, headers) => secondsUntil(headers['x-ratelimit-reset']),
});

/** Sends a link push of Pushbullet. `guid` makes Pushbullet drop duplicates. */
export const pushbullet: Provider<PushbulletConfig> = {
  send(message, { accessToken, channelTag }, options) {
    const body = {
      type: 'link',
      title: shorten(message.headline, 250),
      url: message.url,
      guid: message.id,
      body: toText(message, { max: 4_000, withoutHeadline: true }),
      ...(channelTag && { channel_tag: channelTag }),
    };
    const headers = { 'access-token': accessToken };
    const request = { ...providerApi('https://api.pushbullet.com/v2/pushes'), headers, body: JSON.stringify(body) };
    return post({ ...request, receiver: 'Pushbullet', ...failure }, options);
  },
};
