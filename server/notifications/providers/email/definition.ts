import type { ChannelDefinition } from '../definition';
import { EmailConfig } from './config';

export const email = {
  label: 'Email',
  medium: 'mail',
  schema: EmailConfig,
  description: 'Messages by email.',
  secrets: {},
  destination: ({ to }) => to,
  recipient: 'to',
} satisfies ChannelDefinition<EmailConfig>;
