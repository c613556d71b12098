// A Brotli stream written bit by bit (RFC 7932), so that it can be what no encoder writes.

class Bits {
  readonly bytes: number[] = [];
  private current = 0;
  private count = 0;

  /** Appends the lowest `count` bits of a value, the lowest first. */
  put(value: number, count: number): void {
    for (let bit = 0; bit < count; bit += 1) {
      this.current |= ((value >>> bit) & 1) << this.count;
      this.count += 1;
      if (this.count === 8) this.end();
    }
  }

  end(): void {
    this.bytes.push(this.current);
    this.current = 0;
    this.count = 0;
  }
}

/** A prefix code of one symbol, which takes no bits in the data (§3.4). */
function putSymbol(bits: Bits, symbol: number, width: number): void {
  bits.put(1, 2);
  bits.put(0, 2);
  bits.put(symbol, width);
}

/** A meta-block of one byte with 256 types of literals: its map of 16,384 contexts takes no bits, and is moved to front (§7.3). */
function putMetaBlock(bits: Bits): void {
  const [notLast, compressed] = [0, 0];
  bits.put(notLast, 1);
  bits.put(0, 2 + 16);
  bits.put(compressed, 1);
  // 256 block types, their codes, and a first block of 16,625 literals.
  bits.put(1 | (7 << 1) | (127 << 4), 11);
  putSymbol(bits, 0, 9);
  putSymbol(bits, 25, 5);
  bits.put(0, 24);
  // One type of commands and one of distances, their parameters, and the context modes.
  bits.put(0, 2 + 6 + 512);
  // Two trees of literals, the map of contexts without runs, and the move to front.
  bits.put(1, 4);
  bits.put(0, 1);
  putSymbol(bits, 1, 1);
  bits.put(1, 1);
  // One tree of distances. The trees: literals, commands that insert one byte, distances.
  bits.put(0, 1);
  putSymbol(bits, 97, 8);
  putSymbol(bits, 97, 8);
  putSymbol(bits, 8, 10);
  putSymbol(bits, 0, 6);
}

/** A body of about `size` bytes that takes 2 µs of CPU time per byte to decode: 2 s for 1 MiB. */
export function costlyBrotli(size: number): Buffer {
  const bits = new Bits();
  // A window of 64 KiB.
  bits.put(0, 1);
  while (bits.bytes.length < size) putMetaBlock(bits);
  // An empty last meta-block.
  bits.put(3, 2);
  bits.end();
  return Buffer.from(bits.bytes);
}
