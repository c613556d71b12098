import type { ChannelDefinition } from '../definition';
import { PagerdutyConfig } from './config';

export const pagerduty = {
  label: 'PagerDuty',
  category: 'paging',
  summary: 'Integration key',

  schema: PagerdutyConfig,
  fields: {
    routingKey: {
      label: 'Integration key',
      kind: 'secret',
      help: 'In PagerDuty: Services, Service Directory, your service, Integrations, Add an integration, Events API V2.',
    },
    region: {
      label: 'Service region',
      kind: 'select',
      optional: true,
      options: [
        { value: 'us', label: 'US (app.pagerduty.com)' },
        { value: 'eu', label: 'EU (app.eu.pagerduty.com)' },
      ],
    },
  },
  description:
    'Alerts of a PagerDuty service, by the Events API v2: one per incident, acknowledged and resolved with it.',
  secrets: { routingKey: 'credential' },

  destination: ({ routingKey, region }) => `${region.toUpperCase()} ${routingKey}`,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<PagerdutyConfig>;
