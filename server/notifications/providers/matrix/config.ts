import { z } from 'zod';
import { SaveResponseBody, secret, Token, WebAddress } from '../fields';

export const MatrixConfig = z.strictObject({
  homeserverUrl: WebAddress,
  accessToken: secret(Token, 'Enter the access token of the account that posts.'),
  roomId: z
    .string()
    .trim()
    .max(255)
    .regex(/^![^\s]+$/, {
      error: 'Enter the internal room ID, which starts with an exclamation mark: !abc:example.org.',
    }),
  saveResponseBody: SaveResponseBody,
});
export type MatrixConfig = z.infer<typeof MatrixConfig>;
