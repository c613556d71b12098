import { z } from 'zod';
import { MOST_AT_ONCE } from './values';

const limit = z.int().min(1).max(100).default(50);

/** At most `limit` items after `cursor`, the end of the previous page. Each list defines the format of its cursor and validates it. */
export const Page = z.strictObject({ limit, cursor: z.string().max(200).optional() });

/** A page of a list ordered by ID: the cursor is the last ID of the previous page, a ULID. */
export const IdPage = z.strictObject({
  limit,
  cursor: z
    .string()
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'Use the nextCursor of the previous page.')
    .optional(),
});
export type IdPage = z.infer<typeof IdPage>;

/** A page of a list of objects that may have external IDs. */
export const ExternalIdPage = IdPage.extend({ externalId: z.string().max(255).optional() });
export type ExternalIdPage = z.infer<typeof ExternalIdPage>;

export { MOST_AT_ONCE } from './values';

/** The objects of a bulk call. */
export const Ids = z
  .array(z.string().max(64))
  .min(1, 'Select at least one.')
  .max(MOST_AT_ONCE, `Select at most ${MOST_AT_ONCE}.`)
  .refine((ids) => new Set(ids).size === ids.length, 'Name each only once.');

/** The result of a bulk action for one object. */
export const BulkResult = z.object({
  id: z.string(),
  /** `unchanged`: the object already was in the requested state. */
  outcome: z.enum(['done', 'unchanged', 'refused']),
  /** The reason for `refused`. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type BulkResult = z.infer<typeof BulkResult>;
