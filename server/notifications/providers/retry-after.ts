/**
 * Reads a Retry-After header (RFC 9110 §10.2.3): seconds, which some services give with a fraction, or an HTTP date.
 * Answers seconds from `now`, or null where there is nothing to read.
 */
export function parseRetryAfter(value: string | string[] | undefined, now: Date): number | null {
  const text = (Array.isArray(value) ? value[0] : value)?.trim();
  if (!text) return null;
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
  // A date has letters; "-5" and the like must not be read as a year.
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
