import { atPort } from '../address';
import type { TypeDefinition } from '../definition';
import { TcpConfig } from './config';

export const tcp = {
  schema: TcpConfig,
  secrets: { send: 'text' },
  target: atPort,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<TcpConfig>;
