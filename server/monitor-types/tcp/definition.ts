import { z } from 'zod';
import { atPort } from '../address';
import { Confirm, Host, Port, TimeoutMs } from '../config/confirm';
import { ConnectionTests } from '../config/connection-tests';
import { connectionTestsField, hostAndPort, nameAtPort, saveResponseBodyField } from '../config/form-fields';
import { SaveResponseBody } from '../config/save-response-body';
import { trustFields, trustShape } from '../config/tls-trust';
import { UpsideDown, upsideDownField } from '../config/upside-down';
import type { TypeDefinition } from '../definition';

/** The config of a check that opens a connection. If `expect` is set, it sends `send` and requires that text in the response. */
export const TcpConfig = z.strictObject({
  host: Host,
  port: Port,
  tls: z.boolean().default(false),
  ...trustShape,
  send: z.string().max(10_000).optional(),
  expect: z.string().min(1).max(10_000).optional(),
  saveResponseBody: SaveResponseBody,
  timeoutMs: TimeoutMs,
  connectionTests: ConnectionTests,
  upsideDown: UpsideDown,
  confirm: Confirm,
});
export type TcpConfig = z.infer<typeof TcpConfig>;

export const tcp = {
  schema: TcpConfig,
  form: {
    label: 'TCP',
    note: 'Port opens, responds',
    upWhen: 'The connection opens within the timeout.',
    advanced: 'Certificate, response, confirmation',
    suggestName: nameAtPort,
    fields: {
      ...hostAndPort('db.northwind.example', '5432'),
      tls: { label: 'Use TLS', kind: 'switch', group: 'target' },
      send: { label: 'Send', kind: 'multiline', group: 'expected', width: 'half', optional: true },
      expect: { label: 'Response contains', kind: 'multiline', group: 'expected', width: 'half', optional: true },
      upsideDown: upsideDownField,
      ...trustFields({ when: { field: 'tls', is: [true], keeps: true } }),
      saveResponseBody: saveResponseBodyField,
      connectionTests: connectionTestsField,
    },
  },
  secrets: { send: 'text' },
  target: atPort,
  request: (config) => `${config.tls ? 'tls' : 'tcp'} ${atPort(config)}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
} satisfies TypeDefinition<TcpConfig>;
