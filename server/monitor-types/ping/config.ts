import { z } from 'zod';
import { Confirm, Host, TimeoutMs } from '@/server/monitor-types/config/confirm';

/** The time between two packets. */
export const PACKET_INTERVAL_MS = 200;

/** Sends `packetCount` echo requests, of which at most `maxLossPercent` may be lost. */
export const PingConfig = z
  .strictObject({
    host: Host,
    packetCount: z.int().min(1).max(20).default(3),
    maxLossPercent: z.int().min(0).max(99).default(0),
    timeoutMs: TimeoutMs,
    confirm: Confirm,
  })
  .superRefine(({ packetCount, timeoutMs }, ctx) => {
    // The last packet needs time to return, too.
    const least = packetCount * PACKET_INTERVAL_MS;
    if (timeoutMs >= least) return;
    ctx.addIssue({ code: 'custom', path: ['timeoutMs'], message: `At least ${least} ms for ${packetCount} packets.` });
  });
export type PingConfig = z.infer<typeof PingConfig>;
