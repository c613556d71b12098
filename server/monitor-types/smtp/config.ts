import { z } from 'zod';
import { Confirm, Host, Port, TimeoutMs } from '@/server/monitor-types/config/confirm';

/** A mail server (RFC 5321) whose reply to EHLO must have `expectedCode`: after STARTTLS, or over TLS from the start. */
export const SmtpConfig = z.strictObject({
  host: Host,
  port: Port.default(25),
  security: z.enum(['none', 'starttls', 'tls']).default('none'),
  expectedCode: z.int().min(200).max(599).default(250).meta({
    description: 'The code of the last reply: to EHLO, or of a greeting that is not 220, which ends the session.',
  }),
  certificateWarnDays: z.int().min(0).max(365).default(14),
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type SmtpConfig = z.infer<typeof SmtpConfig>;
