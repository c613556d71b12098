/** What a worker knows of its own way out. */
export interface CanaryState {
  /** When the canary last answered, in milliseconds; null where it never did. */
  workedAt: number | null;
  /** Since when the worker's own network is down, as far as it knows; null while it is not. */
  lostSince: number | null;
}

/** The same as ages in milliseconds, which any clock can tell. */
export interface CanaryAges {
  workedMsAgo: number | null;
  lostMsAgo: number | null;
}

/** How many of the monitors checked last are looked at, and for how long one counts, in milliseconds. */
const MOST_RECENT = 20;
const RECENT_FOR_MS = 30_000;
const FEWEST_FAILING = 3;
const SHARE = 0.5;
/** A canary that did not answer for longer than this, before anything failed, proves nothing by its silence. */
const CALIBRATED_FOR_MS = 180_000;

/** The monitors a worker checked last, by their latest check. A monitor that is down already tells nothing new. */
export class Recent {
  private readonly kept = new Map<string, { at: number; isFailing: boolean }>();
  private failing = 0;

  /** Takes a check of a monitor that was not down before it. */
  add(monitorId: string, isFailing: boolean, at: number): void {
    this.drop(monitorId);
    this.kept.set(monitorId, { at, isFailing });
    if (isFailing) this.failing += 1;
    for (const [id, check] of this.kept) {
      if (this.kept.size <= MOST_RECENT && at - check.at <= RECENT_FOR_MS) break;
      this.drop(id);
    }
  }

  /** Whether so many turn failing that the cause may be on this side. `fewest` of them at least. */
  isSuspicious(fewest = FEWEST_FAILING): boolean {
    return this.failing >= fewest && this.failing >= this.kept.size * SHARE;
  }

  private drop(monitorId: string): void {
    if (this.kept.get(monitorId)?.isFailing) this.failing -= 1;
    this.kept.delete(monitorId);
  }
}

/**
 * Whose fault it is that many monitors fail together. *We* only where the canary is silent now and answered not long
 * ago: on a machine that never reached it, no outage is ever suppressed.
 */
export function blame({ workedAt, lostSince }: CanaryState, isAnswering: boolean, now: number): 'they' | 'we' {
  if (isAnswering || workedAt === null) return 'they';
  return lostSince !== null || now - workedAt <= CALIBRATED_FOR_MS ? 'we' : 'they';
}
