import { z } from 'zod';
import { Confirm, Host, Port, TimeoutMs } from '@/server/monitors/config/confirm';

/** Opens a connection; with `expect`, sends `send` and requires that text in the response. */
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
