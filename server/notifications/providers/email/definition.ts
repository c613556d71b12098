import type { ChannelDefinition } from '../definition';
import { EmailConfig } from './config';

export const email = {
  label: 'Email',
  category: 'email-and-phone',
  summary: 'One address',
  textLimit: 100_000,
  schema: EmailConfig,
  fields: {
    to: { label: 'Send to', kind: 'email', placeholder: 'oncall@northwind.example' },
  },
  description: 'Messages by email.',
  secrets: {},
  destination: ({ to }) => to,
  recipient: 'to',
} satisfies ChannelDefinition<EmailConfig>;
