import { z } from 'zod';
import type { Tone } from '../../messages/message';
import { failureForm, REJECTED } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import { toText } from '../to-text';
import type { GotifyConfig } from './definition';

/** From 0 to 10; from 8 on, the Android app sounds and vibrates. */
const priorities: Record<Tone, number> = { down: 8, degraded: 6, acknowledged: 4, up: 4, neutral: 4 };

const Failure = z.looseObject({ error: z.string(), errorCode: z.int(), errorDescription: z.string() });

const failure = failureForm({
  schema: Failure,
  text: ({ error, errorDescription }) => `${error}: ${errorDescription}`,
  permanent: REJECTED,
});

/** Sends a message to Gotify, which shows it as plain text; a tap opens the incident. */
export const gotify: Provider<GotifyConfig> = {
  send(message, { serverUrl, appToken }, options) {
    const body = {
      title: shorten(message.headline, 500),
      message: toText(message, { max: 10_000, withoutHeadline: true }),
      priority: priorities[message.tone],
      extras: {
        'client::display': { contentType: 'text/plain' },
        'client::notification': { click: { url: message.url } },
      },
    };
    const url = `${serverUrl.replace(/\/+$/, '')}/message`;
    const headers = { 'x-gotify-key': appToken };
    return post({ url, headers, body: JSON.stringify(body), receiver: 'Gotify', ...failure }, options);
  },
};
