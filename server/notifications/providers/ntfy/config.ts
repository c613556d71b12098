import { z } from 'zod';
import { optionalSecret, SaveResponseBody, Token, WebAddress } from '../fields';

export const NtfyConfig = z.strictObject({
  serverUrl: WebAddress.default('https://ntfy.sh'),
  topic: z.string().regex(/^[-\w]{1,64}$/, { error: 'Enter a topic: letters, digits, hyphens and underscores.' }),
  accessToken: optionalSecret(Token, 'Enter the access token as ntfy shows it: tk_…'),
  saveResponseBody: SaveResponseBody,
});
export type NtfyConfig = z.infer<typeof NtfyConfig>;
