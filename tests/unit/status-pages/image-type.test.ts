import { describe, expect, it } from 'vitest';
import { imageType } from '@/server/status-pages/image-type';

const bytes = (text: string) => Buffer.from(text, 'latin1');

describe('what an image is', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n....'],
    ['image/jpeg', '\xff\xd8\xff\xe0....'],
    ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
  ])('%s by its first bytes', (contentType, text) => {
    expect(imageType(bytes(text))?.contentType).toBe(contentType);
  });

  it.each([
    ['nothing', ''],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['a page', '<!doctype html>'],
    ['a GIF', 'GIF89a'],
    ['a sound in the same container as WebP', 'RIFF\x10\0\0\0WAVEfmt '],
    ['half a PNG', '\x89PNG'],
    ['a PNG that does not begin at once', ' \x89PNG\r\n\x1a\n'],
  ])('is nothing we show where it is %s', (_name, text) => {
    expect(imageType(bytes(text))).toBeNull();
  });
});
