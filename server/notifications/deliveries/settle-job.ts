import { z } from 'zod';
import type { Tx } from '@/server/platform/db';
import { enqueueMany } from '@/server/platform/jobs';

/** The job that continues escalations when the messages of a step are final. Defined apart from its work, which belongs to incidents. */
export const settleJob = {
  name: 'settle-escalation',
  schema: z.object({ incidentId: z.string(), eventKey: z.string() }),
  maxAttempts: 25,
};

/**
 * Queues a check of the escalation steps that these deliveries belong to, in the transaction that makes the deliveries final. Skips deliveries of
 * other events. A step has at most one waiting job.
 */
export async function queueSettled(tx: Tx, deliveryIds: string[]): Promise<void> {
  if (deliveryIds.length === 0) return;
  const steps = await tx.delivery.findMany({
    where: { id: { in: deliveryIds }, event: 'incident.escalated', incidentId: { not: null } },
    select: { incidentId: true, eventKey: true },
    distinct: ['eventKey'],
  });
  const items = steps.flatMap(({ incidentId, eventKey }) =>
    incidentId === null ? [] : { payload: { incidentId, eventKey }, jobKey: `settle-${eventKey}` },
  );
  await enqueueMany(tx, settleJob, items);
}
