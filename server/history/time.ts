export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const HOURS_A_DAY = 24;

/** The whole hours since 1970 (UTC) at a moment. */
export const hourOf = (at: Date) => Math.floor(at.getTime() / HOUR_MS);

/** When an hour begins. */
export const hourStart = (hour: number) => new Date(hour * HOUR_MS);

/** When a day begins. */
export const dayStart = (day: number) => new Date(day * DAY_MS);
