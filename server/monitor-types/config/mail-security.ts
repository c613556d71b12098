import { z } from 'zod';
import type { DialTarget } from '@/server/platform/net';
import type { FormField } from '../form-field';
import { type TrustConfig, toTrust } from './tls-trust';

/** How connections to mail servers are encrypted: not at all, after a command, or from the start. */
export const MailSecurity = z.enum(['none', 'starttls', 'tls']);

/** The form fields of mail servers that types share. */
export const mailSecurityFields = {
  security: {
    label: 'Connection security',
    kind: 'select',
    group: 'target',
    width: 'half',
    options: [
      { value: 'none', label: 'None' },
      { value: 'starttls', label: 'STARTTLS' },
      { value: 'tls', label: 'TLS' },
    ],
  },
  certificateWarnDays: {
    label: 'Certificate warning',
    kind: 'number',
    group: 'advanced',
    help: 'With STARTTLS or TLS: days before it expires. 0 turns warnings off.',
  },
} satisfies Record<string, FormField>;

interface MailServer extends TrustConfig {
  host: string;
  port: number;
  security: z.infer<typeof MailSecurity>;
}

/** The form fields about certificates exist only with encryption. */
export const ENCRYPTED = { when: { field: 'security', is: ['starttls', 'tls'], keeps: true } } as const;

/** Returns the target of the first connection. With STARTTLS, it opens without TLS. */
export function mailTarget({ host, port, security, ...trust }: MailServer): DialTarget {
  return { host, port, family: 0, tls: security === 'tls' ? toTrust(trust) : null };
}
