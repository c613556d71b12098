import type { TypeDefinition } from '../definition';
import { PingConfig } from './config';

export const ping = {
  schema: PingConfig,
  secrets: {},
  componentName: 'Server',
  target: ({ host }) => host,
  request: ({ host }) => `ping ${host}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<PingConfig>;
