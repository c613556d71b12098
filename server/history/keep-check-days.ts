import { z } from 'zod';
import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { defineJob } from '@/server/platform/jobs';
import { type CheckDay, listCheckDays } from './check-days';
import { makeCheckDays } from './make-check-days';
import { DAY_MS, HOUR_MS } from './time';

const DAYS_AHEAD = 7;

/** Drops a day whole. No check waits behind it: detaching `concurrently` takes a lock that inserts do not mind. */
async function dropDay({ table, state }: CheckDay): Promise<void> {
  // Raw: detaches and drops partitions.
  const name = Prisma.raw(`"${table}"`);
  if (state === 'attached') await db.$executeRaw`alter table checks detach partition ${name} concurrently`;
  if (state === 'leaving') await db.$executeRaw`alter table checks detach partition ${name} finalize`;
  await db.$executeRaw`drop table ${name}`;
}

/**
 * Makes the days to come and drops those that ended more than RAW_RETENTION_DAYS ago and are rolled up. It is queued in a queue of its own,
 * so that it never runs twice at once; what it was killed in the middle of, the next run ends.
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
