import { channelDefinitionOf } from '@/server/notifications/schema';
import type { Call } from '@/server/on-call/escalation/settle';
import type { Tx } from '@/server/platform/db';
import { stepKey, type TakenStep } from './step-key';

/** A message of an escalation step, with the fields that the incident's timeline shows. */
export interface ShownCall extends Call {
  channelName: string;
  /** The label of the channel's kind. */
  label: string;
  /** The error and the time of a permanent failure, or null. */
  failure: { error: string; at: Date } | null;
}

/** Reads the messages of a step in order of creation, including those forwarded to fallbacks. Leaves out those of deleted channels. */
export async function readCalls(tx: Tx, incidentId: string, step: TakenStep): Promise<ShownCall[]> {
  const rows = await tx.delivery.findMany({
    where: { incidentId, eventKey: stepKey(incidentId, step), channel: { teamId: { not: null } } },
    select: {
      channelId: true,
      status: true,
      channel: { select: { ownerId: true, name: true, type: true } },
      attempts: { orderBy: [{ at: 'desc' }, { id: 'desc' }], take: 1 },
    },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ channelId, status, channel: { ownerId, name, type }, attempts: [last] }) => {
    const endedAt = last && new Date(last.at.getTime() + last.durationMs);
    return {
      channelId,
      userId: ownerId,
      channelName: name,
      label: channelDefinitionOf(type).label,
      acceptedAt: status === 'delivered' && endedAt ? endedAt : null,
      hasFailed: status === 'failed',
      failure: status === 'failed' && endedAt ? { error: last.error ?? 'Not accepted', at: endedAt } : null,
    };
  });
}
