import { z } from 'zod';
import { secret, Token } from '../fields';

export const WebexConfig = z.strictObject({
  botToken: secret(Token, 'Enter the access token of the bot.'),
  roomId: z.string().regex(/^[A-Za-z0-9_=+/-]{10,200}$/, { error: 'Enter the ID of a space.' }),
});
export type WebexConfig = z.infer<typeof WebexConfig>;
