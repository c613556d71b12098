import { readFileSync, statSync } from 'node:fs';

/** The maximum delay until a change is seen. */
const CHECK_EVERY_MS = 1_000;

/**
 * A small file that is parsed again when it changes. A missing file is parsed as empty text. Reads synchronously, in microseconds, because
 * asynchronous reads use Node's thread pool, which name resolution must not wait for.
 */
export class WatchedFile<T> {
  private stamp: string | null = null;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private value: T;

  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => T,
  ) {
    this.value = parse('');
  }

  /** Returns the parsed content; the same object until it changes. */
  read(): T {
    const now = performance.now();
    if (now - this.checkedAt < CHECK_EVERY_MS) return this.value;
    this.checkedAt = now;
    try {
      const stat = statSync(this.path, { throwIfNoEntry: false });
      const stamp = stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : '';
      if (stamp === this.stamp) return this.value;
      this.value = this.parse(stat ? readFileSync(this.path, 'utf8') : '');
      this.stamp = stamp;
    } catch {
      // A file that cannot be read at present keeps its last content.
    }
    return this.value;
  }
}
