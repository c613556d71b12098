import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { EventPayload } from '../messages/event';
import { insertDeliveries } from './create-queries';
import { queueChannels } from './queue-queries';
import { findReminded, findReminders } from './reminder-queries';

/** Inserts the due reminders of one team and queues their channels, in one transaction. */
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
    const created = await insertDeliveries(tx, events, targets);
    await queueChannels(tx, [...new Set(created.map(({ channelId }) => channelId))], 'now');
  });
}

/**
 * Creates the due reminders of open incidents that nobody acknowledged, at the interval of each channel's rules. Each reminder has a unique key, so
 * that two runs create it once. Reminders missed while the worker was stopped are not sent late. Each run handles every team once, with a limited
 * number of reminders; the next run creates the rest.
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
