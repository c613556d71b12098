import { z } from 'zod';
import type { Message } from '../../messages/message';
import { failureForm, REJECTED } from '../failure-form';
import { basicAuth, type Post, post } from '../post';
import type { Provider } from '../provider';
import { readJson } from '../read-json';
import { toText } from '../to-text';
import type { ZulipConfig } from './definition';

/** Zulip's limit for the content of a message. */
const MOST_TEXT = 10_000;

/** The Markdown of Zulip has no backslash escapes, but it shows numeric entities as their characters. */
const encode = (text: string) => text.replace(/[&<>*~`|#[\]!@$]/g, (character) => `&#${character.charCodeAt(0)};`);

const Failure = z.looseObject({
  result: z.literal('error'),
  msg: z.string(),
  'retry-after': z.number().nonnegative().optional(),
});
const Sent = z.looseObject({ id: z.int() });

const failure = failureForm({
  schema: Failure,
  text: ({ msg }) => msg,
  permanent: REJECTED,
  wait: ({ 'retry-after': seconds }) => seconds,
  whateverStatus: true,
});

function contentOf(message: Message): string {
  return toText(message, {
    max: MOST_TEXT,
    encode,
    title: (headline) => `**${headline}**`,
    link: (label, url) => `[${label}](${url})`,
  });
}

function request({ siteUrl, botEmail, apiKey }: ZulipConfig, path: string, fields: Record<string, string>): Post {
  return {
    url: `${siteUrl.replace(/\/+$/, '')}/api/v1${path}`,
    headers: { authorization: basicAuth(botEmail, apiKey) },
    body: new URLSearchParams(fields),
    receiver: 'Zulip',
    ...failure,
  };
}

/** Sends and edits messages of a Zulip bot in a channel. */
export const zulip: Provider<ZulipConfig> = {
  send(message, config, options) {
    const { stream, topic } = config;
    const fields = { type: 'stream', to: stream, topic: topic || 'Upwatch', content: contentOf(message) };
    return post(
      { ...request(config, '/messages', fields), ref: (answer) => readJson(Sent, answer)?.id.toString() },
      options,
    );
  },
  update(ref, message, config, options) {
    const edit = request(config, `/messages/${ref}`, { content: contentOf(message) });
    return post({ ...edit, method: 'PATCH', ref: () => ref }, options);
  },
};
