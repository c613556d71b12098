import { type Size, toSize } from './size';

/** The frame types that browsers decode: baseline, extended and progressive, Huffman-coded. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
/** Markers without a length: TEM, restarts, SOI and EOI. None of them may occur before a scan. */
const isAlone = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd9);

/** Returns the size in a frame header (B.2.2); null unless its number of components is that of a screen image. */
function sizeOf(frame: Buffer): Size | null {
  const components = frame[5] ?? 0;
  if (frame[0] !== 8 || ![1, 3, 4].includes(components) || frame.length !== 6 + 3 * components) return null;
  return toSize(frame.readUInt16BE(3), frame.readUInt16BE(1));
}

/**
 * Returns the size of a JPEG (ITU-T T.81, annex B): marker segments from the start, with a frame header before the first scan, and an end of image.
 * Null for anything else.
 */
export function readJpeg(bytes: Buffer): Size | null {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return null;
  let size: Size | null = null;
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return null;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (isAlone(marker) || length < 2 || end > bytes.length) return null;
    if (marker === START_OF_SCAN) return bytes.indexOf(END_OF_IMAGE, end) > end ? size : null;
    if (FRAMES.has(marker)) {
      if (size) return null;
      size = sizeOf(bytes.subarray(at + 4, end));
      if (!size) return null;
    }
    at = end;
  }
  return null;
}
