import { z } from 'zod';
import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';

/** An email that was not sent, because no SMTP server is configured. */
export const UndeliveredMail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  createdAt: z.iso.datetime(),
});
export type UndeliveredMail = z.infer<typeof UndeliveredMail>;

/** Returns a page of undelivered mail, newest first. The cursor is the last ID of the previous page. */
export async function listUndeliveredMail(
  db: Db,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ mails: UndeliveredMail[]; nextCursor: string | null }> {
  const rows = await db.undeliveredMail.findMany({
    where: cursor === undefined ? {} : { id: { lt: cursor } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  return { mails: page.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), nextCursor };
}
