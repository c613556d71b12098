import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { safeEqual } from '@/server/platform/crypto';
import { canParseUrl } from '@/server/platform/schema';
import { ACKNOWLEDGE, type CallbackReader, type CallbackRequest, isRecent } from '../callback';
import type { Post } from '../post';
import { providerApi } from '../provider-api';
import { readJson } from '../read-json';
import type { SlackConfig } from './definition';
import { escapeMarkup } from './send';

const Interaction = z.looseObject({
  type: z.string(),
  user: z.looseObject({ id: z.string(), username: z.string().optional(), name: z.string().optional() }),
  actions: z.array(z.looseObject({ action_id: z.string(), value: z.string().optional() })).optional(),
  response_url: z.string().optional(),
});

/** The hosts of Slack's response URLs. */
const RESPONSE_HOSTS = new Set(['hooks.slack.com', 'hooks.slack-gov.com']);

/** Verifies Slack's signature of a request, version 0. */
function isSigned({ headers, body, now }: CallbackRequest, signingSecret: string): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? '';
  if (!isRecent(timestamp, now)) return false;
  const mac = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return safeEqual(headers.get('x-slack-signature') ?? '', `v0=${mac}`);
}

/**
 * Builds a request that shows a text only to the person who pressed the button, because Slack ignores the body of the response. Undefined unless the
 * URL is one of Slack's.
 */
function ephemeral(responseUrl: string, text: string): Post | undefined {
  const url = canParseUrl(responseUrl) ? new URL(responseUrl) : null;
  if (url?.protocol !== 'https:' || url.port !== '' || !RESPONSE_HOSTS.has(url.hostname)) return undefined;
  const blocks = [{ type: 'section', text: { type: 'plain_text', text, emoji: false } }];
  const content = { text: escapeMarkup(text), blocks };
  const body = JSON.stringify({ response_type: 'ephemeral', replace_original: false, ...content });
  return { ...providerApi(url.href), body, receiver: 'Slack' };
}

/** Reads a pressed button of a Slack app: `block_actions` in the form field `payload`. */
export const readSlackCallback: CallbackReader<SlackConfig> = (request, { signingSecret }) => {
  if (!signingSecret || !isSigned(request, signingSecret)) return null;
  // Slack sends no other field, and a form of many fields takes long to parse.
  const [field = ''] = request.body.toString('utf8').split('&', 1);
  const payload = new URLSearchParams(field).get('payload') ?? '';
  const interaction = readJson(Interaction, payload);
  const pressed = interaction?.actions?.find(({ action_id: id }) => id === ACKNOWLEDGE);
  if (interaction?.type !== 'block_actions' || pressed?.value === undefined) {
    return { press: null, answer: () => ({ body: null }) };
  }
  const { user, response_url: responseUrl = '' } = interaction;
  const person = `@${user.username ?? user.name ?? user.id} on Slack`;
  return {
    press: { button: pressed.value, person },
    answer(text) {
      const followUp = text === null ? undefined : ephemeral(responseUrl, text);
      return { body: null, ...(followUp && { followUp }) };
    },
  };
};
