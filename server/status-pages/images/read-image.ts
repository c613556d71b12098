import { readJpeg } from './jpeg';
import { readPng } from './png';
import type { Size } from './size';
import { readWebp } from './webp';

/** An image that may be shown. */
export interface Image extends Size {
  extension: 'png' | 'jpg' | 'webp';
  contentType: string;
}

const FORMATS = [
  { extension: 'png', contentType: 'image/png', read: readPng },
  { extension: 'jpg', contentType: 'image/jpeg', read: readJpeg },
  { extension: 'webp', contentType: 'image/webp', read: readWebp },
] as const;

/**
 * What an image is, by its structure and not by its first bytes alone: PNG, JPEG or WebP with a size; null for anything else,
 * SVG among it, which may carry scripts.
 */
export function readImage(bytes: Buffer): Image | null {
  for (const { extension, contentType, read } of FORMATS) {
    const size = read(bytes);
    if (size) return { extension, contentType, ...size };
  }
  return null;
}
