import { z } from 'zod';
import { newId } from '@/server/platform/ids';
import { BEHIND_ALERTS, defineJob, enqueueMany } from '@/server/platform/jobs';
import { queueDue } from './queue-due';
import { sendWeeklySummary } from './send-weekly-summary';
import { dueWeek } from './week';

/**
 * Queues the weekly summaries of members for whom it is Monday, 08:00 or later. Runs every 15 min, because the offsets of time zones differ by
 * multiples of that.
 */
export const queueWeeklySummaries = defineJob({
  name: 'queue-weekly-summaries',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal, now }) {
    await queueDue('weekly', {
      dueIn: dueWeek,
      signal,
      now,
      queue: (tx, due) => {
        // One at a time for a team, because each reads the team's week.
        const items = due.map(({ teamId, userId, period: week, timezone }) => {
          const payload = { id: newId(), teamId, userId, week, timezone };
          return { payload, queue: `summaries:${teamId}`, priority: BEHIND_ALERTS };
        });
        return enqueueMany(tx, sendWeeklySummary, items);
      },
    });
  },
});
