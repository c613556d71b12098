export interface Counted {
  value: number;
  /** Whole seconds until the counter resets; at least 1. */
  ttlSeconds: number;
}

/** Small values that may be lost: counters, throttles, short-lived responses. Durable data belongs in a table. */
export interface KeyValue {
  /** Returns the value, or null if it is missing or expired. */
  get(key: string): Promise<string | null>;
  /** Sets a value; without `ttlSeconds` it stays until it is deleted. */
  set(key: string, value: string, options?: { ttlSeconds?: number }): Promise<void>;
  del(key: string): Promise<void>;
  /** Adds `by`, one by default, to a counter, atomically. The first call for a key sets its expiry; later calls do not extend it. */
  incr(key: string, options: { ttlSeconds: number; by?: number }): Promise<Counted>;
  /** Deletes every key that begins with `prefix`, which may not be empty. */
  deletePrefix(prefix: string): Promise<void>;
  /** Removes expired entries, if the store does not do so itself; returns their number. */
  sweepExpired(): Promise<number>;
}

/**
 * Rejects the empty prefix, which would delete every key.
 * @throws RangeError
 */
export function assertPrefix(prefix: string): void {
  if (prefix === '') throw new RangeError('An empty prefix would delete every key.');
}
