/** Collects the first `most` bytes of many small chunks in one buffer. */
export class Collected {
  private kept = Buffer.alloc(4096);
  size = 0;

  constructor(private readonly most: number) {}

  add(part: Buffer): void {
    const size = Math.min(this.size + part.length, this.most);
    if (size > this.kept.length) {
      const larger = Buffer.alloc(Math.min(Math.max(size, this.kept.length * 2), this.most));
      this.kept.copy(larger, 0, 0, this.size);
      this.kept = larger;
    }
    part.copy(this.kept, this.size, 0, size - this.size);
    this.size = size;
  }

  get bytes(): Buffer {
    return this.kept.subarray(0, this.size);
  }
}
