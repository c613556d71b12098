import { z } from 'zod';
import { channelKinds } from '@/server/channel-lists/schema';
import type { ChannelDefinition } from '../definition';

export const EmailConfig = z.strictObject({
  to: z.email({ error: 'Enter one email address.' }).max(254),
});
export type EmailConfig = z.infer<typeof EmailConfig>;

export const email = {
  ...channelKinds.email,
  summary: 'One address',
  textLimit: 100_000,
  schema: EmailConfig,
  fields: {
    to: {
      label: 'Send to',
      kind: 'email',
      placeholder: 'oncall@northwind.example',
      help: 'The address of a person or a mailing list. It gets a confirmation email first, unless it belongs to a member of the team.',
    },
  },
  description: 'Messages by email.',
  secrets: {},
  destination: ({ to }) => to,
  recipient: 'to',
} satisfies ChannelDefinition<EmailConfig>;
