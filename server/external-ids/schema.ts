import { z } from 'zod';
import { NO_CONTROLS, ONE_LINE } from '@/server/text/schema';

/** A caller's own ID for an object: unique in the team among objects of its kind. */
export const ExternalId = z.string().min(1).max(255, 'Use at most 255 characters.').regex(ONE_LINE, NO_CONTROLS);
