/** The form of a slug: lowercase letters, digits and hyphens, as in a label of a host name (RFC 1123 §2.1). */
export const slugPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Returns whether the text can be a slug; other texts need no lookup. */
export function isSlug(text: string): boolean {
  return text.length <= 63 && slugPattern.test(text);
}
