import type { Db } from '@/server/platform/db';

/** Counts the monitors that notify this channel and match its routing: all (`all_monitors`), or those with one of its tags or named by it. */
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
