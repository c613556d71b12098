import { DAY_MS, HOUR_MS } from '@/server/time/schema';

export const HOURS_A_DAY = 24;

/** Returns the number of whole hours since 1970 (UTC). */
export const hourOf = (at: Date) => Math.floor(at.getTime() / HOUR_MS);

/** Returns the start of an hour. */
export const hourStart = (hour: number) => new Date(hour * HOUR_MS);

/** Returns the start of a day. */
export const dayStart = (day: number) => new Date(day * DAY_MS);
