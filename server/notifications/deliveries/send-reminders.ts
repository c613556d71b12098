import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { EventPayload } from '../event';

import { insertDeliveries } from './delivery-queries';
import { queueDeliveries } from './queue-deliveries';
import { findReminded, findReminders } from './reminder-queries';

/** Writes reminders of a team that are due. */
async function remind(teamId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const due = await findReminders(tx, teamId);
    if (due.length === 0) return;
    const events = due.map(({ incidentId, eventKey, payload }) => ({
      teamId,
      incidentId,
      eventKey,
      event: 'incident.reminder' as const,
      data: EventPayload.parse(payload).data,
    }));
    const targets = due.map(({ channelId }, index) => ({ position: index + 1, channelId }));
    await queueDeliveries(tx, await insertDeliveries(tx, events, targets));
  });
}

/**
 * Reminds channels of incidents that nobody acknowledged, as often as their rules say. Which reminder is due follows from the time, and each has a
 * key, so that two runs write it once and what a stopped worker missed is not sent late. A team has one turn in each run, of a limited number: what is
 * left is written by the next run.
 */
export const sendReminders = defineJob({
  name: 'send-reminders',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    for (const teamId of await findReminded(db)) {
      if (signal.aborted) return;
      await remind(teamId).catch((error: unknown) => {
        log.error({ err: error, team: teamId }, 'The reminders of a team could not be written');
      });
    }
  },
});
