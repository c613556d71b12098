import { z } from 'zod';
import { secret, Token, WebAddress } from '../fields';

export const GotifyConfig = z.strictObject({
  serverUrl: WebAddress,
  appToken: secret(Token, 'Enter the token of the application as Gotify shows it.'),
});
export type GotifyConfig = z.infer<typeof GotifyConfig>;
