import { z } from 'zod';
import type { Tx } from '@/server/platform/db';
import { enqueueMany } from '@/server/platform/jobs';

/** How an escalation learns what became of the messages of a step, apart from its work, which belongs to incidents. */
export const settleJob = {
  name: 'settle-escalation',
  schema: z.object({ incidentId: z.string(), eventKey: z.string() }),
  maxAttempts: 25,
};

/**
 * Queues a look at the steps that these deliveries belong to, in the transaction that makes them final: neither exists without the other. Deliveries
 * of other events are skipped. A step has one waiting job.
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
