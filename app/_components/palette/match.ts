/** What the palette searches: everything, only actions (">") or only tags ("#"). */
export type Mode = 'all' | 'actions' | 'tags';

/** Splits the text of the palette into its mode and the text to search. */
export function readMode(text: string): { mode: Mode; search: string } {
  const trimmed = text.trim();
  if (trimmed.startsWith('>')) return { mode: 'actions', search: trimmed.slice(1).trim() };
  if (trimmed.startsWith('#')) return { mode: 'tags', search: trimmed.slice(1).trim() };
  return { mode: 'all', search: trimmed };
}

/** Whether each word of the search is in the text. */
export function matches(text: string, search: string): boolean {
  const lower = text.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
