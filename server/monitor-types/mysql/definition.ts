import { z } from 'zod';
import { atPort } from '../address';
import { nameAtPort } from '../config/form-fields';
import type { TypeDefinition } from '../definition';
import { queryFields, queryShape } from '../sql/query';

/** A MySQL or MariaDB server that accepts the login and runs one query. */
export const MysqlConfig = z.strictObject(queryShape(3306));
export type MysqlConfig = z.infer<typeof MysqlConfig>;

export const mysql = {
  schema: MysqlConfig,
  form: {
    label: 'MySQL',
    note: 'Or MariaDB: login, query',
    upWhen: 'The login and the query succeed within the timeout.',
    advanced: 'Certificate, response, confirmation',
    suggestName: nameAtPort,
    fields: queryFields('db.northwind.example', '3306'),
  },
  secrets: { password: 'credential' },
  target: atPort,
  request: (config) =>
    `mysql ${atPort(config)}${config.database === undefined ? '' : `/${config.database}`}${config.tls ? ' (tls)' : ''}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ tls, certificateWarnDays }) => (tls ? certificateWarnDays : 0),
} satisfies TypeDefinition<MysqlConfig>;
