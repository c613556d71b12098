import { z } from 'zod';
import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { defineJob, enqueueMany } from '@/server/platform/jobs';
import { listZones, takeDue } from './queries';
import { sendWeeklySummary } from './send-weekly-summary';
import { type DueWeek, dueWeek } from './week';

/** Rows per transaction. */
const AT_ONCE = 500;

/**
 * Queues the mails of due summaries.
 * @returns how many
 */
async function queueSome(weeks: DueWeek[]): Promise<number> {
  return db.$transaction(async (tx) => {
    const due = await takeDue(tx, weeks, AT_ONCE);
    const items = due.map((summary) => ({ payload: { id: newId(), ...summary } }));
    await enqueueMany(tx, sendWeeklySummary, items);
    return due.length;
  });
}

/**
 * Queues the weekly summaries of members for whom it is Monday, 08:00 or later. Each is recorded in the transaction that queues its mail, so that
 * two workers queue it once. Runs every quarter of an hour, because time zones differ by as much.
 */
export const queueWeeklySummaries = defineJob({
  name: 'queue-weekly-summaries',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal, now }) {
    const at = now ?? (await databaseNow());
    const weeks = (await listZones(db)).flatMap((zone) => dueWeek(zone, at) ?? []);
    if (weeks.length === 0) return;
    for (let count = 1; count > 0 && !signal.aborted; ) count = await queueSome(weeks);
  },
});
