import { z } from 'zod';

/**
 * Text without control characters (Unicode's Cc), as a pattern that JavaScript, Python, Java and Go read alike, because the OpenAPI document contains
 * it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
export const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f]*$/;

export const NO_CONTROLS = 'Control characters and line breaks are not allowed.';

/** Controls, and separators of lines and paragraphs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const BREAKS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g;
/** Embeddings, overrides and isolates (UAX #9 §2.1–2.4). Marks such as U+200F stay, because names in right-to-left languages use them. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

const toLine = (text: string) => text.replace(REORDERING, '').replace(BREAKS, ' ');

/** The text of a name or title on one line: breaks become spaces, and characters that reorder the text around them are removed. */
export const Line = z.string().overwrite(toLine).trim();
/** The same, but control characters are refused. */
export const StrictLine = z.string().trim().regex(ONE_LINE, NO_CONTROLS).overwrite(toLine).trim();

/** The version that an edit is based on, by its `updatedAt`. */
export const IfUpdatedAt = z.iso.datetime({ offset: true }).optional().meta({
  description:
    'The `updatedAt` of the version you edited. If the object has changed since, nothing is updated and the response is EDIT_CONFLICT.',
});

const FIRST = Date.parse('1970-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A time with its zone (ISO 8601). Stored and returned in UTC, where its year must have four digits too: other years can be neither stored nor
 * formatted.
 */
export const Instant = z.iso
  .datetime({ offset: true, error: 'Enter a time such as 2026-11-20T03:00:00Z.' })
  .refine(
    (text) => !(Date.parse(text) < FIRST || Date.parse(text) > LAST),
    'Enter a time between the years 1970 and 9999, in UTC.',
  );

function isTimezone(timezone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
    return !/^[+-]/.test(timezone);
  } catch {
    return false;
  }
}

/** A zone of the IANA time zone database. */
export const Timezone = z.string().max(64).refine(isTimezone, 'Enter a time zone such as Europe/Berlin.');
