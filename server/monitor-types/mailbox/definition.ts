import { z } from 'zod';
import { atPort } from '../address';
import { Confirm, Host, Port, TimeoutMs } from '../config/confirm';
import { hostAndPort } from '../config/form-fields';
import { credentialFields, Password, Username, verifyTlsField } from '../config/login';
import { ENCRYPTED, MailSecurity, mailSecurityFields } from '../config/mail-security';
import { ownTrustFields, ownTrustShape } from '../config/tls-trust';
import type { TypeDefinition } from '../definition';

/** The usual ports without TLS (or before STARTTLS), and with TLS from the start. */
const PORTS = { imap: { plain: 143, tls: 993 }, pop3: { plain: 110, tls: 995 } };

const isOneLine = (text: string) => !/[\r\n]/.test(text);
const ONE_LINE = 'Remove the line breaks.';

/** A server from which people read their mail, by IMAP (RFC 9051) or POP3 (RFC 1939): its greeting and, with a password, the login. */
export const MailboxConfig = z
  .strictObject({
    protocol: z.enum(['imap', 'pop3']).default('imap'),
    host: Host,
    port: Port.optional().meta({
      description: 'Unset: the usual one, for IMAP 993 with `tls` and otherwise 143, for POP3 995 and 110.',
    }),
    security: MailSecurity.default('tls'),
    username: Username.refine(isOneLine, ONE_LINE).optional(),
    password: Password.refine(isOneLine, ONE_LINE).optional(),
    verifyTls: z.boolean().default(true),
    ...ownTrustShape,
    certificateWarnDays: z.int().min(0).max(365).default(14),
    timeoutMs: TimeoutMs,
    confirm: Confirm,
  })
  .superRefine(({ username, password, security }, ctx) => {
    const issue = (field: string, message: string) => ctx.addIssue({ code: 'custom', path: [field], message });
    if (username !== undefined && password === undefined) issue('password', 'Enter the password of this user.');
    if (password !== undefined && username === undefined) issue('username', 'Enter the user of this password.');
    if (password !== undefined && security === 'none') {
      issue('security', 'Choose STARTTLS or TLS for a login, because the password could be read on the way.');
    }
  });
export type MailboxConfig = z.infer<typeof MailboxConfig>;

/** Returns the host with the port that is set, or the usual one. */
export function mailboxAddress({ protocol, host, port, security }: MailboxConfig): { host: string; port: number } {
  return { host, port: port ?? PORTS[protocol][security === 'tls' ? 'tls' : 'plain'] };
}

const place = hostAndPort('imap.northwind.example', 'Default');

export const mailbox = {
  schema: MailboxConfig,
  form: {
    label: 'IMAP, POP3',
    note: 'Mailbox greets, login',
    upWhen: 'The mail server greets and, with a password, accepts the login within the timeout.',
    advanced: 'Certificate, confirmation',
    suggestName: ({ host }) => host,
    fields: {
      protocol: {
        label: 'Protocol',
        kind: 'select',
        group: 'target',
        width: 'half',
        options: [
          { value: 'imap', label: 'IMAP' },
          { value: 'pop3', label: 'POP3' },
        ],
      },
      security: mailSecurityFields.security,
      host: place.host,
      port: { ...place.port, optional: true },
      ...credentialFields,
      verifyTls: { ...verifyTlsField, ...ENCRYPTED },
      ...ownTrustFields(ENCRYPTED),
      certificateWarnDays: mailSecurityFields.certificateWarnDays,
    },
  },
  secrets: { password: 'credential' },
  target: (config) => atPort(mailboxAddress(config)),
  request: (config) => {
    const { protocol, security } = config;
    return `${protocol} ${atPort(mailboxAddress(config))}${security === 'none' ? '' : ` (${security})`}`;
  },
  endpoints: ({ host }) => [['host', host]],
  destination: (config) => {
    const { protocol, security } = config as Partial<MailboxConfig>;
    return [protocol, security];
  },
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ security, certificateWarnDays }) => (security === 'none' ? 0 : certificateWarnDays),
} satisfies TypeDefinition<MailboxConfig>;
