import { z } from 'zod';
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

/** Undelivered mail, newest first. The cursor is the ID of the last one. */
export async function listUndeliveredMail(
  db: Db,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ mails: UndeliveredMail[]; nextCursor: string | null }> {
  const rows = await db.undeliveredMail.findMany({
    where: cursor === undefined ? {} : { id: { lt: cursor } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const mails = rows.slice(0, limit).map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  return { mails, nextCursor: rows.length > limit ? (mails.at(-1)?.id ?? null) : null };
}
