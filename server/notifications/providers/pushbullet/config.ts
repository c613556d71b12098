import { z } from 'zod';
import { secret, Token } from '../fields';

export const PushbulletConfig = z.strictObject({
  accessToken: secret(Token, 'Enter the access token as Pushbullet shows it: o.…'),
  channelTag: z
    .string()
    .regex(/^[\w-]{0,64}$/, { error: 'Enter the tag of a channel.' })
    .default(''),
});
export type PushbulletConfig = z.infer<typeof PushbulletConfig>;
