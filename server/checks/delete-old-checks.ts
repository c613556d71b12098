import { z } from 'zod';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { defineJob } from '@/server/platform/jobs';

/** Monitors per statement, so that no statement deletes for long. */
const MONITORS_AT_ONCE = 20;

/** Deletes raw results older than RAW_RETENTION_DAYS, monitor by monitor, along the table's own order. */
export const deleteOldChecks = defineJob({
  name: 'delete-old-checks',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    for (let last: number | null = 0; last !== null && !signal.aborted; ) {
      const rows: { last: number | null }[] = await db.$queryRaw<{ last: number | null }[]>`
        with some as materialized (
          select num from monitors where num > ${last}::int order by num limit ${MONITORS_AT_ONCE}::int
        ), deleted as (
          delete from checks c using some
          where c.monitor_num = some.num and c.at < now() - ${env.rawRetentionDays}::int * interval '1 day'
        )
        select max(num) as last from some`;
      last = rows[0]?.last ?? null;
    }
  },
});
