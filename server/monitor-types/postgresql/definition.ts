import { z } from 'zod';
import { atPort } from '../address';
import { nameAtPort } from '../config/form-fields';
import type { TypeDefinition } from '../definition';
import { queryFields, queryShape } from '../sql/query';

/** A PostgreSQL server that accepts the login and runs one query. */
export const PostgresqlConfig = z.strictObject(queryShape(5432));
export type PostgresqlConfig = z.infer<typeof PostgresqlConfig>;

export const postgresql = {
  schema: PostgresqlConfig,
  form: {
    label: 'PostgreSQL',
    note: 'Login, query',
    upWhen: 'The login and the query succeed within the timeout.',
    advanced: 'Certificate, response, confirmation',
    suggestName: nameAtPort,
    fields: queryFields('db.northwind.example', '5432'),
  },
  secrets: { password: 'credential' },
  target: atPort,
  request: (config) =>
    `postgresql ${atPort(config)}/${config.database ?? config.username}${config.tls ? ' (tls)' : ''}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ tls, certificateWarnDays }) => (tls ? certificateWarnDays : 0),
} satisfies TypeDefinition<PostgresqlConfig>;
