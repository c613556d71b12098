import { z } from 'zod';
import { SaveResponseBody, secret, Token, WebAddress } from '../fields';

export const HomeAssistantConfig = z.strictObject({
  serverUrl: WebAddress,
  accessToken: secret(Token, 'Enter a long-lived access token.'),
  eventType: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, { error: 'Enter an event type: lower-case letters, digits and underscores.' })
    .default('upwatch_incident'),
  saveResponseBody: SaveResponseBody,
});
export type HomeAssistantConfig = z.infer<typeof HomeAssistantConfig>;
