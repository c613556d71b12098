import type { ChannelDefinition } from '../definition';
import { HomeAssistantConfig } from './config';

export const homeAssistant = {
  label: 'Home Assistant',
  category: 'automation',
  summary: 'Event for automations',

  schema: HomeAssistantConfig,
  fields: {
    serverUrl: { label: 'Server URL', kind: 'url', placeholder: 'https://home.northwind.example' },
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
      help: 'The event type that your automations wait for. In an automation: When, Other triggers, Manual event.',
    },
  },
  description: 'Events of Home Assistant, which its automations can wait for.',
  secrets: { accessToken: 'credential' },
  endpoint: 'serverUrl',
  destination: ({ serverUrl }) => serverUrl,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<HomeAssistantConfig>;
