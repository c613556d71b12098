import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret, 'utf8');
}

/** Generates a signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * Returns the signature of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of "id.timestamp.body".
 * @param secret if it starts with `whsec_`, the rest is the key in base64; otherwise its UTF-8 bytes are the key
 * @param timestamp in whole seconds since 1970
 */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return `v1,${digest}`;
}
