/** The maximum number of objects of one bulk call. */
export const MOST_AT_ONCE = 100;
