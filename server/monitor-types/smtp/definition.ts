import { atPort } from '../address';
import type { TypeDefinition } from '../definition';
import { SmtpConfig } from './config';

export const smtp = {
  schema: SmtpConfig,
  secrets: {},
  componentName: 'Mail server',
  target: atPort,
  request: (config) => `smtp ${atPort(config)}${config.security === 'none' ? '' : ` (${config.security})`}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ certificateWarnDays }) => certificateWarnDays,
} satisfies TypeDefinition<SmtpConfig>;
