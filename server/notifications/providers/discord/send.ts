import type { Tone } from '../../message';
import { messageOf } from '../message-of';
import { post } from '../post';
import type { Provider } from '../provider';
import { shorten } from '../shorten';
import type { DiscordConfig } from './config';

/** The solid state colours of the light theme as integers. */
const colours: Record<Tone, number> = {
  down: 0xb20d16,
  degraded: 0xc77112,
  acknowledged: 0x5a91ba,
  up: 0x259770,
  neutral: 0x47555b,
};

/** The markup characters of Discord in a description. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<@]/g, '\\$&');
}

/** A Discord webhook: one embed, which mentions nobody. Limits: 256 characters in a title, 4,096 in a description. */
export const discord: Provider<DiscordConfig> = {
  send({ headline, details, url, acknowledgeUrl, tone, payload }, { webhookUrl }, options) {
    const acknowledge = acknowledgeUrl === undefined ? '' : `\n\n[Acknowledge](${acknowledgeUrl})`;
    const embed = {
      title: shorten(escapeMarkdown(headline), 256),
      description: shorten(escapeMarkdown(details.join('\n')), 4096 - acknowledge.length) + acknowledge,
      url,
      color: colours[tone],
      timestamp: payload.timestamp,
    };
    const body = JSON.stringify({ username: 'Upwatch', embeds: [embed], allowed_mentions: { parse: [] } });
    return post({ url: webhookUrl, body, receiver: 'Discord', reason: messageOf }, options);
  },
};
