interface ImageType {
  extension: 'png' | 'jpg' | 'webp';
  contentType: string;
}

function has(bytes: Uint8Array, at: number, expected: readonly number[]): boolean {
  return expected.every((byte, index) => bytes[at + index] === byte);
}

const ascii = (text: string) => [...Buffer.from(text, 'latin1')];

/**
 * What an image's first bytes say it is: PNG (RFC 2083 §3.1), JPEG (ISO 10918-1 B.1.1.3) or WebP (RFC 9649 §2.4); null
 * for anything else, SVG among it, which may carry scripts.
 */
export function imageType(bytes: Uint8Array): ImageType | null {
  if (has(bytes, 0, [0x89, ...ascii('PNG\r\n\x1a\n')])) return { extension: 'png', contentType: 'image/png' };
  if (has(bytes, 0, [0xff, 0xd8, 0xff])) return { extension: 'jpg', contentType: 'image/jpeg' };
  if (has(bytes, 0, ascii('RIFF')) && has(bytes, 8, ascii('WEBP'))) {
    return { extension: 'webp', contentType: 'image/webp' };
  }
  return null;
}
