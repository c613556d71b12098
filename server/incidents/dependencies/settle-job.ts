import { z } from 'zod';

/** How the decision on incidents that were not told is queued, apart from its work, whose messages may queue it again. */
export const settleJob = { name: 'settle-dependencies', schema: z.object({}), maxAttempts: 3 };

/** A monitor that was confirmed down a moment before what it depends on waits so long for that. */
export const HOLD_MS = 30_000;
/** When incidents below one that ended are first decided on. */
export const LOOK_AFTER_MS = 20_000;
/** How many monitors may depend on one another in a row. */
export const MOST_LEVELS = 5;
