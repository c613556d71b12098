import { z } from 'zod';
import { Confirm, Host, Port, TimeoutMs } from '@/server/monitors/config/confirm';

/** A certificate that must be trusted, be for `serverName` (without one, `host`), and be good for `warnDays` yet. */
export const TlsConfig = z.strictObject({
  host: Host,
  port: Port.default(443),
  serverName: Host.optional(),
  warnDays: z.int().min(0).max(365).default(14),
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type TlsConfig = z.infer<typeof TlsConfig>;
