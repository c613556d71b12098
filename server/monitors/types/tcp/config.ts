import { z } from 'zod';
import { Confirm, Host, Port, TimeoutMs } from '@/server/monitors/config/confirm';

/** A connection that must open; with `expect`, what must come back after `send`. */
export const TcpConfig = z.strictObject({
  host: Host,
  port: Port,
  tls: z.boolean().default(false),
  send: z.string().max(10_000).optional(),
  expect: z.string().min(1).max(10_000).optional(),
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type TcpConfig = z.infer<typeof TcpConfig>;
