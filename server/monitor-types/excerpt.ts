/** Returns the start of a target's text. A cut text ends with "…", which also tells the masking of secrets that a secret may be cut there. */
export function excerpt(text: string, most = 80): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
