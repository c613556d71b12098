import { readFileSync, statSync } from 'node:fs';

/** A change is seen within this time. */
const LOOK_EVERY_MS = 1_000;

/**
 * A small file that is read again when it changes. It is read on the main thread, in microseconds: the pool that asynchronous
 * reads run in is what names must not wait for. A file that is not there is empty.
 */
export class WatchedFile<T> {
  private stamp: string | null = null;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private value: T;

  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => T,
  ) {
    this.value = parse('');
  }

  /** What the file says; the same object as long as it says the same. */
  read(): T {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_EVERY_MS) return this.value;
    this.lookedAt = now;
    try {
      const stat = statSync(this.path, { throwIfNoEntry: false });
      const stamp = stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : '';
      if (stamp === this.stamp) return this.value;
      this.value = this.parse(stat ? readFileSync(this.path, 'utf8') : '');
      this.stamp = stamp;
    } catch {
      // One that cannot be read just now says what it said.
    }
    return this.value;
  }
}
