interface Most {
  entries: number;
  /** The total size of all entries, in the unit of `set`. */
  size: number;
}

/**
 * A cache with limits for the number of entries and their total size, because users choose how large an entry is, and entries of deleted objects are
 * never requested again. Evicts the least recently used entries first.
 */
export class SizedCache<Value> {
  private readonly entries = new Map<string, { value: Value; size: number }>();
  private size = 0;

  constructor(private readonly most: Most) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: Value, size: number): void {
    this.delete(key);
    this.entries.set(key, { value, size });
    this.size += size;
    for (const [oldest] of this.entries) {
      if (this.entries.size <= this.most.entries && this.size <= this.most.size) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.size -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }
}
