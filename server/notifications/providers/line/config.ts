import { z } from 'zod';
import { secret, Token } from '../fields';

export const LineConfig = z.strictObject({
  channelAccessToken: secret(Token, 'Enter the channel access token as LINE shows it.'),
  to: z.string().regex(/^[\x21-\x7e]{1,100}$/, { error: 'Enter the ID of a user, group, or room.' }),
});
export type LineConfig = z.infer<typeof LineConfig>;
