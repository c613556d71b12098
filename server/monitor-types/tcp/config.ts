import { z } from 'zod';
import { Confirm, Host, Port, TimeoutMs } from '@/server/monitor-types/config/confirm';
import { SaveResponseBody } from '@/server/monitor-types/config/save-response-body';

/** Opens a connection; with `expect`, sends `send` and requires that text in the response. */
export const TcpConfig = z.strictObject({
  host: Host,
  port: Port,
  tls: z.boolean().default(false),
  send: z.string().max(10_000).optional(),
  expect: z.string().min(1).max(10_000).optional(),
  saveResponseBody: SaveResponseBody,
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type TcpConfig = z.infer<typeof TcpConfig>;
