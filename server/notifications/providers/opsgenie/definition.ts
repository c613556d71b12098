import type { ChannelDefinition } from '../definition';
import { OpsgenieConfig } from './config';

export const opsgenie = {
  label: 'Opsgenie',
  category: 'paging',
  summary: 'API key',

  schema: OpsgenieConfig,
  fields: {
    apiKey: {
      label: 'API key',
      kind: 'secret',
      help: 'In Opsgenie: Teams, your team, Integrations, Add integration, API.',
    },
    region: {
      label: 'Service region',
      kind: 'select',
      optional: true,
      options: [
        { value: 'us', label: 'US (app.opsgenie.com)' },
        { value: 'eu', label: 'EU (app.eu.opsgenie.com)' },
      ],
    },
  },
  description: 'Alerts of Opsgenie, by the Alert API: one per incident, acknowledged and closed with it.',
  secrets: { apiKey: 'credential' },

  destination: ({ apiKey, region }) => `${region.toUpperCase()} ${apiKey}`,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<OpsgenieConfig>;
