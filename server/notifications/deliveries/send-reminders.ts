import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { EventPayload } from '../event';

import { insertDeliveries } from './delivery-queries';
import { queueDeliveries } from './queue-deliveries';
import { findReminders, REMINDERS_AT_ONCE } from './reminder-queries';

/** Writes the reminders that are due. @returns how many */
async function remind(): Promise<number> {
  return db.$transaction(async (tx) => {
    const due = await findReminders(tx);
    const events = due.map(({ teamId, incidentId, number, payload }) => ({
      ...{ teamId, incidentId },
      event: 'incident.reminder' as const,
      eventKey: `incident.reminder:${incidentId}:${number}`,
      data: EventPayload.parse(payload).data,
    }));
    const targets = due.map(({ channelId }, index) => ({ position: index + 1, channelId }));
    if (due.length > 0) await queueDeliveries(tx, await insertDeliveries(tx, events, targets));
    return due.length;
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
    for (let count = REMINDERS_AT_ONCE; count === REMINDERS_AT_ONCE && !signal.aborted; ) count = await remind();
  },
});
