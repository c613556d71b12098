/** When messages were sent to a channel, and how its team groups alerts. */
export interface Pace {
  /** The times of the messages accepted in the last minutes, oldest first. */
  recent: readonly Date[];
  /** Alerts within this time are grouped into one message. */
  windowMs: number;
  maxPerMinute: number;
}

const MINUTE_MS = 60_000;
/** The second message of a burst is sent after this fraction of the window, because most monitors that fail together are confirmed down by then. */
const SECOND_AFTER = 3;
/** The maximum number of messages that a provider's limits may split one batch into. */
const MOST_PARTS = 4;

const inLastMinute = (recent: readonly Date[], now: Date) =>
  recent.filter((at) => now.getTime() - at.getTime() < MINUTE_MS);

/**
 * Returns when the next message to a channel may be sent: the first of a burst at once (leading edge), the second a third of the grouping window
 * after it, and each further one a whole window after the previous one. A pause longer than a window ends a burst. The cap of messages per minute is
 * never exceeded.
 */
export function nextSendAt({ recent, windowMs, maxPerMinute }: Pace, now: Date): Date {
  const last = recent.at(-1)?.getTime();
  if (last === undefined) return now;
  const previous = recent.findLast((at) => at.getTime() < last)?.getTime();
  const isSecond = previous === undefined || last - previous > windowMs;
  const spaced = last + (isSecond ? windowMs / SECOND_AFTER : windowMs);
  const counted = inLastMinute(recent, now);
  const oldest = counted.length < maxPerMinute ? undefined : counted.at(-maxPerMinute);
  const capped = oldest === undefined ? 0 : oldest.getTime() + MINUTE_MS;
  return new Date(Math.max(now.getTime(), spaced, capped));
}

/** Returns the number of messages that one batch may be split into now: at least one, and no more than the cap allows. */
export function partsAllowed({ recent, maxPerMinute }: Pace, now: Date): number {
  return Math.max(1, Math.min(MOST_PARTS, maxPerMinute - inLastMinute(recent, now).length));
}
