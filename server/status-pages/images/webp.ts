import { type Size, toSize } from './size';

const FOURTEEN_BITS = 0x3fff;

/** Returns the size of a key frame (RFC 6386 §9.1); null for anything else. */
function sizeOfLossy(data: Buffer): Size | null {
  const isKeyFrame = data.length >= 10 && ((data[0] ?? 1) & 1) === 0 && data.readUIntBE(3, 3) === 0x9d012a;
  return isKeyFrame ? toSize(data.readUInt16LE(6) & FOURTEEN_BITS, data.readUInt16LE(8) & FOURTEEN_BITS) : null;
}

/** Returns the size of a lossless image (RFC 9649 §3.4); null for anything else, or a version other than 0. */
function sizeOfLossless(data: Buffer): Size | null {
  if (data.length < 6 || data[0] !== 0x2f) return null;
  const header = data.readUInt32LE(1);
  if (header >>> 29 !== 0) return null;
  return toSize((header & FOURTEEN_BITS) + 1, ((header >>> 14) & FOURTEEN_BITS) + 1);
}

/** Returns the size of the canvas (RFC 9649 §2.7). */
function sizeOfCanvas(data: Buffer): Size | null {
  return data.length < 10 ? null : toSize(data.readUIntLE(4, 3) + 1, data.readUIntLE(7, 3) + 1);
}

/**
 * Returns the size of a WebP (RFC 9649): a complete RIFF container with a lossy or lossless image, or a canvas with images or frames. Null for
 * anything else.
 */
export function readWebp(bytes: Buffer): Size | null {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF') return null;
  const last = 8 + bytes.readUInt32LE(4);
  if (bytes.toString('latin1', 8, 12) !== 'WEBP' || last > bytes.length) return null;
  let canvas: Size | null = null;
  for (let at = 12; at + 8 <= last; ) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > last) return null;
    const data = bytes.subarray(at + 8, end);
    const type = bytes.toString('latin1', at, at + 4);
    const isFirst = at === 12;
    if (type === 'VP8 ' || type === 'VP8L') {
      const image = type === 'VP8L' ? sizeOfLossless(data) : sizeOfLossy(data);
      return isFirst ? image : image && canvas;
    }
    if (type === 'ANMF') return canvas;
    if (isFirst) canvas = type === 'VP8X' ? sizeOfCanvas(data) : null;
    if (!canvas) return null;
    at = end + (length % 2);
  }
  return null;
}
