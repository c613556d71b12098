import type { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';
import { incomingWebhook } from '../fields';

export const MicrosoftTeamsConfig = incomingWebhook();
export type MicrosoftTeamsConfig = z.infer<typeof MicrosoftTeamsConfig>;

export const microsoftTeams = {
  ...channelKinds.microsoft_teams,
  summary: 'Workflow webhook',
  textLimit: 6_000,
  schema: MicrosoftTeamsConfig,
  fields: {
    webhookUrl: {
      label: 'Workflow URL',
      kind: 'secret',
      placeholder: 'https://….environment.api.powerplatform.com/powerautomate/automations/direct/workflows/…',
      help: 'In Teams: the channel, More options, Workflows, "Send webhook alerts to a channel". Copy the URL at the end. Add a co-owner to the workflow, so that it keeps running if you leave the team. URLs of Office 365 connectors (webhook.office.com) no longer work, and Microsoft replaced those of workflows that have logic.azure.com: copy these again.',
    },
  },
  description: 'The URL of a workflow of Microsoft Teams that is triggered by a webhook request.',
  secrets: { webhookUrl: 'credential' },

  destination: ({ webhookUrl }) => webhookUrl,
} satisfies ChannelDefinition<MicrosoftTeamsConfig>;
