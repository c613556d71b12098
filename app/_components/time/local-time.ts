import { DAY_MS } from '@/server/time/schema';

/** The wall-clock time in a zone, as milliseconds since 1970-01-01T00:00 on that clock. */
export function clockAt(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return Date.parse(`${format.format(moment).replace(' ', 'T')}Z`);
}

/**
 * The times at which a zone's wall clock shows `local` ("2026-10-25T02:30"), earliest first. A time that occurs twice gives two; a skipped time gives
 * the time after the gap. Empty if `local` is invalid.
 */
export function momentsOf(local: string, timeZone: string): Date[] {
  const shown = Date.parse(`${local}Z`);
  if (Number.isNaN(shown)) return [];
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((near) => clockAt(near, timeZone) - near);
  const moments = [...new Set(offsets)].map((offset) => shown - offset).sort((a, b) => a - b);
  const exact = moments.filter((moment) => clockAt(moment, timeZone) === shown);
  const found = exact.length > 0 ? exact : moments.slice(-1);
  return found.map((moment) => new Date(moment)).filter((moment) => !Number.isNaN(moment.getTime()));
}

/** The wall-clock time in a zone in the format of `datetime-local`: "2026-10-25T02:30". */
export function localAt(moment: number, timeZone: string): string {
  return new Date(clockAt(moment, timeZone)).toISOString().slice(0, 16);
}

/**
 * The time range between two wall-clock times of a zone in the format of `datetime-local`; null if one is invalid. For a time that occurs twice, uses
 * the first occurrence, unless the end would then precede the start.
 */
export function toStretch(local: { from: string; to: string }, timeZone: string): { from: Date; to: Date } | null {
  const [from] = momentsOf(local.from, timeZone);
  const ends = momentsOf(local.to, timeZone);
  const to = ends.find((end) => from && end > from) ?? ends[0];
  return from && to ? { from, to } : null;
}
