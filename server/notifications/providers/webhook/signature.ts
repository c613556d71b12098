import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

function keyOf(secret: string): Buffer {
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret, 'utf8');
}

/** A new signing secret: `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * The signature of Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of "id.timestamp.body". `timestamp` is in whole
 * seconds since 1970. A secret starting `whsec_` is base64, any other its UTF-8 bytes.
 */
export function signWebhook(secret: string, id: string, timestamp: number, body: string): string {
  const digest = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64');
  return `v1,${digest}`;
}
