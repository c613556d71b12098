import { atPort } from '../address';
import type { TypeDefinition } from '../definition';
import { TlsConfig } from './config';

export const tls = {
  schema: TlsConfig,
  secrets: {},
  componentName: 'Certificate',
  target: atPort,
  request: (config) => `tls ${atPort(config)}${config.serverName ? ` (${config.serverName})` : ''}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ warnDays }) => warnDays,
} satisfies TypeDefinition<TlsConfig>;
