import { z } from 'zod';
import { incomingWebhook } from '../fields';

/** A raw Ed25519 key. */
const PublicKey = z
  .string()
  .trim()
  .regex(/^([0-9a-f]{64})?$/i, { error: 'Enter the public key as Discord shows it: 64 hexadecimal digits.' });

export const DiscordConfig = incomingWebhook().extend({ publicKey: PublicKey.optional() });
export type DiscordConfig = z.infer<typeof DiscordConfig>;
