import { z } from 'zod';
import { SaveResponseBody, secret, Token, WebAddress } from '../fields';

export const ZulipConfig = z.strictObject({
  siteUrl: WebAddress,
  botEmail: z.email({ error: "Enter the bot's email address." }).max(254),
  apiKey: secret(Token, "Enter the bot's API key."),
  stream: z
    .string({ error: 'Enter the name of a channel.' })
    .trim()
    .min(1, { error: 'Enter the name of a channel.' })
    .max(60),
  topic: z.string().trim().max(60).default('Upwatch'),
  saveResponseBody: SaveResponseBody,
});
export type ZulipConfig = z.infer<typeof ZulipConfig>;
