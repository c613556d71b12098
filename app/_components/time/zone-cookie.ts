/** The cookie that holds the browser's time zone. The server reads it to render times as the browser shows them. */
export const zoneCookie = 'zone';

const MOST_CHARACTERS = 64;

/** Parses a stored IANA time zone; null if it is none. */
export function toTimeZone(text: string | undefined): string | null {
  if (!text || text.length > MOST_CHARACTERS) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
