import { z } from 'zod';
import { canParseUrl } from '@/server/platform/schema';
import type { ConfigField } from './definition';

/** The format of a masked secret, which is shown in responses. Sent back, it keeps the stored value. */
export const SECRET_MASK = /^••••.{0,4}$/u;

/** The schema of a secret that `value` validates, or of the mask from an earlier response. */
export function secret(value: z.ZodType<string>, error: string) {
  return z.string({ error }).refine((text) => SECRET_MASK.test(text) || value.safeParse(text).success, { error });
}

function isWebAddress(text: string): boolean {
  if (!canParseUrl(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && hostname !== '' && username === '' && password === '';
}

export const WEB_ADDRESS = 'Enter a URL that starts with https:// or http://, without a username or password.';
export const WebAddress = z
  .string({ error: WEB_ADDRESS })
  .max(2048, { abort: true })
  .refine(isWebAddress, { error: WEB_ADDRESS });

/** Visible ASCII: needs no escaping in an HTTP header or a JSON body. */
export const Token = z.string().regex(/^[\x21-\x7e]{1,1000}$/);

/** The schema of the config of a chat's incoming webhook. The URL is a secret, because anyone who has it can post. */
export const incomingWebhook = () => z.strictObject({ webhookUrl: secret(WebAddress, WEB_ADDRESS) });

/** The schema of an optional secret: empty for none. If it is omitted, the stored one is kept. */
export function optionalSecret(value: z.ZodType<string>, error: string) {
  return secret(z.literal('').or(value), error).optional();
}

/** Whether response bodies are stored with delivery attempts, for kinds that send credentials to a server that the user chose. */
export const SaveResponseBody = z
  .enum(['auto', 'always', 'never', ''], { error: 'Enter auto, always or never.' })
  .optional()
  .meta({
    description:
      'Whether response bodies are kept with delivery attempts. `auto`, the default, also where it is empty: unless the channel sends credentials. Credentials that a response repeats are masked, but cannot be found if they are encrypted, hashed, compressed or split.',
  });

export const saveResponseBodyField: ConfigField = {
  label: 'Save response body',
  kind: 'select',
  optional: true,
  options: [
    { value: 'auto', label: 'Unless the channel sends credentials' },
    { value: 'always', label: 'Always' },
    { value: 'never', label: 'Never' },
  ],
  help: 'With delivery attempts. Credentials that a response repeats are masked, but cannot be found if they are encrypted, hashed, compressed or split.',
};

/** E.164 (ITU-T): a plus sign, the country code and the number. */
export const PhoneNumber = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, { error: 'Enter a phone number with its country code, such as +4915550123456.' });
