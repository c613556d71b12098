import type { ChannelDefinition } from '../definition';
import { GrafanaOncallConfig } from './config';

export const grafanaOncall = {
  label: 'Grafana OnCall',
  category: 'paging',
  summary: 'Formatted webhook',

  schema: GrafanaOncallConfig,
  fields: {
    url: {
      label: 'Integration URL',
      kind: 'secret',
      placeholder: 'https://oncall.northwind.example/integrations/v1/formatted_webhook/…/',
      help: 'In Grafana: Alerts & IRM, OnCall, Integrations, New integration, Formatted webhook, HTTP Endpoint.',
    },
  },
  description: 'Alerts of Grafana OnCall or Grafana IRM, by a formatted webhook: one per incident, resolved with it.',
  secrets: { url: 'credential' },

  destination: ({ url }) => url,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<GrafanaOncallConfig>;
