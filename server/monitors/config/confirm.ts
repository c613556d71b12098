import { z } from 'zod';

/** How a change is confirmed: failures in a row until down, successes in a row until up, and the wait between rechecks. */
export const Confirm = z
  .strictObject({
    failures: z.int().min(1).max(10).default(2),
    recoveries: z.int().min(1).max(10).default(1),
    retryDelayMs: z.int().min(100).max(60_000).default(2000),
  })
  .prefault({});
export type Confirm = z.infer<typeof Confirm>;

/** How long one check may take, in milliseconds. */
export const TimeoutMs = z.int().min(100).max(60_000).default(10_000);

/** A host name (RFC 1123, underscores tolerated) or an IP address, without brackets. */
export const Host = z
  .string()
  .trim()
  .min(1, 'Give a host name or an address.')
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/, 'This is not a host name or an address.');

export const Port = z.int().min(1).max(65_535);
