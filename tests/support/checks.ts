import { makeCheckDays } from '@/server/history/make-check-days';
import { db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';

type Row = Prisma.CheckCreateManyInput & { at: Date };

/** Stores raw results of any day. A new database has partitions only from today on. */
export async function addChecks(rows: Row[]): Promise<void> {
  await makeCheckDays(rows.map(({ at }) => at));
  await db.check.createMany({ data: rows });
}
