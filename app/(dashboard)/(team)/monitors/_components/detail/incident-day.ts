import { DAY_MS } from '@/server/time/schema';

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The start of the day in the URL (UTC), and that of the next day; null without a valid day. */
export function readDay(text: string | null): { from: string; to: string } | null {
  const start = text && DAY.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  if (Number.isNaN(start)) return null;
  return { from: new Date(start).toISOString(), to: new Date(start + DAY_MS).toISOString() };
}

/** Opens the incidents of a day (UTC, "2026-11-17") of the monitor at `pathname`. The back button returns to the current view. */
export function openDay(pathname: string, day: string): void {
  window.history.pushState(null, '', `${pathname}?tab=incidents&day=${day}`);
  window.scrollTo(0, 0);
}
