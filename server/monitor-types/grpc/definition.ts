import { z } from 'zod';
import { atPort } from '../address';
import { Confirm, Host, Port, TimeoutMs } from '../config/confirm';
import { ConnectionTests } from '../config/connection-tests';
import { connectionTestsField, hostAndPort } from '../config/form-fields';
import { trustFields, trustShape } from '../config/tls-trust';
import type { TypeDefinition } from '../definition';

/** Requires SERVING by the gRPC health checking protocol from `service`; "" is the server as a whole. */
export const GrpcConfig = z.strictObject({
  host: Host,
  port: Port,
  service: z.string().max(255).default(''),
  tls: z.boolean().default(false),
  ...trustShape,
  timeoutMs: TimeoutMs,
  connectionTests: ConnectionTests,
  confirm: Confirm,
});
export type GrpcConfig = z.infer<typeof GrpcConfig>;

export const grpc = {
  schema: GrpcConfig,
  form: {
    label: 'gRPC',
    note: 'Health service',
    upWhen: 'The health service reports SERVING within the timeout.',
    advanced: 'Certificate, confirmation',
    suggestName: ({ host, service }) => service || host,
    fields: {
      ...hostAndPort('vault.northwind.example', '50051'),
      service: {
        label: 'Service',
        kind: 'text',
        group: 'target',
        width: 'half',
        optional: true,
        help: 'Default: the server as a whole.',
      },
      tls: { label: 'Use TLS', kind: 'switch', group: 'target' },
      ...trustFields({ when: { field: 'tls', is: [true], keeps: true } }),
      connectionTests: connectionTestsField,
    },
  },
  secrets: {},
  target: atPort,
  request: (config) => `grpc ${atPort(config)}${config.service ? ` ${config.service}` : ''}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<GrpcConfig>;
