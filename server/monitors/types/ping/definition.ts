import type { TypeDefinition } from '../definition';
import { PingConfig } from './config';

export const ping = {
  schema: PingConfig,
  secrets: {},
  target: ({ host }) => host,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<PingConfig>;
