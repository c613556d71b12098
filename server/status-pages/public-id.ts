import { sha256 } from '@/server/platform/crypto';

/** A stable name (32 hex digits) for a thing on a page that tells neither its own id nor that two pages show the same thing. */
export function publicId(statusPageId: string, id: string): string {
  return sha256(`${statusPageId}:${id}`).slice(0, 32);
}
