/** A text as bytes, or what its encoded parts decode to, with the position in the text that each byte comes from. */
export interface View {
  bytes: Uint8Array;
  /** The start and the end, in UTF-16 units of the text, of what each byte comes from. */
  from: Int32Array;
  to: Int32Array;
}

/** Stands between bytes that are not next to each other in the text. It occurs in no UTF-8. */
const BREAK = 0xff;

/** Collects the bytes of a view. */
export class ViewBuilder {
  private readonly bytes: Uint8Array;
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  length = 0;

  /** @param most the maximum number of bytes */
  constructor(most: number) {
    this.bytes = new Uint8Array(most);
    this.from = new Int32Array(most);
    this.to = new Int32Array(most);
  }

  add(byte: number, from: number, to: number): void {
    this.bytes[this.length] = byte;
    this.from[this.length] = from;
    this.to[this.length] = to;
    this.length += 1;
  }

  /** Separates what was added from what follows. */
  separate(): void {
    if (this.length > 0 && this.bytes[this.length - 1] !== BREAK) {
      const at = this.to[this.length - 1] ?? 0;
      this.add(BREAK, at, at);
    }
  }

  build(): View {
    const { bytes, from, to, length } = this;
    return { bytes: bytes.subarray(0, length), from: from.subarray(0, length), to: to.subarray(0, length) };
  }
}

/** A text in UTF-8. */
export function toView(text: string): View {
  const builder = new ViewBuilder(text.length * 3);
  const encoder = new TextEncoder();
  const buffer = new Uint8Array(4);
  for (let index = 0; index < text.length; ) {
    const code = text.codePointAt(index) ?? 0;
    const next = index + (code > 0xffff ? 2 : 1);
    if (code < 0x80) builder.add(code, index, next);
    else {
      const { written } = encoder.encodeInto(String.fromCodePoint(code), buffer);
      for (let byte = 0; byte < written; byte += 1) builder.add(buffer[byte] ?? 0, index, next);
    }
    index = next;
  }
  return builder.build();
}

/** The bytes of a view as a string with a character for each. */
export const binaryOf = ({ bytes }: View): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
