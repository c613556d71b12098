import { z } from 'zod';
import { canonicalZone } from '@/server/time/schema';

/**
 * Matches text without control characters (Unicode's Cc). The OpenAPI document contains this pattern, so it must have the same meaning in JavaScript,
 * Python, Java and Go.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
export const ONE_LINE = /^[^\x00-\x1f\x7f-\x9f]*$/;

export const NO_CONTROLS = 'Control characters and line breaks are not allowed.';

/** Control characters, and separators of lines and paragraphs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
const BREAKS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g;
/** Embeddings, overrides and isolates (UAX #9 §2.1–2.4). Marks such as U+200F are kept, because names in right-to-left languages use them. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** Replaces line breaks and other control characters with spaces, and removes characters that reorder the surrounding text. */
export const toLine = (text: string): string => text.replace(REORDERING, '').replace(BREAKS, ' ');

/** A name or title on one line. */
export const Line = z.string().overwrite(toLine).trim();
/** A `Line` that rejects control characters. */
export const StrictLine = z.string().trim().regex(ONE_LINE, NO_CONTROLS).overwrite(toLine).trim();

/** The version that an edit is based on, by its `updatedAt`. */
export const IfUpdatedAt = z.iso.datetime({ offset: true }).optional().meta({
  description:
    'The `updatedAt` of the version you edited. If the object has changed since, nothing is updated and the response is EDIT_CONFLICT.',
});

const FIRST = Date.parse('1970-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** A time with a time zone (ISO 8601), stored and returned in UTC. Its year must have four digits in UTC too, because others cannot be stored. */
export const Instant = z.iso
  .datetime({ offset: true, error: 'Enter a time such as 2026-11-20T03:00:00Z.' })
  .refine(
    (text) => !(Date.parse(text) < FIRST || Date.parse(text) > LAST),
    'Enter a time between the years 1970 and 9999, in UTC.',
  );

const isTimezone = (name: string) => canonicalZone(name) !== null && !/^[+-]/.test(name);

/** The name of a zone of the IANA time zone database. */
export const Timezone = z.string().max(64).refine(isTimezone, 'Enter a time zone such as Europe/Berlin.');
