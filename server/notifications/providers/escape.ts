/** The markup characters of HTML, in a text and in an attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** The markup characters of Markdown (CommonMark §2.4). A zero-width space after "@" keeps chats from reading a mention. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\*_~`|>#[\]<!]/g, '\\$&').replaceAll('@', '@\u200b');
}
