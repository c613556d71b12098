import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeBody as decodeFor } from '@/server/platform/net/decode-body';
import { costlyBrotli } from '@/tests/support/costly-brotli';

const MOST = 1024 * 1024;
const text = Buffer.from('There is an error. '.repeat(1_000));
/** More than is decoded at once, also compressed. */
const long = randomBytes(200_000);

const payerOf = (teamId: string, signal = new AbortController().signal) => ({
  teamId,
  by: { signal, waitForUs: <T>(wait: () => Promise<T>) => wait() },
});
const decodeBody = (body: Buffer, encoding: string | undefined, most: number, payer = payerOf('decoding')) =>
  decodeFor(body, encoding, most, payer);

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
    ['gzip', gzipSync(long)],
    [
      'gzip',
      Buffer.concat([gzipSync(long.subarray(0, 90_000)), gzipSync(long.subarray(90_000)), Buffer.alloc(40_000)]),
    ],
    ['deflate', Buffer.concat([deflateSync(long), Buffer.alloc(40_000, 7)])],
    ['deflate', deflateRawSync(long)],
    ['br', Buffer.concat([brotliCompressSync(long), Buffer.alloc(40_000, 7)])],
  ])('returns a long body of %s, and ignores what follows it', async (encoding, body) => {
    const decoded = await decodeBody(body, encoding, long.length);
    expect(decoded).toMatchObject({ truncated: false, unread: null });
    expect(decoded.body.equals(long)).toBe(true);
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

  it('stops decoding a body that takes 2 s, and makes only its team wait', async () => {
    const costly = costlyBrotli(MOST);
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const all = Promise.allSettled(
      Array.from({ length: 20 }, () => decodeBody(costly, 'br', MOST, payerOf('costly', stop.signal))),
    );
    const began = performance.now();
    let slowest = 0;
    for (const end = began + 2_000; performance.now() < end; ) {
      const from = performance.now();
      expect((await decodeBody(gzipSync(text), 'gzip', MOST, payerOf('quiet'))).body.length).toBe(text.length);
      slowest = Math.max(slowest, performance.now() - from);
    }
    const { user } = process.cpuUsage();
    await sleep(2_000);
    const usedMs = (process.cpuUsage().user - user) / 1_000;
    stop.abort(new Error('The test ends'));
    expect((await all).map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
    // One slice at most, on a busy machine; all bodies at once take 40 s of CPU time.
    expect(slowest).toBeLessThan(1_000);
    // A twentieth of a thread, where all bodies at once take both cores.
    expect(usedMs).toBeLessThan(1_000);
  }, 30_000);

  it('says that decoding takes too much time', async () => {
    const { unread } = await decodeBody(costlyBrotli(MOST), 'br', MOST, payerOf('alone'));
    expect(unread).toBe('Decoding the body as br takes more than 500 ms of CPU time');
  }, 60_000);

  it('reads no body where there is none, as after HEAD', async () => {
    expect(await decodeBody(Buffer.alloc(0), 'gzip', MOST)).toMatchObject({ unread: null });
  });
});
