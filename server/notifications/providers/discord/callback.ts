import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { type Callback, type CallbackReader, type CallbackRequest, isRecent, valueOfButton } from '../callback';
import { readJson } from '../read-json';
import { type DiscordConfig, isSafeKey } from './definition';
import { escapeMarkdown } from './send';

const User = z.looseObject({ username: z.string() });
const Interaction = z.looseObject({
  type: z.int(),
  data: z.looseObject({ custom_id: z.string().optional() }).optional(),
  /** The person who pressed it, in a server or in a direct message. */
  member: z.looseObject({ user: User }).optional(),
  user: User.optional(),
});

const PING = 1;
const MESSAGE_COMPONENT = 3;
const PONG = 1;
const CHANNEL_MESSAGE = 4;
/** Answers without a message: the button only stops its spinner. */
const DEFERRED_UPDATE = 6;
/** Only the person who pressed the button sees the message. */
const EPHEMERAL = 64;

/** The DER prefix of a raw Ed25519 public key (RFC 8410 §4). */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

/** Verifies Discord's Ed25519 signature of the time and the body. */
function isSigned({ headers, body, now }: CallbackRequest, publicKey: string): boolean {
  const timestamp = headers.get('x-signature-timestamp') ?? '';
  const signature = headers.get('x-signature-ed25519') ?? '';
  if (!isRecent(timestamp, now) || !/^[0-9a-f]{128}$/i.test(signature)) return false;
  const der = Buffer.concat([ED25519, Buffer.from(publicKey, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'hex'));
}

const silent = (type: number): Callback => ({ press: null, answer: () => ({ body: { type } }) });

/** Reads an interaction of a Discord application: a ping, or a pressed button. */
export const readDiscordCallback: CallbackReader<DiscordConfig> = (request, { publicKey = '' }) => {
  if (publicKey === '' || !isSafeKey(publicKey) || !isSigned(request, publicKey)) return null;
  const interaction = readJson(Interaction, request.body.toString('utf8'));
  if (interaction?.type === PING) return silent(PONG);
  const button = interaction?.type === MESSAGE_COMPONENT ? valueOfButton(interaction.data?.custom_id) : null;
  if (button === null) return silent(DEFERRED_UPDATE);
  const user = interaction?.member?.user ?? interaction?.user;
  return {
    press: { button, person: `${user ? `@${user.username}` : 'Someone'} on Discord` },
    answer(text) {
      const data = { content: escapeMarkdown(text ?? ''), flags: EPHEMERAL, allowed_mentions: { parse: [] } };
      return { body: { type: CHANNEL_MESSAGE, data } };
    },
  };
};
