import { readJpeg } from './jpeg';
import { readPng } from './png';
import type { Size } from './size';
import { readWebp } from './webp';

/** A supported image. */
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
 * Identifies an image by its structure, not only by its first bytes: PNG, JPEG or WebP with a size; null for anything else, including SVG, which may
 * contain scripts.
 */
export function readImage(bytes: Buffer): Image | null {
  for (const { extension, contentType, read } of FORMATS) {
    const size = read(bytes);
    if (size) return { extension, contentType, ...size };
  }
  return null;
}
