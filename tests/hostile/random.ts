/** Numbers generated from a seed (mulberry32), so that a failing answer can be reproduced. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, but excluding, `most`. */
  below(most: number): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  chance(one: number, of: number): boolean {
    return this.below(of) < one;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  /** Changes some bytes of a copy. */
  damage(bytes: Buffer): Buffer {
    const damaged = Buffer.from(bytes);
    for (let count = this.between(1, 4); count > 0 && damaged.length > 0; count -= 1) {
      damaged[this.below(damaged.length)] = this.below(256);
    }
    return this.chance(1, 4) ? damaged.subarray(0, this.below(damaged.length)) : damaged;
  }
}
