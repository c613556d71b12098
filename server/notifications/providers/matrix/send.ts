import { createHash } from 'node:crypto';
import { z } from 'zod';
import { escapeHtml } from '@/server/platform/escape-html';
import type { Message } from '../../messages/message';
import { failureForm } from '../failure-form';
import { type Post, post } from '../post';
import type { Provider } from '../provider';
import { readJson } from '../read-json';
import { inJsonBytes } from '../shorten';
import { toText } from '../to-text';
import type { MatrixConfig } from './definition';

/** An event is limited to 65,536 bytes; an edit carries the text twice, each time as text and as HTML. */
const MOST_BYTES = 14_000;

/** Matrix errors that are permanent. */
const PERMANENT = new Set([
  'M_FORBIDDEN',
  'M_UNKNOWN_TOKEN',
  'M_MISSING_TOKEN',
  'M_USER_DEACTIVATED',
  'M_GUEST_ACCESS_FORBIDDEN',
  'M_NOT_FOUND',
  'M_INVALID_PARAM',
  'M_TOO_LARGE',
  'M_BAD_JSON',
  'M_UNRECOGNIZED',
]);

const Failure = z.looseObject({
  errcode: z.string().startsWith('M_'),
  error: z.string().default(''),
  retry_after_ms: z.number().nonnegative().optional(),
});
const Sent = z.looseObject({ event_id: z.string().min(1).max(255) });

const failure = failureForm({
  schema: Failure,
  text: ({ errcode, error }) => `${errcode} ${error}`,
  permanent: ({ errcode }) => PERMANENT.has(errcode),
  wait: ({ retry_after_ms: wait }) => (wait === undefined ? undefined : wait / 1000),
});

const encodeText = (text: string) => escapeHtml(text).replaceAll('\n', '<br>');

/** Returns the content of an event: the text, plain and as HTML, without mentions. */
function toContent(message: Message): object {
  const html = toText(message, {
    max: MOST_BYTES,
    size: inJsonBytes,
    encode: encodeText,
    title: (headline) => `<strong>${headline}</strong>`,
    link: (label, url) => `<a href="${escapeHtml(url)}">${label}</a>`,
  });
  return {
    msgtype: 'm.text',
    body: toText(message, { max: MOST_BYTES, size: inJsonBytes }),
    format: 'org.matrix.custom.html',
    formatted_body: html.replaceAll('\n', '<br>'),
    'm.mentions': {},
  };
}

/** Builds a request that sends an event. Its transaction ID makes the server drop duplicates. */
function put({ homeserverUrl, accessToken, roomId }: MatrixConfig, transaction: string, content: object): Post {
  const path = `/_matrix/client/v3/rooms/${encodeURIComponent(roomId)}/send/m.room.message/${transaction}`;
  return {
    url: homeserverUrl.replace(/\/+$/, '') + path,
    method: 'PUT',
    headers: { authorization: `Bearer ${accessToken}` },
    body: JSON.stringify(content),
    receiver: 'Matrix',
    ...failure,
  };
}

/** Sends messages through the Matrix client-server API. An edit is a further event that replaces the message. */
export const matrix: Provider<MatrixConfig> = {
  send(message, config, options) {
    const ref = (answer: string) => readJson(Sent, answer)?.event_id;
    return post({ ...put(config, message.id, toContent(message)), ref }, options);
  },
  update(ref, message, config, options) {
    const content = toContent(message);
    const edit = { ...content, 'm.new_content': content, 'm.relates_to': { rel_type: 'm.replace', event_id: ref } };
    const transaction = createHash('sha256').update(JSON.stringify(edit)).digest('hex');
    return post({ ...put(config, transaction, edit), ref: () => ref }, options);
  },
};
