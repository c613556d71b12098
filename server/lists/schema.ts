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
