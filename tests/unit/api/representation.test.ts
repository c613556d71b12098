import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isKnown } from '@/server/api/is-known';
import { formFor, represent } from '@/server/api/status-server/representation';

const text = 'All services work. '.repeat(200);

describe('prepared document', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['*', 'br'],
    ['gzip;q=0, br;q=0.000, *', null],
    ['identity', null],
    [undefined, null],
  ])('answers "%s" with %s', async (accepted, encoding) => {
    const form = formFor(await represent('text/html', text), accepted);
    expect(form.encoding).toBe(encoding);
    const plain = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };
    expect(plain[form.encoding ?? 'identity'](form.body).toString()).toBe(text);
    expect(form.etag.startsWith('W/')).toBe(encoding !== null);
  });

  it('matches its ETag in any encoding', async () => {
    const document = await represent('text/html', text);
    const [plain, zipped] = [formFor(document, undefined).etag, formFor(document, 'gzip').etag];
    expect(isKnown(`"other", ${zipped}`, plain)).toBe(true);
    expect(isKnown(plain, zipped)).toBe(true);
    expect(isKnown('*', plain)).toBe(true);
    expect(isKnown('"other"', plain)).toBe(false);
    expect(isKnown(undefined, plain)).toBe(false);
  });

  it('is sent uncompressed if it is small or an image', async () => {
    expect(formFor(await represent('text/html', 'short'), 'br').encoding).toBeNull();
    expect(formFor(await represent('image/png', text), 'br').encoding).toBeNull();
  });
});
