import { z } from 'zod';

/** The definition of the job without its work, because the work enqueues notifications that may queue the job again (avoids an import cycle). */
export const settleJob = { name: 'settle-dependencies', schema: z.object({}), maxAttempts: 3 };

/** How long an incident waits for the confirmation of a dependency that fails at about the same time. */
export const HOLD_MS = 30_000;
/** How long after the resolution of an incident its dependent incidents are settled first. */
export const SETTLE_AFTER_MS = 20_000;
/** The maximum length of a chain of dependencies. */
export const MOST_LEVELS = 5;
