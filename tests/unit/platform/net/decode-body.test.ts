import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody } from '@/server/platform/net/decode-body';

const MOST = 1024 * 1024;
const text = Buffer.from('There is an error. '.repeat(1_000));

describe('decodeBody', () => {
  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
    [undefined, text],
  ])('returns the whole body of %s', async (encoding, body) => {
    expect(await decodeBody(body, encoding, MOST)).toEqual({ body: text, truncated: false, unread: null });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(20 * MOST))],
    ['br', brotliCompressSync(Buffer.alloc(20 * MOST))],
  ])('ends a compression bomb in %s at the limit', async (encoding, body) => {
    const decoded = await decodeBody(body, encoding, MOST);
    expect([decoded.body.length, decoded.truncated]).toEqual([MOST, true]);
  });

  it.each([
    ['zstd', text],
    ['gzip, br', text],
    ['gzip', text],
    ['gzip', gzipSync(text).subarray(0, -20)],
    ['br', brotliCompressSync(text).subarray(0, -10)],
  ])('says why it did not read a body in %s to its end', async (encoding, body) => {
    expect((await decodeBody(body, encoding, MOST)).unread).toMatch(/not supported|could not be decoded/);
  });

  it('reads no body where there is none, as after HEAD', async () => {
    expect(await decodeBody(Buffer.alloc(0), 'gzip', MOST)).toMatchObject({ unread: null });
  });
});
