import { z } from 'zod';
import { atPort } from '../address';
import { Confirm, Host, Port, TimeoutMs } from '../config/confirm';
import { ConnectionTests } from '../config/connection-tests';
import { connectionTestsField, hostAndPort } from '../config/form-fields';
import { trustFields, trustShape } from '../config/tls-trust';
import type { TypeDefinition } from '../definition';

/**
 * The config of a check that requires a trusted certificate for `serverName` (default: `host`). If it expires within `warnDays`, the monitor is
 * degraded.
 */
export const TlsConfig = z.strictObject({
  host: Host,
  port: Port.default(443),
  serverName: Host.optional(),
  ...trustShape,
  warnDays: z.int().min(0).max(365).default(14),
  timeoutMs: TimeoutMs,
  connectionTests: ConnectionTests,
  confirm: Confirm,
});
export type TlsConfig = z.infer<typeof TlsConfig>;

export const tls = {
  schema: TlsConfig,
  form: {
    label: 'TLS',
    note: 'Certificate, expiry',
    upWhen: 'The certificate is trusted, valid for this name, and does not expire soon.',
    advanced: 'Trusted certificates, confirmation',
    suggestName: ({ host, serverName }) => (serverName || host) && `Certificate of ${serverName || host}`,
    fields: {
      ...hostAndPort('northwind.example', '443'),
      serverName: {
        label: 'Server name',
        kind: 'text',
        group: 'target',
        optional: true,
        help: 'The name that the certificate must be valid for. Default: the host.',
      },
      warnDays: {
        label: 'Days of warning before expiry',
        kind: 'number',
        group: 'expected',
        help: 'The monitor is degraded during this time. 0 turns warnings off; an expired certificate is always down.',
      },
      ...trustFields(),
      connectionTests: connectionTestsField,
    },
  },
  secrets: {},
  target: atPort,
  request: (config) => `tls ${atPort(config)}${config.serverName ? ` (${config.serverName})` : ''}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ warnDays }) => warnDays,
} satisfies TypeDefinition<TlsConfig>;
