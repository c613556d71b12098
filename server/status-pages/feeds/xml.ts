const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Characters that XML 1.0 (§2.2) knows no way to write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Text as XML or HTML holds it, in an element or in a quoted attribute. */
export function escapeXml(text: string): string {
  return text.replace(unwritable, '').replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
