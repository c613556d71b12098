const HEADER_BYTES = 12;
const QUESTION_BYTES = 4;
/** The size of type, class and time to live, which precede a record's length (RFC 1035 §4.1.3). */
const BEFORE_LENGTH_BYTES = 8;

/** Returns the offset after a name: after its labels, or the pointer that ends them (RFC 1035 §4.1.4). */
function skipName(message: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    at += length + 1;
  }
}

/** The marker of a pointer: this and the next byte contain an offset of 14 bits (RFC 1035 §4.1.4). */
const POINTER = 0xc0;
/** The maximum length of a chain of pointers; real names have one. The decoder would follow all of them for each of thousands of records. */
const LONGEST_CHAIN = 16;

/**
 * Verifies that no pointer leads to a long chain of pointers, anywhere in the message, in one pass, because pointers refer back.
 * @throws RangeError
 */
function assertShortChains(message: Buffer): void {
  const lengths = new Uint8Array(message.length);
  for (let at = HEADER_BYTES; at + 1 < message.length; at += 1) {
    if (message.readUInt8(at) < POINTER) continue;
    const target = message.readUInt16BE(at) - (POINTER << 8);
    if (target >= at) continue;
    const length = 1 + (lengths[target] ?? 0);
    if (length > LONGEST_CHAIN) throw new RangeError('A name has a long chain of pointers.');
    lengths[at] = length;
  }
}

/** The maximum number of records: decoding 4,000 of them, each with the longest name, takes 300 ms. */
const MOST_RECORDS = 1_000;
/** The maximum number of names and texts in the decoded records: 3,000 names, of a thousand SOA records, take 120 ms. */
const MOST_PARTS = 1_000;
const AUTHORITIES = 8;
const A = 1;
const CNAME = 5;
const SOA = 6;
const TXT = 16;
const AAAA = 28;
/** A type without a format (RFC 3597, private use). */
const OPAQUE = 65_534;

/** Returns the number of names and texts that the decoder makes of a record with this type and data (RFC 1035 §3.3). */
function partsOf(type: number, data: Buffer): number {
  if (type === A || type === AAAA) return 1;
  if (type === SOA) return 3;
  if (type !== TXT) return 2;
  let parts = 1;
  for (let at = 0; at < data.length; at += 1 + data.readUInt8(at)) parts += 1;
  return parts;
}

/**
 * Verifies that a DNS message can be decoded in linear time, and that every record lies within it, because the decoder reads some records beyond the
 * message's end. Then changes the message, so that the decoder skips what nobody reads: the sections after the answers, and records of other types
 * than `type` and CNAME, because it expands the bitmaps of some (NSEC) to a hundred times their size.
 * @throws RangeError if a record or its length exceeds the message, a name has a long chain of pointers, or there are several questions (RFC 9619),
 * more than 1,000 records, or more than 1,000 names and texts in the records that are decoded
 */
export function prepareMessage(message: Buffer, type: number): void {
  assertShortChains(message);
  const [questions = 0, answers = 0, ...others] = [4, 6, 8, 10].map((offset) => message.readUInt16BE(offset));
  if (questions > 1) throw new RangeError('The message has several questions.');
  let at = HEADER_BYTES;
  if (questions === 1) at = skipName(message, at) + QUESTION_BYTES;
  const records = others.reduce((sum, count) => sum + count, answers);
  if (records > MOST_RECORDS) throw new RangeError('The message has too many records.');
  let parts = 0;
  for (let record = 0; record < records; record += 1) {
    const typeAt = skipName(message, at);
    const dataAt = typeAt + BEFORE_LENGTH_BYTES + 2;
    at = dataAt + message.readUInt16BE(dataAt - 2);
    if (at > message.length) throw new RangeError('A record goes beyond the end of its message.');
    const own = message.readUInt16BE(typeAt);
    if (own === type || own === CNAME) parts += partsOf(own, message.subarray(dataAt, at));
    else message.writeUInt16BE(OPAQUE, typeAt);
    if (parts > MOST_PARTS) throw new RangeError('The records have too many names and texts.');
  }
  message.writeUInt32BE(0, AUTHORITIES);
}
