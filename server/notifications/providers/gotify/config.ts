import { z } from 'zod';
import { SaveResponseBody, secret, Token, WebAddress } from '../fields';

export const GotifyConfig = z.strictObject({
  serverUrl: WebAddress,
  appToken: secret(Token, 'Enter the token of the application as Gotify shows it.'),
  saveResponseBody: SaveResponseBody,
});
export type GotifyConfig = z.infer<typeof GotifyConfig>;
