import { type BucketCounts, TimeBuckets } from './time-buckets';

/** The upper bounds of the time to message in milliseconds; an outage is confirmed by rechecks some seconds apart. */
export const MESSAGE_BOUNDS_MS = [
  1_000, 2_000, 5_000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000, 90_000, 120_000, 300_000, 600_000, 1_800_000,
  3_600_000,
];

/** The deliveries that a process completed since its start. */
export interface DeliveryCounts {
  /** Accepted by the receiver. */
  delivered: number;
  /** Given up after the last attempt. */
  failed: number;
  /** From the first failing check to the accepted message, in the buckets of `MESSAGE_BOUNDS_MS`. */
  timeToMessage: BucketCounts;
}

const timeToMessage = new TimeBuckets(MESSAGE_BOUNDS_MS);
const counts: DeliveryCounts = { delivered: 0, failed: 0, timeToMessage };

/** Counts a delivery that is complete. Call it after its transaction. */
export function countDelivery(status: 'delivered' | 'failed'): void {
  counts[status] += 1;
}

/**
 * Records the time to message of a delivery.
 * @param ms from the first failing check to the accepted message
 */
export function observeTimeToMessage(ms: number): void {
  timeToMessage.observe(ms);
}

/** Returns the counts since the start of this process. */
export function deliveryCounts(): DeliveryCounts {
  return counts;
}
