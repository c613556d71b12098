import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** The minimum size of a body that is compressed. */
const SMALLEST_COMPRESSED = 1_000;
/** The Brotli quality, which compresses nearly as well as the best one in a tenth of the time. */
const BROTLI_QUALITY = 6;

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

type Encoding = 'br' | 'gzip' | 'identity';

/** A document, compressed once for all requests. */
export interface Representation {
  type: string;
  etag: string;
  bodies: Partial<Record<Encoding, Buffer>> & { identity: Buffer };
}

/**
 * Prepares a document for sending: computes its entity tag, and compresses it unless it is small or has a compressed format, as images and fonts do.
 */
export async function represent(type: string, content: string | Uint8Array): Promise<Representation> {
  const identity = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content);
  const etag = `"${createHash('sha256').update(identity).digest('hex').slice(0, 32)}"`;
  if (identity.length < SMALLEST_COMPRESSED || /^(?:image\/(?!svg)|font\/)/.test(type)) {
    return { type, etag, bodies: { identity } };
  }
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, zipped] = await Promise.all([toBrotli(identity, { params }), toGzip(identity)]);
  return { type, etag, bodies: { br, gzip: zipped, identity } };
}

/** Whether a client accepts an encoding, by its Accept-Encoding (RFC 9110 §12.5.3). */
function takes(accepted: string, encoding: string): boolean {
  const weights = new Map(
    accepted.split(',').map((each) => {
      const [name = '', ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
      return [name, !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part))];
    }),
  );
  return weights.get(encoding) ?? weights.get('*') ?? false;
}

/** Returns the variant of a document for a client: body, entity tag, and encoding if any. */
export function formFor(
  { etag, bodies }: Representation,
  accepted: string | undefined,
): { body: Buffer; etag: string; encoding: 'br' | 'gzip' | null } {
  for (const encoding of ['br', 'gzip'] as const) {
    const body = bodies[encoding];
    // Encodings of a document are only semantically equivalent, so the tag is weak (RFC 9110 §8.8.1).
    if (body && accepted !== undefined && takes(accepted, encoding)) return { body, etag: `W/${etag}`, encoding };
  }
  return { body: bodies.identity, etag, encoding: null };
}
