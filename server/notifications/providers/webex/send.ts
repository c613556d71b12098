import { z } from 'zod';
import type { Message } from '../../messages/message';
import { failureForm, REJECTED } from '../failure-form';
import { type Post, post } from '../post';
import type { Provider } from '../provider';
import { providerApi } from '../provider-api';
import { readJson } from '../read-json';
import { inBytes } from '../shorten';
import { toText } from '../to-text';
import type { WebexConfig } from './definition';

/** Webex's limit for a message is 7,439 bytes. */
const MOST_BYTES = 7_400;

const Failure = z.looseObject({ message: z.string(), trackingId: z.string().optional() });
const Sent = z.looseObject({ id: z.string().regex(/^[A-Za-z0-9_=+/-]{10,200}$/) });

const failure = failureForm({ schema: Failure, text: ({ message }) => message, permanent: REJECTED });

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes Markdown, and HTML, because Webex also reads some of it, such as mentions: "<@all>". */
function encode(text: string): string {
  return text
    .replace(/[\\*_~`|#[\]!&<>]/g, (character) => ENTITIES[character] ?? `\\${character}`)
    .replaceAll('\n', '  \n');
}

function request(config: WebexConfig, path: string, message: Message): Post {
  const markdown = toText(message, {
    max: MOST_BYTES,
    size: inBytes,
    encode,
    title: (headline) => `**${headline}**  `,
    link: (label, url) => `[${label}](${url})  `,
  });
  return {
    ...providerApi(`https://webexapis.com/v1/messages${path}`),
    headers: { authorization: `Bearer ${config.botToken}` },
    body: JSON.stringify({ roomId: config.roomId, markdown }),
    receiver: 'Webex',
    ...failure,
  };
}

/** Sends and edits messages of a Webex bot in a room. */
export const webex: Provider<WebexConfig> = {
  send(message, config, options) {
    return post({ ...request(config, '', message), ref: (answer) => readJson(Sent, answer)?.id }, options);
  },
  update(ref, message, config, options) {
    const edit = request(config, `/${encodeURIComponent(ref)}`, message);
    return post({ ...edit, method: 'PUT', ref: () => ref }, options);
  },
};
