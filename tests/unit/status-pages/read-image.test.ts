import { describe, expect, it } from 'vitest';
import { readImage } from '@/server/status-pages/images/read-image';
import { makePng } from '@/tests/support/png';
import { IMAGES, imageOf } from './images';

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** A copy of an image with some of its bytes changed. */
function changed(name: keyof typeof IMAGES, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(imageOf(name));
  for (const [index, value] of values.entries()) copy[at + index] = value;
  return copy;
}

describe('readImage', () => {
  it.each([
    ['palette', 'image/png', 'png'],
    ['jpeg', 'image/jpeg', 'jpg'],
    ['progressive', 'image/jpeg', 'jpg'],
    ['lossy', 'image/webp', 'webp'],
    ['lossless', 'image/webp', 'webp'],
    ['canvas', 'image/webp', 'webp'],
  ] as const)('identifies %s as %s', (name, contentType, extension) => {
    expect(readImage(imageOf(name))).toEqual({ contentType, extension, width: 3, height: 2 });
  });

  it('reads the size from the header', () => {
    expect(readImage(makePng(640, 480))).toMatchObject({ contentType: 'image/png', width: 640, height: 480 });
  });

  it.each(Object.keys(IMAGES) as (keyof typeof IMAGES)[])('rejects %s without its end', (name) => {
    const whole = imageOf(name);
    for (let length = 0; length < whole.length - 1; length += 1) {
      expect([length, readImage(whole.subarray(0, length))]).toEqual([length, null]);
    }
  });

  it.each(Object.keys(IMAGES) as (keyof typeof IMAGES)[])(
    'accepts trailing data that no decoder reads in %s',
    (name) => {
      expect(readImage(Buffer.concat([imageOf(name), bytes('\0\0\0')]))).toMatchObject({ width: 3, height: 2 });
    },
  );
});

describe('rejected images', () => {
  it.each([
    ['nothing', ''],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'],
    ['an HTML page', '<!doctype html>'],
    ['a GIF', 'GIF89a\x01\0\x01\0\0\0\0;'],
    ['the first bytes of a PNG', '\x89PNG\r\n\x1a\n<script>alert(1)</script>'],
    ['the first bytes of a JPEG', '\xff\xd8\xff\xe0<script>alert(1)</script>'],
    ['the first bytes of a WebP', 'RIFF\x10\0\0\0WEBPVP8 <script>alert(1)</script>'],
    ['an audio file in the WebP container', 'RIFF\x10\0\0\0WAVEfmt \x04\0\0\0abcd'],
    ['a JPEG with only a comment', '\xff\xd8\xff\xfe\0\x06abcd\xff\xd9'],
  ])('%s', (_name, text) => {
    expect(readImage(bytes(text))).toBeNull();
  });

  const header = (at: number, value: number) =>
    makePng(3, 2, (it) => {
      it[at] = value;
    });
  it.each([
    ['a PNG without width', makePng(0, 2)],
    ['a PNG without height', makePng(3, 0)],
    ['a PNG with an unknown colour type', header(9, 1)],
    ['a PNG with a bit depth that its colour type does not allow', header(8, 3)],
    ['a PNG with an unknown compression', header(10, 1)],
    ['a PNG with a wrong checksum', changed('palette', 20, 7)],
    ['a PNG with data before its header', Buffer.concat([bytes(' '), makePng(3, 2)])],
    ['a JPEG without height', changed('jpeg', imageOf('jpeg').indexOf(bytes('\xff\xc0')) + 5, 0, 0)],
    ['an arithmetic-coded JPEG', changed('jpeg', imageOf('jpeg').indexOf(bytes('\xff\xc0')) + 1, 0xc9)],
    ['a WebP without a key frame', changed('lossy', 20, 0x71)],
    ['a lossless WebP with another version', changed('lossless', 24, 0xe0)],
    ['an empty canvas', changed('canvas', imageOf('canvas').indexOf('VP8 '), 0x58)],
  ])('%s', (_name, image) => {
    expect(readImage(image)).toBeNull();
  });
});
