import { z } from 'zod';
import { newId } from '@/server/platform/ids';
import { BEHIND_ALERTS, defineJob, enqueueMany } from '@/server/platform/jobs';
import { dueMonth } from './month';
import { queueDue } from './queue-due';
import { sendMonthlyReport } from './send-monthly-report';

/** Queues the monthly reports of members for whom it is the first of the month, 08:00 or later. */
export const queueMonthlyReports = defineJob({
  name: 'queue-monthly-reports',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal, now }) {
    await queueDue('monthly', {
      dueIn: dueMonth,
      signal,
      now,
      queue: (tx, due) => {
        // One at a time for a team, because each reads the team's month.
        const items = due.map(({ teamId, userId, period: month }) => {
          return {
            payload: { id: newId(), teamId, userId, month },
            queue: `summaries:${teamId}`,
            priority: BEHIND_ALERTS,
          };
        });
        return enqueueMany(tx, sendMonthlyReport, items);
      },
    });
  },
});
