import { atPort } from '../address';
import type { TypeDefinition } from '../definition';
import { GrpcConfig } from './config';

export const grpc = {
  schema: GrpcConfig,
  secrets: {},
  target: atPort,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<GrpcConfig>;
