import { SizedCache } from '@/server/platform/sized-cache';
import type { ObjectStorage } from '@/server/platform/storage';
import { logoVersion } from '@/server/status-pages/logo-key';
import { MAX_LOGO_BYTES } from '@/server/status-pages/schema';
import type { Representation } from './representation';

const MOST_LOGOS = 200;
/** The total size of the logos in memory. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Returns the entity tag of a logo, which is known without reading the logo, because the key of an upload is never reused. */
export const logoTag = (logoKey: string) => `"${logoVersion(logoKey)}"`;

/**
 * The logos of status pages that were requested last. Reads each one once for all requests: anybody may request a logo, and each read takes half a
 * megabyte from the object storage.
 */
export class Logos {
  private readonly kept = new SizedCache<Promise<Representation | null>>({ entries: MOST_LOGOS, size: MOST_BYTES });

  constructor(private readonly storage: Pick<ObjectStorage, 'get'>) {}

  /** Returns a logo; null if there is no object with its key. */
  get(logoKey: string): Promise<Representation | null> {
    const known = this.kept.get(logoKey);
    if (known) return known;
    const reading = this.read(logoKey);
    // Until its size is known, it counts as the largest one.
    this.kept.set(logoKey, reading, MAX_LOGO_BYTES);
    reading.then(
      (logo) => (logo ? this.kept.set(logoKey, reading, logo.bodies.identity.length) : this.kept.delete(logoKey)),
      () => this.kept.delete(logoKey),
    );
    return reading;
  }

  private async read(logoKey: string): Promise<Representation | null> {
    const logo = await this.storage.get(logoKey);
    if (!logo) return null;
    const { buffer, byteOffset, byteLength } = logo.bytes;
    const identity = Buffer.from(buffer, byteOffset, byteLength);
    return { type: logo.contentType, etag: logoTag(logoKey), bodies: { identity } };
  }
}
