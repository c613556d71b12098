import { z } from 'zod';
import { Confirm } from '../config/confirm';
import { saveResponseBodyField } from '../config/form-fields';
import { loginFields, loginShape, NoNul, Username } from '../config/login';
import { SaveResponseBody } from '../config/save-response-body';
import type { FormField } from '../form-field';

/** The maximum length of a query, because it is sent with every check. */
const MOST_QUERY = 4_000;

/** The result of a database check's query. */
export interface QueryResult {
  /** The first column of the first row as text; null for NULL, undefined without a row. */
  value: string | null | undefined;
}

/** Returns the settings of types that log in to a database and run one query. */
export const queryShape = (port: number) => ({
  ...loginShape(port),
  username: Username,
  database: Username.optional(),
  query: NoNul.trim().min(1, 'Enter a query.').max(MOST_QUERY).default('SELECT 1').meta({
    description:
      'One statement, which must succeed. It runs in a read-only transaction, and only its first row is read.',
  }),
  expectedValue: z.string().max(1_000).optional().meta({
    description: 'The expected first column of the first row, as text. If it is not set, any result is accepted.',
  }),
  saveResponseBody: SaveResponseBody,
  confirm: Confirm,
});

/** Returns the form fields of `queryShape`, with examples of a host and a port. */
export function queryFields(host: string, port: string) {
  const { username: _optional, ...fields } = loginFields(host, port);
  const name = { kind: 'text', group: 'target', width: 'half', mono: false } as const;
  return {
    host: fields.host,
    port: fields.port,
    username: { label: 'Username', ...name },
    password: fields.password,
    database: { label: 'Database', ...name, optional: true },
    tls: fields.tls,
    query: {
      label: 'Query',
      kind: 'multiline',
      group: 'expected',
      help: 'One statement, in a read-only transaction. Only its first row is read. Use an account that may only read.',
    },
    expectedValue: {
      label: 'Expected value',
      kind: 'verbatim',
      group: 'expected',
      optional: true,
      help: 'The first column of the first row, as text. If empty, any result is accepted.',
    },
    verifyTls: fields.verifyTls,
    certificateWarnDays: fields.certificateWarnDays,
    saveResponseBody: saveResponseBodyField,
  } satisfies Record<string, FormField>;
}
