import { z } from 'zod';
import { colorOf } from '../color';
import { failureForm } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { fitText } from '../shorten';
import { toText } from '../to-text';
import type { RocketchatConfig } from './definition';

/** Rocket.Chat's default for a message. */
const MOST_TEXT = 5_000;
const MOST_HEADLINE = 500;

/**
 * Escapes text. Rocket.Chat accepts backslashes before a few characters only, and shows all others. Anything else that would become a mention or a
 * link, "[label](url)" or "<url|label>", is broken by a zero-width space, or by a visible one before "|".
 */
function encode(text: string): string {
  return text
    .replace(/[*_~`#]/g, '\\$&')
    .replace(/[@\]]/g, '$&\u200b')
    .replaceAll('|', ' |');
}

const Failure = z.looseObject({ success: z.literal(false), error: z.string().default('') });

const TOO_MANY = /error-too-many-requests/;

const failure = failureForm({
  schema: Failure,
  text: ({ error }) => error,
  permanent: ({ error }, status) => status < 500 && status !== 429 && !TOO_MANY.test(error),
  wait: ({ error }) => {
    const seconds = /must wait (\d{1,6}) seconds/.exec(error)?.[1];
    return seconds === undefined ? undefined : Number(seconds);
  },
  whateverStatus: true,
});

/**
 * Sends to an incoming integration of Rocket.Chat: the headline as text, the rest as an attachment with a colored edge. The name of the integration
 * is shown; Rocket.Chat rejects an `alias` unless its user may impersonate others.
 */
export const rocketchat: Provider<RocketchatConfig> = {
  send(message, { webhookUrl }, options) {
    const text = toText(message, {
      max: MOST_TEXT - MOST_HEADLINE,
      encode,
      link: (label, url) => `[${label}](${url})`,
      withoutHeadline: true,
    });
    const headline = fitText(message.headline, MOST_HEADLINE, { encode });
    const body = { text: headline, attachments: [{ color: colorOf(message.tone), text }] };
    return post({ url: webhookUrl, body: JSON.stringify(body), receiver: 'Rocket.Chat', ...failure }, options);
  },
};
