/** The start of a text of a target. The mark at the end of a cut one also tells the masking of secrets that one may be cut there. */
export function excerpt(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
