import { z } from 'zod';
import type { DialTarget } from '@/server/platform/net';
import type { FormField } from '../form-field';
import { Host, Port, TimeoutMs } from './confirm';
import { hostAndPort } from './form-fields';

/** Text without NUL, because some protocols end strings with it. */
export const NoNul = z.string().refine((text) => !text.includes('\0'), 'Remove the NUL character.');

export const Username = NoNul.trim().min(1).max(255);
export const Password = NoNul.min(1).max(1024);

/** Returns the settings of types that log in to a server, optionally over TLS. */
export const loginShape = (port: number) => ({
  host: Host,
  port: Port.default(port),
  username: Username.optional(),
  password: Password.optional(),
  tls: z.boolean().default(false),
  verifyTls: z.boolean().default(true),
  certificateWarnDays: z.int().min(0).max(365).default(14),
  timeoutMs: TimeoutMs,
});

interface Login {
  host: string;
  port: number;
  tls: boolean;
  verifyTls: boolean;
}

/** The form fields of a login. */
export const credentialFields = {
  username: { label: 'Username', kind: 'text', group: 'target', width: 'half', optional: true, mono: false },
  password: { label: 'Password', kind: 'verbatim', group: 'target', width: 'half', optional: true },
} satisfies Record<string, FormField>;

export const verifyTlsField = {
  label: 'Verify TLS certificate',
  kind: 'switch',
  group: 'advanced',
} satisfies FormField;

const OVER_TLS = { field: 'tls', is: [true], keeps: true } as const;

/** Returns the form fields of `loginShape`, with examples of a host and a port. */
export function loginFields(host: string, port: string) {
  return {
    ...hostAndPort(host, port),
    ...credentialFields,
    tls: { label: 'Use TLS', kind: 'switch', group: 'target' },
    verifyTls: { ...verifyTlsField, when: OVER_TLS },
    certificateWarnDays: {
      label: 'Certificate warning',
      kind: 'number',
      group: 'advanced',
      when: OVER_TLS,
      help: 'Days before it expires. 0 turns warnings off.',
    },
  } satisfies Record<string, FormField>;
}

/** Returns the target of a check's first connection, over TLS from its start if the config says so. */
export function loginTarget({ host, port, tls, verifyTls }: Login): DialTarget {
  return { host, port, family: 0, tls: tls ? { verify: verifyTls } : null };
}
