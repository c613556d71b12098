import { z } from 'zod';
import type { Message, Tone } from '../../messages/message';
import { failureForm, secondsUntil } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { providerApi } from '../provider-api';
import { shorten } from '../shorten';
import { toText } from '../to-text';
import type { PushoverConfig } from './definition';

/** Priority 1 bypasses quiet hours; 2 would require a confirmation in the app. */
const priorities: Record<Tone, number> = { down: 1, degraded: 0, acknowledged: 0, up: 0, neutral: 0 };

const MOST_URL = 512;

const Failure = z.looseObject({ status: z.literal(0), errors: z.array(z.string()).default([]) });

const failure = failureForm({
  schema: Failure,
  text: ({ errors }) => errors.join(', '),
  // All 4xx are permanent ("your input was invalid"), except the monthly limit.
  permanent: (_failure, status) => status < 500 && status !== 429,
  wait: (_failure, headers) => secondsUntil(headers['x-limit-app-reset']),
});

/** Limits: 1,024 characters of text, 250 of title, 512 of URL. A longer URL becomes part of the text. */
function toForm(message: Message): Record<string, string> {
  const { headline, url, tone, payload } = message;
  const link: Record<string, string> = url.length <= MOST_URL ? { url, url_title: 'Open in Upwatch' } : {};
  return {
    title: shorten(headline, 250),
    message: toText(message, { max: 1024, withoutHeadline: true }),
    priority: String(priorities[tone]),
    timestamp: String(Math.floor(Date.parse(payload.timestamp) / 1000)),
    ...link,
  };
}

/** Sends a push notification of Pushover. */
export const pushover: Provider<PushoverConfig> = {
  send(message, { userKey, apiToken, device }, options) {
    const body = new URLSearchParams({ token: apiToken, user: userKey, ...toForm(message), ...(device && { device }) });
    const request = { ...providerApi('https://api.pushover.net/1/messages.json'), body, receiver: 'Pushover' };
    return post({ ...request, ...failure }, options);
  },
};
