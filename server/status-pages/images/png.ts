import { crc32 } from 'node:zlib';
import { type Size, toSize } from './size';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** The bit depths that each colour type may have. */
const DEPTHS: Record<number, number[]> = { 0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16] };

/** Returns the size in a header chunk; null if its other fields are invalid (§11.2.1). */
function sizeOf(header: Buffer): Size | null {
  if (header.length !== 13) return null;
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = header.subarray(8);
  const isKnown = DEPTHS[colour]?.includes(depth) && compression === 0 && filter === 0 && interlace <= 1;
  return isKnown ? toSize(header.readUInt32BE(0), header.readUInt32BE(4)) : null;
}

/**
 * Returns the size of a PNG (W3C Portable Network Graphics, third edition): a signature, then chunks with valid checksums: a header, image data, and
 * an end. Null for anything else. Ignores data after the end, as decoders do.
 */
export function readPng(bytes: Buffer): Size | null {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return null;
  let size: Size | null = null;
  let hasData = false;
  for (let at = SIGNATURE.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if ((type === 'IHDR') !== (size === null)) return null;
    if (type === 'IHDR') size = sizeOf(bytes.subarray(at + 8, end));
    if (!size) return null;
    if (type === 'IEND') return hasData ? size : null;
    hasData ||= type === 'IDAT' && length > 0;
    at = end + 4;
  }
  return null;
}
