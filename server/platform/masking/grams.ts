/** The length of the runs that the table holds: two 32-bit numbers. */
export const GRAM = 8;

/** A set of runs of 1 to 8 bytes, each with a number: open addressing, so that a look-up takes constant time and allocates nothing. */
export class Grams {
  private high = new Uint32Array(1024);
  private low = new Uint32Array(1024);
  /** The number of each entry, from 1; 0 is free. */
  private ids = new Uint32Array(1024);
  size = 0;

  /** The place of a run, or the free one where it belongs. */
  private placeOf(high: number, low: number): number {
    const mask = this.ids.length - 1;
    let place = (Math.imul(high, 0x9e3779b1) ^ Math.imul(low ^ (high >>> 15), 0x85ebca6b)) >>> 0;
    place = (place ^ (place >>> 13)) & mask;
    while (this.ids[place] !== 0 && (this.high[place] !== high || this.low[place] !== low)) place = (place + 1) & mask;
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
    for (const [place, id] of ids.entries()) if (id !== 0) this.put(high[place] ?? 0, low[place] ?? 0, id);
  }

  /** The number of a run; it is added if it is new. */
  add(high: number, low: number): number {
    const known = this.ids[this.placeOf(high, low)] ?? 0;
    if (known !== 0) return known;
    if (this.size * 2 >= this.ids.length) this.grow();
    this.size += 1;
    this.put(high, low, this.size);
    return this.size;
  }

  /** The number of a run; 0 if it is not in the set. */
  find(high: number, low: number): number {
    return this.ids[this.placeOf(high, low)] ?? 0;
  }
}

/** Four bytes as a number. */
export const quad = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0;

/** The second number of a run of 4 to 7 bytes, whose first four are `quad`: the others and the length. */
export function restOf(bytes: Uint8Array, at: number, length: number): number {
  let rest = length;
  for (let index = 4; index < length; index += 1) rest = (rest << 8) | (bytes[at + index] ?? 0);
  return rest >>> 0;
}
