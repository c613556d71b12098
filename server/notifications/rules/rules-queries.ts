import type { Db, Tx } from '@/server/platform/db';

/**
 * Counts the monitors that use this channel and match its routing. Without any named monitor and tag, a channel matches all monitors
 * (`all_monitors`) or none.
 */
export async function countMatching(db: Db, channelId: string): Promise<number> {
  // Raw: joins monitors with the rules of a channel, as `findTargets` does.
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count
    from channels channel join monitors monitor on monitor.team_id = channel.team_id
    where channel.id = ${channelId}
      and (monitor.all_channels or exists (
        select 1 from monitor_channels chosen where chosen.monitor_id = monitor.id and chosen.channel_id = channel.id
      ))
      and (channel.all_monitors or monitor.tags && channel.tags or exists (
        select 1 from channel_routes route where route.channel_id = channel.id and route.monitor_id = monitor.id
      ))`;
  return row?.count ?? 0;
}

/** Makes deliveries held by quiet hours due, so that the current rules decide about them. */
export async function releaseHeld(tx: Tx, channelId: string): Promise<void> {
  // Raw: by the database's clock, in the order of row locks.
  await tx.$executeRaw`
    with held as materialized (
      select id from deliveries
      where channel_id = ${channelId} and status = 'pending' and hold is not null order by id for no key update
    )
    update deliveries d set next_attempt_at = clock_timestamp(), hold = null from held where d.id = held.id`;
}
