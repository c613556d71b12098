import { TargetFailure } from '@/server/monitor-types/probing/attempt';
import type { Reader } from '@/server/monitor-types/probing/reader';
import { excerpt } from '../excerpt';

/** The maximum size of a packet (RFC 4253 §6.1). */
const MOST_BYTES = 35_000;
const LEAST_PADDING = 4;
const DISCONNECT = 1;
const KEXINIT = 20;
const COOKIE_BYTES = 16;

/** The algorithms that a server offers, in its order. */
export interface Algorithms {
  keyExchanges: string;
  hostKeys: string;
}

const malformed = () => new TargetFailure('The server sent a packet that SSH does not allow');

/** Reads the payload of a packet before encryption (§6). */
async function readPayload(reader: Reader): Promise<Buffer> {
  const size = (await reader.bytes(4)).readUInt32BE();
  if (size < 1 + LEAST_PADDING || size > MOST_BYTES) throw malformed();
  const packet = await reader.bytes(size);
  const end = size - (packet[0] ?? 0);
  if (end <= 1) throw malformed();
  return packet.subarray(1, end);
}

/** Returns the text with a length before it at `at`. */
function textAt(payload: Buffer, at: number): string {
  if (at + 4 > payload.length) throw malformed();
  const end = at + 4 + payload.readUInt32BE(at);
  if (end > payload.length) throw malformed();
  return payload.toString('latin1', at + 4, end);
}

/**
 * Reads the first packet, which must begin a key exchange (SSH_MSG_KEXINIT, §7.1).
 * @throws TargetFailure for any other, with the server's reason if it is one of SSH_MSG_DISCONNECT
 */
export async function readAlgorithms(reader: Reader): Promise<Algorithms> {
  const payload = await readPayload(reader);
  if (payload[0] === DISCONNECT) {
    throw new TargetFailure(`The server ended the connection: ${excerpt(textAt(payload, 5)) || 'no reason given'}`);
  }
  if (payload[0] !== KEXINIT) throw malformed();
  const at = 1 + COOKIE_BYTES;
  const keyExchanges = textAt(payload, at);
  const hostKeys = textAt(payload, at + 4 + keyExchanges.length);
  if (keyExchanges === '' || hostKeys === '') throw malformed();
  return { keyExchanges, hostKeys };
}
