import type { Message } from '../../messages/message';
import { ACKNOWLEDGE } from '../callback';
import { post } from '../post';
import type { Provider } from '../provider';
import { fitText, pieces, shorten } from '../shorten';
import type { SlackConfig } from './definition';

/** Escapes the three markup characters of Slack. Mentions of users and channels start with one of them. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A group of alerts may need several sections. All blocks together are limited to 12,000 characters (`msg_blocks_too_long`). */
const MOST_DETAILS = 9_000;

/** Slack recommends 4,000 characters for `text`. */
const MOST_TEXT = 3_000;

function acknowledgeButton(value: string) {
  const text = { type: 'plain_text', text: 'Acknowledge', emoji: false };
  return { type: 'actions', elements: [{ type: 'button', action_id: ACKNOWLEDGE, text, value }] };
}

/** Builds the blocks of a message. Limits of Slack's Block Kit: 150 characters in a header, 3,000 in a section. */
function toBlocks({ headline, details, url, acknowledgeUrl, button }: Message, hasButtons: boolean) {
  const links = [
    ...(acknowledgeUrl === undefined ? [] : [`<${acknowledgeUrl}|Acknowledge>`]),
    `<${url}|Open in Upwatch>`,
  ];
  return [
    { type: 'header', text: { type: 'plain_text', text: shorten(headline, 150), emoji: false } },
    ...pieces(shorten(details.join('\n'), MOST_DETAILS), 3000).map((text) => ({
      type: 'section',
      text: { type: 'plain_text', text, emoji: false },
    })),
    ...(hasButtons && button !== undefined ? [acknowledgeButton(button)] : []),
    { type: 'context', elements: [{ type: 'mrkdwn', text: links.join('  ·  ') }] },
  ];
}

/** Slack's errors, sent as plain text, that are permanent. The errors of a proxy differ. */
const PERMANENT = new Set([
  ...['invalid_token', 'no_service', 'no_service_id', 'no_active_hooks', 'no_team', 'team_disabled'],
  ...['user_not_found', 'channel_not_found', 'channel_is_archived', 'action_prohibited'],
  ...['posting_to_general_channel_denied', 'invalid_payload', 'no_text', 'too_many_attachments', 'invalid_attachments'],
  ...['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long'],
  'missing_text_or_fallback_or_attachments',
]);

const refusal = (_status: number, answer: string) => (PERMANENT.has(answer.trim()) ? { permanent: true } : null);

/** Sends to a Slack incoming webhook. Phone notifications show `text`. */
export const slack: Provider<SlackConfig> = {
  send(message, { webhookUrl, signingSecret = '' }, options) {
    const text = fitText([message.headline, ...message.details].join('\n'), MOST_TEXT, { encode: escapeMarkup });
    const body = JSON.stringify({ text, blocks: toBlocks(message, signingSecret !== ''), unfurl_links: false });
    return post({ url: webhookUrl, body, receiver: 'Slack', reason: (answer) => answer, refusal }, options);
  },
};
