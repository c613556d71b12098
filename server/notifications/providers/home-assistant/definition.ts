import type { ChannelDefinition } from '../definition';
import { saveResponseBodyField } from '../fields';
import { HomeAssistantConfig } from './config';

export const homeAssistant = {
  label: 'Home Assistant',
  category: 'automation',
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
