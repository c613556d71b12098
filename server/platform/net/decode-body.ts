import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { Collected } from './collected';

/** A decoded body. `unread` is the reason why its end is unknown; null if it is complete. */
export interface DecodedBody {
  body: Buffer;
  truncated: boolean;
  unread: string | null;
}

function decoderOf(coding: string, body: Buffer) {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'br') return createBrotliDecompress({ params: { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 0 } });
  if (coding !== 'deflate') return null;
  // Some servers send "deflate" without the header of RFC 1950.
  return ((body[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

/**
 * Decodes a response's content coding (RFC 9110 §8.4.1) in zlib's threads, up to `most` bytes; it ends there, so that a small body cannot become a large
 * one. Never rejects: the part before a failure may be useful.
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string | undefined,
  most: number,
): Promise<DecodedBody> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim());
  const [coding = '', ...others] = codings.filter((each) => each !== '' && each !== 'identity');
  if (coding === '' || body.length === 0) return { body, truncated: false, unread: null };
  const decoder = others.length === 0 ? decoderOf(coding, body) : null;
  if (!decoder) {
    const unread = `The body has the content encoding ${JSON.stringify(contentEncoding?.slice(0, 80))}, which is not supported`;
    return { body: Buffer.alloc(0), truncated: false, unread };
  }
  const collected = new Collected(most);
  decoder.end(body);
  try {
    for await (const part of decoder as AsyncIterable<Buffer>) {
      const isTooLong = collected.size + part.length > most;
      collected.add(part);
      if (isTooLong) return { body: collected.bytes, truncated: true, unread: null };
    }
    return { body: collected.bytes, truncated: false, unread: null };
  } catch {
    return { body: collected.bytes, truncated: false, unread: `The body could not be decoded as ${coding}` };
  } finally {
    decoder.destroy();
  }
}
