import { z } from 'zod';

/**
 * Confirmation of a change: failing checks in a row until down, passing ones in a row until up, and the time from the start of
 * one to the next, in milliseconds. The defaults were chosen by replay (`npm run bench -- verdicts`).
 */
const Rechecks = z.strictObject({
  failures: z.int().min(1).max(10).default(3),
  recoveries: z.int().min(1).max(10).default(4),
  retryDelayMs: z.int().min(100).max(60_000).default(10_000),
});
export const Confirm = Rechecks.prefault({});
export type Confirm = z.infer<typeof Confirm>;

/** The number of slow checks in a row that make a monitor degraded, and of clearly fast ones that end it. */
export const DEGRADED_CHECKS = 7;

/** The confirmation of any change, plus the latency streak. */
export const SpeedConfirm = Rechecks.extend({
  degraded: z.int().min(1).max(10).default(DEGRADED_CHECKS),
}).prefault({});

/** The timeout of one check, in milliseconds. */
export const TimeoutMs = z.int().min(100).max(60_000).default(10_000);

/** A host name (RFC 1123, underscores tolerated) or an IP address, without brackets. */
export const Host = z
  .string()
  .trim()
  .min(1, 'Enter a host name or IP address.')
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/, 'Enter a valid host name or IP address.');

export const Port = z.int().min(1).max(65_535);
