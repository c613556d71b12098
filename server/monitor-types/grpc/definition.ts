import { atPort } from '../address';
import type { TypeDefinition } from '../definition';
import { GrpcConfig } from './config';

export const grpc = {
  schema: GrpcConfig,
  secrets: {},
  componentName: 'Service',
  target: atPort,
  request: (config) => `grpc ${atPort(config)}${config.service ? ` ${config.service}` : ''}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<GrpcConfig>;
