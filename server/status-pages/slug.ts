/** What a slug is made of: lower case letters, digits and hyphens, as in one label of a host name (RFC 1123 §2.1). */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Whether a page may have this in its address; anything else need not be looked for. */
export function isSlug(text: string): boolean {
  return text.length <= 63 && slugPattern.test(text);
}
