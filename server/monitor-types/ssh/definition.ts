import { z } from 'zod';
import { atPort } from '../address';
import { Host, Port, SpeedConfirm, TimeoutMs } from '../config/confirm';
import { degradedFields, hostAndPort, nameAtPort } from '../config/form-fields';
import type { Expression, TypeDefinition } from '../definition';

/** An SSH server that sends its version and offers a key exchange (RFC 4253 §4.2, §7.1). Nobody logs in. */
export const SshConfig = z.strictObject({
  host: Host,
  port: Port.default(22),
  expect: z.string().min(1).max(255).optional().meta({
    description: 'Text that the identification string must contain, such as "OpenSSH_9".',
  }),
  pattern: z.string().min(1).max(512).optional().meta({
    description: 'A regular expression (RE2) that must match in the identification string.',
  }),
  timeoutMs: TimeoutMs,
  degradedAfterMs: z.int().min(1).max(60_000).optional(),
  confirm: SpeedConfirm,
});
export type SshConfig = z.infer<typeof SshConfig>;

export const ssh = {
  schema: SshConfig,
  form: {
    label: 'SSH',
    note: 'Server version',
    upWhen: 'The server sends its version and offers a key exchange within the timeout. Nobody logs in.',
    advanced: 'Degraded threshold, confirmation',
    suggestName: nameAtPort,
    fields: {
      ...hostAndPort('bastion.northwind.example', '22'),
      expect: {
        label: 'Version contains',
        kind: 'text',
        group: 'expected',
        width: 'half',
        optional: true,
        placeholder: 'OpenSSH_9',
        help: 'The first line of the server: SSH-2.0-OpenSSH_9.2p1.',
      },
      pattern: {
        label: 'Version matches',
        kind: 'verbatim',
        group: 'expected',
        width: 'half',
        optional: true,
        placeholder: 'OpenSSH_(9|10)\\.',
        help: 'A regular expression.',
      },
      ...degradedFields('800 ms'),
    },
  },
  secrets: {},
  target: atPort,
  request: (config) => `ssh ${atPort(config)}`,
  endpoints: ({ host }) => [['host', host]],
  expressions: (config): Expression[] => {
    const { pattern: source } = config as { pattern?: unknown };
    return typeof source === 'string' ? [{ path: 'config.pattern', kind: 'pattern', source }] : [];
  },
  limitKey: ({ host }) => host.toLowerCase(),
  isDegradedBySpeed: true,
} satisfies TypeDefinition<SshConfig>;
