import { decodeHuffman } from './huffman';

/** The static table of names and values (RFC 7541, appendix A), from index 1. */
const STATIC_TABLE: [name: string, value: string][] = `
:authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|:status 204|:status 206
:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges
accept|access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding
content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|from|host
if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|max-forwards
proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|strict-transport-security
transfer-encoding|user-agent|vary|via|www-authenticate
`
  .trim()
  .split(/[|\n]/)
  .map((entry) => {
    const space = entry.indexOf(' ');
    return space < 0 ? [entry, ''] : [entry.slice(0, space), entry.slice(space + 1)];
  });

/** The overhead of a table entry (RFC 7541 §4.1). */
const ENTRY_BYTES = 32;
/** The default size of a peer's table (RFC 9113 §6.5.2). */
const TABLE_BYTES = 4096;
/** The maximum size of all fields of one block, measured like table entries. */
const MOST_LIST_BYTES = 64 * 1024;

type Field = [name: string, value: string];
const sizeOf = ([name, value]: Field) => name.length + value.length + ENTRY_BYTES;

/** Decodes the header blocks of one connection (HPACK, RFC 7541), which share a dynamic table. */
export class HeaderDecoder {
  /** Newest first. */
  private readonly table: Field[] = [];
  private tableBytes = 0;
  private mostBytes = TABLE_BYTES;

  /**
   * Decodes a whole header block. Returns its fields in order.
   * @throws RangeError if the block is malformed or its fields take more than 64 KiB
   */
  decode(block: Buffer): Field[] {
    const reader = new Reader(block);
    const fields: Field[] = [];
    let listBytes = 0;
    while (reader.hasMore) {
      const field = this.next(reader);
      if (!field) continue;
      listBytes += sizeOf(field);
      if (listBytes > MOST_LIST_BYTES) throw new RangeError('The header fields are too large.');
      fields.push(field);
    }
    return fields;
  }

  /** Reads the next field; null for a table size update. */
  private next(reader: Reader): Field | null {
    const first = reader.peek();
    if (first >= 0x80) return this.entry(reader.number(7));
    if (first >= 0x40) {
      const field = this.literal(reader, 6);
      this.add(field);
      return field;
    }
    if (first >= 0x20) {
      const bytes = reader.number(5);
      if (bytes > TABLE_BYTES) throw new RangeError('The header table is too large.');
      this.mostBytes = bytes;
      this.evict();
      return null;
    }
    return this.literal(reader, 4);
  }

  private literal(reader: Reader, bits: number): Field {
    const index = reader.number(bits);
    const name = index === 0 ? reader.string() : this.entry(index)[0];
    return [name, reader.string()];
  }

  private entry(index: number): Field {
    const field = STATIC_TABLE[index - 1] ?? this.table[index - 1 - STATIC_TABLE.length];
    if (!field) throw new RangeError('A header field refers to nothing.');
    return field;
  }

  private add(field: Field): void {
    this.table.unshift(field);
    this.tableBytes += sizeOf(field);
    this.evict();
  }

  private evict(): void {
    while (this.tableBytes > this.mostBytes) {
      const oldest = this.table.pop();
      this.tableBytes -= oldest ? sizeOf(oldest) : this.tableBytes;
    }
  }
}

class Reader {
  private at = 0;

  constructor(private readonly block: Buffer) {}

  get hasMore(): boolean {
    return this.at < this.block.length;
  }

  peek(): number {
    return this.block.readUInt8(this.at);
  }

  /** Reads an integer whose first `bits` bits are in the current byte (RFC 7541 §5.1). */
  number(bits: number): number {
    const most = 2 ** bits - 1;
    let value = this.byte() & most;
    if (value < most) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('A number in a header block is too large.');
  }

  string(): string {
    const isHuffman = this.peek() >= 0x80;
    const length = this.number(7);
    const bytes = this.block.subarray(this.at, this.at + length);
    if (bytes.length < length) throw new RangeError('A string goes beyond its header block.');
    this.at += length;
    return (isHuffman ? decodeHuffman(bytes) : bytes).toString('latin1');
  }

  private byte(): number {
    const byte = this.peek();
    this.at += 1;
    return byte;
  }
}

function encodeString(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([encodeLength(bytes.length), bytes]);
}

/** Encodes the length prefix of a string without Huffman coding. */
function encodeLength(length: number): Buffer {
  if (length < 0x7f) return Buffer.from([length]);
  const bytes = [0x7f];
  let rest = length - 0x7f;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}

/** Encodes a header block of literal fields without indexing (RFC 7541 §6.2.2). */
export function encodeHeaders(headers: Record<string, string>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.from([0]), encodeString(name), encodeString(value)]),
  );
}
