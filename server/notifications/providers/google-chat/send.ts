import { z } from 'zod';
import { escapeHtml } from '@/server/platform/escape-html';
import type { Message } from '../../messages/message';
import { failureForm, REJECTED } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { fitText, inJsonBytes, shorten } from '../shorten';
import type { GoogleChatConfig } from './definition';

/** A message with its cards is limited to 32,000 bytes. */
const MOST_DETAILS = 20_000;

/** Errors of Google's APIs. */
const Failure = z.looseObject({
  error: z.looseObject({ code: z.int(), message: z.string(), status: z.string().optional() }),
});

const failure = failureForm({ schema: Failure, text: ({ error }) => error.message, permanent: REJECTED });

const button = (text: string, url: string) => ({ text, onClick: { openLink: { url } } });

/** Builds a card: its paragraphs are a subset of HTML, its title is plain text. It contains no mentions. */
function toCard({ headline, details, url, acknowledgeUrl }: Message): object {
  const text = fitText(details.join('\n'), MOST_DETAILS, {
    encode: (it) => escapeHtml(it).replaceAll('\n', '<br>'),
    size: inJsonBytes,
  });
  const buttons = [
    ...(acknowledgeUrl === undefined ? [] : [button('Acknowledge', acknowledgeUrl)]),
    button('Open in Upwatch', url),
  ];
  return {
    header: { title: shorten(headline, 1_000) },
    sections: [{ widgets: [...(text ? [{ textParagraph: { text } }] : []), { buttonList: { buttons } }] }],
  };
}

/** Sends to a webhook of a Google Chat space. All messages about an incident are replies in one thread. */
export const googleChat: Provider<GoogleChatConfig> = {
  send(message, { webhookUrl }, options) {
    const url = new URL(webhookUrl);
    url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD');
    const threadKey = message.payload.data.incident?.id ?? message.id;
    const body = { cardsV2: [{ cardId: message.id, card: toCard(message) }], thread: { threadKey } };
    return post({ url: url.href, body: JSON.stringify(body), receiver: 'Google Chat', ...failure }, options);
  },
};
