import { z } from 'zod';
import { atPort } from '../address';
import { Confirm, Host, Port, TimeoutMs } from '../config/confirm';
import { ConnectionTests } from '../config/connection-tests';
import { connectionTestsField, hostAndPort, nameAtPort } from '../config/form-fields';
import { ENCRYPTED, MailSecurity, mailSecurityFields } from '../config/mail-security';
import { trustFields, trustShape } from '../config/tls-trust';
import type { TypeDefinition } from '../definition';

/** A mail server (RFC 5321) whose reply to EHLO must have `expectedCode`: after STARTTLS, or over TLS from the start. */
export const SmtpConfig = z.strictObject({
  host: Host,
  port: Port.default(25),
  security: MailSecurity.default('none'),
  expectedCode: z.int().min(200).max(599).default(250).meta({
    description: 'The code of the last reply: to EHLO, or of a greeting that is not 220, which ends the session.',
  }),
  ...trustShape,
  certificateWarnDays: z.int().min(0).max(365).default(14),
  timeoutMs: TimeoutMs,
  connectionTests: ConnectionTests,
  confirm: Confirm,
});
export type SmtpConfig = z.infer<typeof SmtpConfig>;

export const smtp = {
  schema: SmtpConfig,
  form: {
    label: 'SMTP',
    note: 'Mail server replies',
    upWhen: 'The mail server replies with the expected code within the timeout.',
    advanced: 'Certificate, confirmation',
    suggestName: nameAtPort,
    fields: {
      ...hostAndPort('mail.northwind.example', '25'),
      ...mailSecurityFields,
      expectedCode: {
        label: 'Expected code',
        kind: 'number',
        group: 'expected',
        mono: true,
        help: 'The usual reply to EHLO is 250. A server that rejects connections greets with 554.',
      },
      ...trustFields(ENCRYPTED),
      connectionTests: connectionTestsField,
    },
  },
  secrets: {},
  target: atPort,
  request: (config) => `smtp ${atPort(config)}${config.security === 'none' ? '' : ` (${config.security})`}`,
  endpoints: ({ host }) => [['host', host]],
  limitKey: ({ host }) => host.toLowerCase(),
  certificateWarnDays: ({ certificateWarnDays }) => certificateWarnDays,
} satisfies TypeDefinition<SmtpConfig>;
