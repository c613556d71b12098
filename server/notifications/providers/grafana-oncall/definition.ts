import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, WEB_ADDRESS, WebAddress } from '../fields';

export const GrafanaOncallConfig = z.strictObject({ url: secret(WebAddress, WEB_ADDRESS) });
export type GrafanaOncallConfig = z.infer<typeof GrafanaOncallConfig>;

export const grafanaOncall = {
  ...channelKinds.grafana_oncall,
  summary: 'Formatted webhook',

  schema: GrafanaOncallConfig,
  fields: {
    url: {
      label: 'Integration URL',
      kind: 'secret',
      placeholder: 'https://oncall-prod-us-central-0.grafana.net/oncall/integrations/v1/formatted_webhook/…/',
      help: 'In Grafana Cloud: Alerts & IRM, IRM, Integrations, Monitoring systems, Formatted Webhook, HTTP Endpoint. The open-source Grafana OnCall works too, but Grafana archived it on March 24, 2026. To acknowledge there as well, set the Auto acknowledge template of the integration to {{ payload.state == "acknowledged" }}.',
    },
  },
  description: 'Alerts of Grafana OnCall or Grafana IRM, by a formatted webhook: one per incident, resolved with it.',
  secrets: { url: 'credential' },

  destination: ({ url }) => url,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<GrafanaOncallConfig>;
