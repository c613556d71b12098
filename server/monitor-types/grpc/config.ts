import { z } from 'zod';
import { Confirm, Host, Port, TimeoutMs } from '@/server/monitor-types/config/confirm';

/** Requires SERVING by the gRPC health checking protocol from `service`; "" is the server as a whole. */
export const GrpcConfig = z.strictObject({
  host: Host,
  port: Port,
  service: z.string().max(255).default(''),
  tls: z.boolean().default(false),
  timeoutMs: TimeoutMs,
  confirm: Confirm,
});
export type GrpcConfig = z.infer<typeof GrpcConfig>;
