import { atPort } from '../address';
import type { TypeDefinition } from '../definition';
import { TlsConfig } from './config';

export const tls = {
  schema: TlsConfig,
  secrets: {},
  target: atPort,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ warnDays }) => warnDays,
} satisfies TypeDefinition<TlsConfig>;
