import { z } from 'zod';
import { Confirm, Host, Port, TimeoutMs } from '@/server/monitor-types/config/confirm';

/** Requires a trusted certificate for `serverName` (default: `host`) that is valid for `warnDays` more. */
export const TlsConfig = z.strictObject({
  host: Host,
  port: Port.default(443),
  serverName: Host.optional(),
  warnDays: z.int().min(0).max(365).default(14),
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type TlsConfig = z.infer<typeof TlsConfig>;
