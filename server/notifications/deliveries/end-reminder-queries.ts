import type { Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { makeNextDue } from './line-queries';

const NO_LONGER_OPEN = 'Not sent again: the incident is no longer open';

/**
 * Ends the pending reminders of a locked channel whose incidents are no longer open, except those being sent and those that were replayed. Reminders
 * that were attempted stay as failed, because attempts are the channel's history; the others are deleted. The next deliveries behind them become due.
 */
export async function endReminders(tx: Tx, channelId: string, now: Date): Promise<void> {
  // Raw: a set-based write, and the rows behind it.
  const ended = await tx.$queryRaw<{ id: string }[]>`
    with stale as materialized (
      select id, incident_id, exists (select 1 from delivery_attempts where delivery_id = reminder.id) as attempted
      from deliveries reminder
      where channel_id = ${channelId} and status = 'pending' and event = 'incident.reminder' and replayed_at is null
        and not exists (select 1 from incidents each where each.id = reminder.incident_id and each.status = 'open')
        and (lease_until is distinct from next_attempt_at or next_attempt_at <= ${now})
    ), ended as (
      update deliveries d set status = 'failed', next_attempt_at = null, hold = null from stale
      where d.id = stale.id and stale.attempted returning d.id
    ), deleted as (
      delete from deliveries d using stale where d.id = stale.id and not stale.attempted
    ), next as (${makeNextDue(channelId, Prisma.sql`stale`, Prisma.sql`${now}`)})
    select id from ended`;
  const attempt = { at: now, durationMs: 0, error: NO_LONGER_OPEN };
  await tx.deliveryAttempt.createMany({
    data: ended.map(({ id }) => ({ ...attempt, id: newId(), deliveryId: id })),
  });
}
