import { z } from 'zod';
import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { defineJob } from '@/server/platform/jobs';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { type CheckDay, listCheckDays } from './check-days';
import { makeCheckDays } from './make-check-days';

const DAYS_AHEAD = 7;

/** Drops the partition of a day without blocking checks: `detach concurrently` takes a lock that does not conflict with inserts. */
async function dropDay({ table, state }: CheckDay): Promise<void> {
  // Raw: detaches and drops partitions.
  const name = Prisma.raw(`"${table}"`);
  if (state === 'attached') await db.$executeRaw`alter table checks detach partition ${name} concurrently`;
  if (state === 'leaving') await db.$executeRaw`alter table checks detach partition ${name} finalize`;
  await db.$executeRaw`drop table ${name}`;
}

/**
 * Creates upcoming partitions and drops those that are rolled up and ended more than RAW_RETENTION_DAYS ago. Runs in its own queue, so never
 * concurrently; the next run completes an interrupted one.
 */
export const keepCheckDays = defineJob({
  name: 'keep-check-days',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal, now: given }) {
    const now = (given ?? (await databaseNow())).getTime();
    await makeCheckDays(Array.from({ length: DAYS_AHEAD + 1 }, (_, day) => new Date(now + day * DAY_MS)));
    const mark = await db.rollUpMark.findUnique({ where: { id: 1 } });
    const last = Math.min(now - env.rawRetentionDays * DAY_MS, (mark?.hour ?? 0) * HOUR_MS);
    for (const day of await listCheckDays()) {
      if (signal.aborted) return;
      if (day.to.getTime() <= last) await dropDay(day);
    }
  },
});
