import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { EventPayload } from '../event';

import { insertDeliveries } from './delivery-queries';
import { queueDeliveries } from './queue-deliveries';
import { findReminders, REMINDERS_AT_ONCE } from './reminder-queries';

/** Writes reminders that are due. @returns whether there may be more */
async function remind(): Promise<boolean> {
  return db.$transaction(async (tx) => {
    const due = await findReminders(tx);
    const events = due.map(({ teamId, incidentId, eventKey, payload }) => ({
      ...{ teamId, incidentId, eventKey },
      event: 'incident.reminder' as const,
      data: EventPayload.parse(payload).data,
    }));
    const targets = due.map(({ channelId }, index) => ({ position: index + 1, channelId }));
    if (due.length === 0) return false;
    const written = await insertDeliveries(tx, events, targets);
    await queueDeliveries(tx, written);
    // Where none could be written, another worker wrote them, and goes on.
    return due.length === REMINDERS_AT_ONCE && written.length > 0;
  });
}

/**
 * Reminds channels of incidents that nobody acknowledged, as often as their rules say. Which reminder is due follows from the time, and each has a
 * key, so that two runs write it once and what a stopped worker missed is not sent late.
 */
export const sendReminders = defineJob({
  name: 'send-reminders',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    for (let mayBeMore = true; mayBeMore && !signal.aborted; ) mayBeMore = await remind();
  },
});
