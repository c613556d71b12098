/** Whether an entity tag matches If-None-Match (RFC 9110 §13.1.2, weak comparison). */
export function isKnown(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch?.split(',').some((tag) => bare(tag) === bare(etag) || tag.trim() === '*') ?? false;
}
