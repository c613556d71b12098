import { z } from 'zod';

const limit = z.int().min(1).max(100).default(50);

/** At most `limit` things, after `cursor`: where the page before ended, in the list's own form, which the list checks. */
export const Page = z.strictObject({ limit, cursor: z.string().max(200).optional() });

/** The same of a list that goes by id: the cursor is the last id of the page before, a ULID. */
export const IdPage = z.strictObject({
  limit,
  cursor: z
    .string()
    .regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'Use the nextCursor of the previous page.')
    .optional(),
});
export type IdPage = z.infer<typeof IdPage>;
