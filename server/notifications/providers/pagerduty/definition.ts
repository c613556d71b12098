import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret } from '../fields';

export const PagerdutyConfig = z.strictObject({
  routingKey: secret(z.string().regex(/^[0-9a-zA-Z]{32}$/), 'Enter the integration key, 32 letters and digits.'),
  region: z.enum(['us', 'eu'], { error: 'Enter us or eu.' }).default('us'),
});
export type PagerdutyConfig = z.infer<typeof PagerdutyConfig>;

export const pagerduty = {
  ...channelKinds.pagerduty,
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
