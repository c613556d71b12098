/** The status of a service (grpc.health.v1, HealthCheckResponse.ServingStatus). */
const SERVING_STATUS = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'];
const FRAME_HEAD_BYTES = 5;
const VARINT = 0;
const FIXED_64 = 1;
const LENGTH_DELIMITED = 2;
const FIXED_32 = 5;

/** Encodes a HealthCheckRequest (field 1: service) as a gRPC message: uncompressed, with a length prefix of four bytes. */
export function encodeHealthRequest(service: string): Buffer {
  const name = Buffer.from(service);
  const message = service === '' ? name : Buffer.concat([Buffer.from([0x0a]), varint(name.length), name]);
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return Buffer.from([...bytes, rest]);
}

function readVarint(bytes: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start; at < bytes.length && at < start + 10; at += 1) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 128 ** (at - start);
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new RangeError('A number does not end.');
}

/**
 * Returns field 1 of a protobuf message, a number; 0, its default, if it is absent. Skips other fields.
 * @throws RangeError for a malformed message
 */
function firstField(message: Buffer): number {
  let found = 0;
  for (let at = 0; at < message.length; ) {
    const { value: tag, end } = readVarint(message, at);
    const type = tag & 7;
    if (type === VARINT) {
      const { value, end: after } = readVarint(message, end);
      if (tag >> 3 === 1) found = value;
      at = after;
    } else if (type === LENGTH_DELIMITED) {
      const { value: length, end: after } = readVarint(message, end);
      at = after + length;
    } else if (type === FIXED_64 || type === FIXED_32) at = end + (type === FIXED_64 ? 8 : 4);
    else throw new RangeError('A field has a type that is not known.');
  }
  return found;
}

/** Returns the status in the HealthCheckResponse of a gRPC body; null if it is invalid. */
export function decodeHealthResponse(body: Buffer): string | null {
  if (body.length < FRAME_HEAD_BYTES || body[0] !== 0) return null;
  const length = body.readUInt32BE(1);
  if (body.length < FRAME_HEAD_BYTES + length) return null;
  try {
    return SERVING_STATUS[firstField(body.subarray(FRAME_HEAD_BYTES, FRAME_HEAD_BYTES + length))] ?? null;
  } catch {
    return null;
  }
}
