import { z } from 'zod';
import { atPort } from '../address';
import { Confirm } from '../config/confirm';
import { ConnectionTests } from '../config/connection-tests';
import { connectionTestsField, nameAtPort } from '../config/form-fields';
import { loginFields, loginShape } from '../config/login';
import type { TypeDefinition } from '../definition';

/** A Redis server, or one that speaks its protocol (Valkey, KeyDB), that answers PING after the authentication. */
export const RedisConfig = z
  .strictObject({
    ...loginShape(6379),
    role: z.enum(['any', 'primary', 'replica']).default('any').meta({
      description: 'The role in replication that the server must have, by the command ROLE.',
    }),
    connectionTests: ConnectionTests,
    confirm: Confirm,
  })
  .refine(({ username, password }) => username === undefined || password !== undefined, {
    path: ['password'],
    message: 'Enter the password of this user.',
  });
export type RedisConfig = z.infer<typeof RedisConfig>;

export const redis = {
  schema: RedisConfig,
  form: {
    label: 'Redis',
    note: 'PING, role',
    upWhen: 'The server answers PING within the timeout.',
    advanced: 'Certificate, confirmation',
    suggestName: nameAtPort,
    fields: {
      ...loginFields('cache.northwind.example', '6379'),
      role: {
        label: 'Role',
        kind: 'select',
        group: 'expected',
        options: [
          { value: 'any', label: 'Any' },
          { value: 'primary', label: 'Primary' },
          { value: 'replica', label: 'Replica' },
        ],
        help: 'By the command ROLE, which the user must be allowed to run.',
      },
      connectionTests: connectionTestsField,
    },
  },
  secrets: { password: 'credential' },
  target: atPort,
  request: (config) => `redis ${atPort(config)}${config.tls ? ' (tls)' : ''}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ tls, certificateWarnDays }) => (tls ? certificateWarnDays : 0),
} satisfies TypeDefinition<RedisConfig>;
