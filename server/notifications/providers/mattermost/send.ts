import { z } from 'zod';
import { colorOf } from '../color';
import { failureForm, REJECTED } from '../failure-form';
import { post } from '../post';
import type { Provider } from '../provider';
import { toText } from '../to-text';
import type { MattermostConfig } from './definition';

/** A post may have 16,383 characters. */
const MOST_TEXT = 15_000;

/**
 * Escapes Mattermost's Markdown with backslashes. "<" becomes an entity, because Mattermost converts Slack's links, "<url|label>", before it reads
 * Markdown. A zero-width space after "@" prevents mentions.
 */
function encode(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\\(?!\w)|[*_~`|>#[\]!]/g, '\\$&')
    .replaceAll('@', '@\u200b');
}

const Failure = z.looseObject({ id: z.string(), message: z.string(), status_code: z.int().optional() });

const failure = failureForm({ schema: Failure, text: ({ message }) => message, permanent: REJECTED });

/** Sends one attachment with a colored edge to an incoming webhook of Mattermost. */
export const mattermost: Provider<MattermostConfig> = {
  send(message, { webhookUrl }, options) {
    const text = toText(message, {
      max: MOST_TEXT,
      encode,
      title: (headline) => `**${headline}**`,
      link: (label, url) => `[${label}](${url})`,
    });
    const attachment = { color: colorOf(message.tone), fallback: message.headline.slice(0, 300), text };
    const body = JSON.stringify({ username: 'Upwatch', attachments: [attachment] });
    return post({ url: webhookUrl, body, receiver: 'Mattermost', ...failure }, options);
  },
};
