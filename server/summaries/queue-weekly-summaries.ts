import { z } from 'zod';
import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { BEHIND_ALERTS, defineJob, enqueueMany } from '@/server/platform/jobs';
import { listZones, takeDue } from './queries';
import { sendWeeklySummary } from './send-weekly-summary';
import { type DueWeek, dueWeek } from './week';

/** Rows per transaction. */
const AT_ONCE = 500;

/**
 * Queues the mails of due summaries.
 * @returns the number of mails
 */
async function queueSome(weeks: DueWeek[]): Promise<number> {
  return db.$transaction(async (tx) => {
    const due = await takeDue(tx, weeks, AT_ONCE);
    // One at a time for a team, because each reads the team's week.
    const items = due.map((summary) => {
      return { payload: { id: newId(), ...summary }, queue: `summaries:${summary.teamId}`, priority: BEHIND_ALERTS };
    });
    await enqueueMany(tx, sendWeeklySummary, items);
    return due.length;
  });
}

/**
 * Queues the weekly summaries of members for whom it is Monday, 08:00 or later. Records each summary in the transaction that queues its mail, so that
 * concurrent workers queue it once. Runs every 15 min, because the offsets of time zones differ by multiples of that.
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
