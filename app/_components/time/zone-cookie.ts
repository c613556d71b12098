import { canonicalZone } from '@/server/time/schema';

/** The cookie that holds the browser's time zone. The server reads it to render times as the browser shows them. */
export const zoneCookie = 'zone';

const MOST_CHARACTERS = 64;

/** Returns the time zone that a cookie holds; null if it holds none. */
export function toTimeZone(text: string | undefined): string | null {
  return text && text.length <= MOST_CHARACTERS ? canonicalZone(text) : null;
}
