import type { Duplex } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { Collected } from './collected';
import { CostlyTurns, type Payer } from './costly-turns';

const KIB = 1024;
/**
 * Returns the number of bytes that are decoded at once. Limited, because a thread cannot be interrupted: Brotli takes up to 2 µs of CPU time per
 * byte, other codings 0.1 µs.
 */
const sliceOf = (coding: string) => (coding === 'br' ? 16 * KIB : 64 * KIB);
/** A body up to this size is decoded at once, except in Brotli, because it takes at most 2 ms of CPU time, no more than connecting. */
const SMALL_BYTES = 16 * KIB;
/**
 * Returns the CPU time in milliseconds that is not charged: as much as 200 KiB take that were built to be costly, or in Brotli, which Upwatch does
 * not ask for, as much as a usual page takes.
 */
const freeMsOf = (coding: string) => (coding === 'br' ? 6 : 20);
/** The maximum CPU time of decoding a body. A body of 1 MiB that was built to be costly would take 2 s in Brotli. */
const MOST_MS = 500;

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
 * Writes a part to the decoder, or ends it if that is null. Resolves when the part is decoded, or when the decoder reads no more; rejects if decoding
 * fails.
 */
function write(decoder: Duplex, part: Buffer | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error | null) => {
      decoder.off('error', settle).off('end', settle).off('close', settle);
      if (error) reject(error);
      else resolve();
    };
    decoder.once('error', settle).once('end', settle).once('close', settle);
    if (part) decoder.write(part, settle);
    else decoder.end();
  });
}

/**
 * Decodes a response's content coding (RFC 9110 §8.4.1) in libuv's threads. Stops after `most` bytes, so that a small body cannot become a large one.
 * If decoding fails, returns the part before the failure with the reason in `unread`, because it may be useful. Rejects only if the exchange ended,
 * with that reason.
 * @param payer the team that pays for the time, because the server decides how long decoding takes
 */
export async function decodeBody(
  body: Buffer,
  contentEncoding: string | undefined,
  most: number,
  payer: Payer,
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
  const { signal } = payer.by;
  const turns = new CostlyTurns(payer, freeMsOf(coding));
  const collected = new Collected(most);
  let truncated = false;
  const end = () => decoder.destroy();
  signal.addEventListener('abort', end, { once: true });
  decoder
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      truncated ||= collected.size + part.length > most;
      collected.add(part);
      if (truncated) end();
    });
  const result = (unread: string | null): DecodedBody => ({ body: collected.bytes, truncated, unread });
  const slice = sliceOf(coding);
  try {
    if (coding !== 'br' && body.length <= SMALL_BYTES) await write(decoder, body);
    else {
      for (let at = 0; at < body.length && !decoder.readableEnded && !decoder.destroyed; at += slice) {
        await turns.takeElsewhere(() => write(decoder, body.subarray(at, at + slice)));
        if (turns.elsewhereMs > MOST_MS)
          return result(`Decoding the body as ${coding} takes more than ${MOST_MS} ms of CPU time`);
      }
    }
    if (!decoder.readableEnded && !decoder.destroyed) await write(decoder, null);
    signal.throwIfAborted();
    return result(null);
  } catch {
    signal.throwIfAborted();
    return result(`The body could not be decoded as ${coding}`);
  } finally {
    signal.removeEventListener('abort', end);
    end();
  }
}
