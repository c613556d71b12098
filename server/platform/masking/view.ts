/** A text as bytes, or the decoded form of its encoded parts, with the position in the text for each byte. */
export class View {
  private latin: string | null = null;

  constructor(
    readonly bytes: Uint8Array,
    /** The start and the end, in UTF-16 units of the text, of the source of each byte. */
    readonly from: Int32Array,
    readonly to: Int32Array,
  ) {}

  /** The bytes as a string with one character per byte. */
  get binary(): string {
    const { buffer, byteOffset, length } = this.bytes;
    this.latin ??= Buffer.from(buffer, byteOffset, length).toString('latin1');
    return this.latin;
  }
}

/** Separates bytes that are not adjacent in the text. Never occurs in UTF-8. */
const BREAK = 0xff;

/** Collects the bytes of a view. */
export class ViewBuilder {
  private bytes: Uint8Array;
  private from: Int32Array;
  private to: Int32Array;
  length = 0;

  /** @param size the expected number of bytes; more are possible */
  constructor(size: number) {
    this.bytes = new Uint8Array(size);
    this.from = new Int32Array(size);
    this.to = new Int32Array(size);
  }

  private grow(): void {
    const size = Math.max(64, this.bytes.length * 2);
    const { bytes, from, to } = this;
    this.bytes = new Uint8Array(size);
    this.from = new Int32Array(size);
    this.to = new Int32Array(size);
    this.bytes.set(bytes);
    this.from.set(from);
    this.to.set(to);
  }

  add(byte: number, from: number, to: number): void {
    const { length } = this;
    if (length === this.bytes.length) this.grow();
    this.bytes[length] = byte;
    this.from[length] = from;
    this.to[length] = to;
    this.length = length + 1;
  }

  /** Adds the bytes of another view from `start` up to, but not including, `end`. */
  copy(view: View, start: number, end: number): void {
    if (end <= start) return;
    while (this.length + end - start > this.bytes.length) this.grow();
    const { bytes, from, to } = this;
    let { length } = this;
    // A loop instead of array slices, because most parts are short.
    for (let at = start; at < end; at += 1) {
      bytes[length] = view.bytes[at] ?? 0;
      from[length] = view.from[at] ?? 0;
      to[length] = view.to[at] ?? 0;
      length += 1;
    }
    this.length = length;
  }

  /** Adds a separator before the next text. */
  separate(): void {
    if (this.length > 0 && this.bytes[this.length - 1] !== BREAK) {
      const at = this.to[this.length - 1] ?? 0;
      this.add(BREAK, at, at);
    }
  }

  build(): View {
    const { bytes, from, to, length } = this;
    return new View(bytes.subarray(0, length), from.subarray(0, length), to.subarray(0, length));
  }
}

/** The numbers 0, 1, 2, …: the positions in an ASCII text. */
let counting = new Int32Array(0);

/** Returns a text as a view of its UTF-8 bytes. */
export function toView(text: string): View {
  const bytes = Buffer.from(text.toWellFormed());
  const { length } = bytes;
  if (length === text.length) {
    if (counting.length <= length) counting = Int32Array.from({ length: length + 1 }, (_, at) => at);
    return new View(bytes, counting.subarray(0, length), counting.subarray(1, length + 1));
  }
  const from = new Int32Array(bytes.length);
  const to = new Int32Array(bytes.length);
  let unit = 0;
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0;
    const end = at + (lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4);
    const next = unit + (lead < 0xf0 ? 1 : 2);
    for (; at < end; at += 1) {
      from[at] = unit;
      to[at] = next;
    }
    unit = next;
  }
  return new View(bytes, from, to);
}

/** The minimum length of a readable part next to undecodable bytes, so that it may contain a run of a secret. */
const SHORTEST_STRETCH = 9;

/** Returns the end of the UTF-8 character (RFC 3629) that begins at `at`; `at` itself if none does. */
function endOfCharacter(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return at + 1;
  const end = at + (lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0);
  for (let next = at + 1; next < end; next += 1) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return at;
  return end;
}

/**
 * Returns the parts of a decoded view that are valid UTF-8 and long enough to contain a secret, or null if there are none. The rest is dropped,
 * because it was not encoded text and decoded to noise.
 */
export function textIn(view: View): View | null {
  const { bytes } = view;
  const builder = new ViewBuilder(0);
  let start = 0;
  for (let at = 0; at <= bytes.length; ) {
    const end = at < bytes.length ? endOfCharacter(bytes, at) : at;
    if (end > at) {
      at = end;
      continue;
    }
    if (at - start >= SHORTEST_STRETCH) {
      if (start === 0 && at === bytes.length) return view;
      builder.copy(view, start, at);
      builder.separate();
    }
    at += 1;
    start = at;
  }
  return builder.length === 0 ? null : builder.build();
}
