import { atPort } from '../address';
import type { TypeDefinition } from '../definition';
import { TcpConfig } from './config';

export const tcp = {
  schema: TcpConfig,
  secrets: { send: 'text' },
  componentName: 'Service',
  target: atPort,
  request: (config) => `${config.tls ? 'tls' : 'tcp'} ${atPort(config)}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<TcpConfig>;
