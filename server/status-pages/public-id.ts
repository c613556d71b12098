import { sha256 } from '@/server/platform/crypto';

/** Returns a stable ID (32 hex digits) for an object on a page. It reveals neither the object's ID nor whether two pages show the same object. */
export function publicId(statusPageId: string, id: string): string {
  return sha256(`${statusPageId}:${id}`).slice(0, 32);
}
