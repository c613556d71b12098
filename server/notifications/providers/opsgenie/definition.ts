import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, Token } from '../fields';

export const OpsgenieConfig = z.strictObject({
  apiKey: secret(Token, 'Enter the API key as Opsgenie shows it.'),
  region: z.enum(['us', 'eu', 'jsm'], { error: 'Enter us, eu or jsm.' }).default('us'),
});
export type OpsgenieConfig = z.infer<typeof OpsgenieConfig>;

export const opsgenie = {
  ...channelKinds.opsgenie,
  summary: 'API key, also of Jira Service Management',

  schema: OpsgenieConfig,
  fields: {
    apiKey: {
      label: 'API key',
      kind: 'secret',
      help: 'In Opsgenie: Teams, your team, Integrations, Add integration, API. In Jira Service Management: Operations, your team, Integrations, Add integration, API.',
    },
    region: {
      label: 'Service region',
      kind: 'select',
      optional: true,
      help: 'Atlassian ends Opsgenie on April 5, 2027. If your team has moved to Jira Service Management, select it and use an API key from there.',
      options: [
        { value: 'us', label: 'Opsgenie US (app.opsgenie.com)' },
        { value: 'eu', label: 'Opsgenie EU (app.eu.opsgenie.com)' },
        { value: 'jsm', label: 'Jira Service Management' },
      ],
    },
  },
  description:
    'Alerts of Opsgenie or Jira Service Management, by the Alert API: one per incident, acknowledged and closed with it.',
  secrets: { apiKey: 'credential' },

  destination: ({ apiKey, region }) => `${region.toUpperCase()} ${apiKey}`,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<OpsgenieConfig>;
