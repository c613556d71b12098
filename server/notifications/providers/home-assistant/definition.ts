import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { SaveResponseBody, saveResponseBodyField, secret, Token, WebAddress } from '../fields';

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

export const homeAssistant = {
  ...channelKinds.home_assistant,
  summary: 'Event for automations',

  schema: HomeAssistantConfig,
  fields: {
    serverUrl: {
      label: 'Server URL',
      kind: 'url',
      placeholder: 'https://home.northwind.example',
      help: 'The address at which you open Home Assistant. Upwatch must be able to reach it.',
    },
    accessToken: {
      label: 'Access token',
      kind: 'secret',
      help: 'From an administrator account. In Home Assistant: your profile, Security, Long-lived access tokens, Create token.',
    },
    eventType: {
      label: 'Event type',
      kind: 'text',
      optional: true,
      placeholder: 'upwatch_incident',
      help: 'The event type that triggers your automations. In an automation: When, Other triggers, Manual event.',
    },
    saveResponseBody: saveResponseBodyField,
  },
  description: 'Events that trigger automations in Home Assistant.',
  secrets: { accessToken: 'credential' },
  endpoint: 'serverUrl',
  destination: ({ serverUrl }) => serverUrl,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<HomeAssistantConfig>;
