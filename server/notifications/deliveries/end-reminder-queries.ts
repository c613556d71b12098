import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';

const NO_LONGER_OPEN = 'Not sent again: the incident is no longer open';

/** Locks the pending reminders of a channel whose incidents are no longer open, except those being sent and those that were replayed. */
async function lockStale(tx: Tx, channelId: string): Promise<string[]> {
  // Raw: locks the rows in order.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select reminder.id from deliveries reminder
    where reminder.channel_id = ${channelId} and reminder.status = 'pending' and reminder.event = 'incident.reminder'
      and reminder.replayed_at is null
      and not exists (select 1 from incidents each where each.id = reminder.incident_id and each.status = 'open')
      and (reminder.lease_until is distinct from reminder.next_attempt_at or reminder.next_attempt_at <= clock_timestamp())
    order by reminder.id for update`;
  return rows.map(({ id }) => id);
}

/**
 * Removes deliveries from the FIFO order: their successors get their predecessors. Deliveries to a fallback may include a reminder behind a message
 * that is retried.
 */
async function unlinkReminders(tx: Tx, ids: string[]): Promise<void> {
  // Raw: finds the nearest predecessor of each that stays (recursive).
  await tx.$executeRaw`
    with recursive line as (
      select id, after_id from deliveries where id = any(${ids}::text[])
      union all
      select line.id, earlier.after_id from line join deliveries earlier on earlier.id = line.after_id
      where earlier.id = any(${ids}::text[])
    )
    update deliveries follower set after_id = line.after_id
    from line
    where follower.after_id = line.id and (line.after_id is null or line.after_id <> all(${ids}::text[]))`;
}

/** Marks those that were attempted as failed, with an attempt that states the reason. */
async function endAttempted(tx: Tx, ids: string[]): Promise<void> {
  // Raw: a set-based write of two tables, by the database's clock.
  await tx.$executeRaw`
    with ended as (
      update deliveries d set status = 'failed', next_attempt_at = null, hold = null, after_id = null
      where d.id = any(${ids}::text[]) and exists (select 1 from delivery_attempts attempt where attempt.delivery_id = d.id)
      returning d.id
    )
    insert into delivery_attempts (id, delivery_id, at, duration_ms, error)
    select item.attempt_id, ended.id, clock_timestamp(), 0, ${NO_LONGER_OPEN}
    from ended join unnest(${ids.map(() => newId())}::text[], ${ids}::text[]) as item (attempt_id, id) using (id)`;
}

/**
 * Ends the pending reminders of a locked channel whose incidents are no longer open. Reminders that were attempted stay as failed, because attempts
 * are the channel's history; the others are deleted.
 * @returns whether there were any, so that their successors may be due
 */
export async function endReminders(tx: Tx, channelId: string): Promise<boolean> {
  const ids = await lockStale(tx, channelId);
  if (ids.length === 0) return false;
  // Separate statements, so that they see attempts and successors that were written while this transaction waited for the locks.
  await unlinkReminders(tx, ids);
  await endAttempted(tx, ids);
  await tx.delivery.deleteMany({ where: { id: { in: ids }, status: 'pending' } });
  return true;
}
