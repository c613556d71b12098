import type { ResolvedAddress } from './types';

/** The result of a lookup: addresses or an error. */
export type Outcome = { addresses: ResolvedAddress[] } | { error: unknown };

interface Entry {
  outcome: Outcome;
  storedAt: number;
  until: number;
}

const MOST_ENTRIES = 10_000;

/** A cache of the results of lookups; evicts the oldest first. */
export class Cache {
  private readonly entries = new Map<string, Entry>();

  /**
   * Returns the cached result, or null if there is none or it has expired.
   * @param since ignores results that were stored before, by `performance.now()`
   */
  get(key: string, since = Number.NEGATIVE_INFINITY): Outcome | null {
    const entry = this.entries.get(key);
    if (!entry || entry.until <= performance.now() || entry.storedAt <= since) return null;
    return entry.outcome;
  }

  set(key: string, outcome: Outcome, holdsForMs: number): void {
    this.entries.delete(key);
    if (holdsForMs <= 0) return;
    const storedAt = performance.now();
    this.entries.set(key, { outcome, storedAt, until: storedAt + holdsForMs });
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= MOST_ENTRIES) break;
      this.entries.delete(oldest);
    }
  }
}
