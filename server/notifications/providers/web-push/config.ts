import { z } from 'zod';
import { secret, WebAddress } from '../fields';

const ENTER = 'Enter the subscription as the browser gives it, or choose "Use this browser".';
/** Bytes in base64url without padding. */
const bytes = (characters: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${characters}}$`), { error: ENTER });
/** A point of P-256, uncompressed. */
const PublicKey = bytes(87);

/** A push subscription of a browser (RFC 8030, RFC 8291). */
export const WebPushConfig = z.strictObject({
  endpoint: WebAddress,
  p256dh: PublicKey,
  auth: secret(bytes(22), ENTER),
  /** The key of this instance that the browser subscribed with. */
  serverKey: PublicKey,
  device: z.string().trim().max(100).default(''),
});
export type WebPushConfig = z.infer<typeof WebPushConfig>;
