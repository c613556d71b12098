import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { secret, WEB_ADDRESS, WebAddress } from '../fields';

export const SplunkOnCallConfig = z.strictObject({ url: secret(WebAddress, WEB_ADDRESS) });
export type SplunkOnCallConfig = z.infer<typeof SplunkOnCallConfig>;

export const splunkOnCall = {
  ...channelKinds.splunk_on_call,
  summary: 'REST endpoint, formerly VictorOps',

  schema: SplunkOnCallConfig,
  fields: {
    url: {
      label: 'REST endpoint URL',
      kind: 'secret',
      placeholder: 'https://alert.victorops.com/integrations/generic/20131114/alert/…/database',
      help: 'In Splunk On-Call: Integrations, 3rd Party Integrations, REST - Generic. Replace $routing_key at its end with your routing key.',
    },
  },
  description:
    'Alerts of Splunk On-Call (VictorOps), by its REST endpoint: one per incident, acknowledged and resolved with it.',
  secrets: { url: 'credential' },

  destination: ({ url }) => url,
  mirrorsIncidents: true,
} satisfies ChannelDefinition<SplunkOnCallConfig>;
