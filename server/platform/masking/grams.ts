/** The length in bytes of the runs in the set: two 32-bit numbers. */
export const GRAM = 8;

/** Random per process, so that users cannot choose secrets and texts with colliding hashes. */
const [SEED_HIGH = 0, SEED_LOW = 0] = crypto.getRandomValues(new Uint32Array(2));

/** Returns a hash of two numbers, with the finalizer of MurmurHash3. */
function hash(high: number, low: number): number {
  let mixed = high ^ SEED_HIGH;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) ^ low ^ SEED_LOW;
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A set of 8-byte runs with a number for each. Uses open addressing, so that a lookup takes constant time and allocates nothing. */
export class Grams {
  private high = new Uint32Array(64);
  private low = new Uint32Array(64);
  /** The number of each entry, from 1; 0 is free. */
  private ids = new Uint32Array(64);
  size = 0;

  /** Returns the slot of a run, or the free slot for it. */
  private placeOf(high: number, low: number): number {
    const { ids, high: highs, low: lows } = this;
    const mask = ids.length - 1;
    let place = hash(high, low) & mask;
    while (ids[place] !== 0 && (highs[place] !== high || lows[place] !== low)) place = (place + 1) & mask;
    return place;
  }

  private put(high: number, low: number, id: number): void {
    const place = this.placeOf(high, low);
    this.high[place] = high;
    this.low[place] = low;
    this.ids[place] = id;
  }

  private grow(): void {
    const { high, low, ids } = this;
    this.high = new Uint32Array(ids.length * 2);
    this.low = new Uint32Array(ids.length * 2);
    this.ids = new Uint32Array(ids.length * 2);
    for (let place = 0; place < ids.length; place += 1) {
      const id = ids[place] ?? 0;
      if (id !== 0) this.put(high[place] ?? 0, low[place] ?? 0, id);
    }
  }

  /** Returns the number of a run, from 1, and adds the run if it is new. `high` and `low` are its first and last four bytes, as unsigned numbers. */
  add(high: number, low: number): number {
    const known = this.ids[this.placeOf(high, low)] ?? 0;
    if (known !== 0) return known;
    // Grows above a quarter, so that the slot of most runs that are not in the set is free.
    if (this.size * 4 >= this.ids.length) this.grow();
    this.size += 1;
    this.put(high, low, this.size);
    return this.size;
  }

  /** Returns the number of a run, or 0 if it is not in the set. Takes the same arguments as `add`. */
  find(high: number, low: number): number {
    return this.ids[this.placeOf(high, low)] ?? 0;
  }
}

/** Returns four bytes as an unsigned number. */
export const quad = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;
