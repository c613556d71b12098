/** The initials of a user: from the first and last word of the name, else from the email address. */
export function initials(name: string | null, email: string): string {
  const words = (name?.trim() || email.split('@')[0] || '').split(/[\s._-]+/).filter(Boolean);
  const letters =
    words.length > 1
      ? [words.at(0), words.at(-1)].map((word) => [...(word ?? '')][0])
      : [...(words[0] ?? '')].slice(0, 2);
  return letters.join('').toUpperCase();
}
