import { z } from 'zod';

const limit = z.int().min(1).max(100).default(50);

/** At most `limit` items after `cursor`, the end of the previous page, whose format the list defines and checks. */
export const Page = z.strictObject({ limit, cursor: z.string().max(200).optional() });

/** The same for a list ordered by ID: the cursor is the last ID of the previous page, a ULID. */
export const IdPage = z.strictObject({
  limit,
  cursor: z
    .string()
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'Use the nextCursor of the previous page.')
    .optional(),
});
export type IdPage = z.infer<typeof IdPage>;

/** The most objects that one call acts on. */
export const MOST_AT_ONCE = 100;

/** The objects that one call acts on. */
export const Ids = z
  .array(z.string().max(64))
  .min(1, 'Select at least one.')
  .max(MOST_AT_ONCE, `Select at most ${MOST_AT_ONCE}.`)
  .refine((ids) => new Set(ids).size === ids.length, 'Name each only once.');

/** What an action on several objects did to one of them. */
export const BulkResult = z.object({
  id: z.string(),
  /** `unchanged`: it already was as the action makes it. */
  outcome: z.enum(['done', 'unchanged', 'refused']),
  /** Why it was refused. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type BulkResult = z.infer<typeof BulkResult>;
