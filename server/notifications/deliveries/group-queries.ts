import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { claimColumns, type DeliveryClaim, LEASE_MS } from './delivery-queries';

/** The most deliveries in one batch. */
const MOST_PER_BATCH = 1_000;
/** How long the times of sent messages are kept: the cap covers a minute, and the longest grouping window is five. */
const REMEMBERED_MS = 600_000;

/** How a channel's messages are grouped, read from its locked row. */
export interface ChannelPace {
  teamId: string;
  recentSends: Date[];
  sendingUntil: Date | null;
  maxPerMinute: number;
  groupSeconds: number;
  /** Until when the receiver asked for a pause. */
  retryAfter: Date | null;
  /** As in QuietHours. */
  quietHours: unknown;
  /** As in LastMessage. */
  lastMessage: unknown;
  now: Date;
}

/** Whether any of these deliveries can be sent now. Takes no lock, because most jobs of a group find nothing left to send. */
export async function isAnyDue(ids: string[]): Promise<boolean> {
  // Raw: compares with the database's clock. `is not distinct from` instead of `=` makes the planner use the primary key instead of the index of pending
  // deliveries.
  const [row] = await db.$queryRaw<{ due: boolean }[]>`
    select exists (
      select 1 from deliveries
      where id = any(${ids}::text[]) and status is not distinct from 'pending' and next_attempt_at <= clock_timestamp()
    ) as due`;
  return row?.due ?? false;
}

/** Locks a channel and reads how its messages are grouped; null if it was deleted. */
export async function lockPace(tx: Tx, channelId: string): Promise<ChannelPace | null> {
  // Raw: a row lock, and the database's clock after waiting for it.
  const [locked] = await tx.$queryRaw<Omit<ChannelPace, 'now'>[]>`
    select channel.team_id as "teamId", channel.recent_sends as "recentSends", channel.sending_until as "sendingUntil",
      channel.max_per_minute as "maxPerMinute", channel.retry_after as "retryAfter",
      channel.quiet_hours as "quietHours", channel.last_message as "lastMessage", team.group_seconds as "groupSeconds"
    from channels channel join teams team on team.id = channel.team_id
    where channel.id = ${channelId} for no key update of channel`;
  const [clock] = await tx.$queryRaw<{ now: Date }[]>`select clock_timestamp()::timestamptz(3) as now`;
  return locked && clock ? { ...locked, ...clock } : null;
}

/**
 * Postpones the due deliveries of a locked channel.
 * @returns whether any were postponed
 */
export async function makeWait(tx: Tx, channelId: string, until: Date): Promise<boolean> {
  // Raw: locks the rows in order.
  const count = await tx.$executeRaw`
    with due as materialized (
      select id from deliveries
      where channel_id = ${channelId} and status = 'pending' and event <> 'channel.test' and next_attempt_at < ${until}
      order by id for no key update
    )
    update deliveries d set next_attempt_at = ${until} from due where d.id = due.id`;
  return count > 0;
}

/**
 * Holds the due deliveries of a locked channel until the end of its quiet hours, except alerts of critical incidents if the rules send those
 * anyway.
 * @returns whether any were newly held
 */
export async function holdQuiet(tx: Tx, channelId: string, until: Date, sendsCritical: boolean): Promise<boolean> {
  // Raw: locks the rows in order, by the database's clock.
  const count = await tx.$executeRaw`
    with due as materialized (
      select id from deliveries
      where channel_id = ${channelId} and status = 'pending' and event <> 'channel.test'
        and next_attempt_at <= clock_timestamp()
        and not (${sendsCritical} and coalesce(payload->'data'->'incident'->>'severity', '') = 'critical')
      order by id for no key update
    )
    update deliveries d set next_attempt_at = ${until}, hold = 'quiet_hours' from due where d.id = due.id`;
  return count > 0;
}

/** Whether deliveries held by quiet hours are due. They become one message, even if alerts are not grouped. */
export async function isHeldDue(tx: Tx, channelId: string): Promise<boolean> {
  // Raw: compares with the database's clock.
  const [row] = await tx.$queryRaw<{ due: boolean }[]>`
    select exists (
      select 1 from deliveries
      where channel_id = ${channelId} and status = 'pending' and hold is not null and next_attempt_at <= clock_timestamp()
    ) as due`;
  return row?.due ?? false;
}

/**
 * Claims the due deliveries of a locked channel with their predecessors, in the order of their events. Until `leaseUntil`, no other sender claims
 * deliveries of the channel.
 */
export async function claimGroup(tx: Tx, channelId: string): Promise<DeliveryClaim[]> {
  // Raw: claims rows and reads their data in one statement, by the database's clock.
  const claims = await tx.$queryRaw<Ordered[]>`
    with recursive first as materialized (
      select id from deliveries
      where channel_id = ${channelId} and status = 'pending' and event <> 'channel.test'
        and next_attempt_at <= clock_timestamp()
      order by created_at, id limit ${MOST_PER_BATCH}::int
    ), due (id) as (
      select id from first
      union
      select earlier.id from due join deliveries each on each.id = due.id
      join deliveries earlier on earlier.id = each.after_id and earlier.status is not distinct from 'pending'
    ), locked as materialized (
      select d.id, d.hold from deliveries d join due on due.id = d.id
      where d.status is not distinct from 'pending' order by d.id for no key update of d
    ), lease as materialized (
      update channels set sending_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
      where id = ${channelId} and exists (select 1 from locked) returning sending_until
    )
    update deliveries delivery set next_attempt_at = lease.sending_until, lease_until = lease.sending_until, hold = null
    from locked, lease, channels channel
    where delivery.id = locked.id and channel.id = delivery.channel_id
    returning ${claimColumns}, locked.hold is null and delivery.replayed_at is null as "isPrompt",
      delivery.created_at as "createdAt", delivery.after_id as "afterId"`;
  // Uses one time for the whole batch, because the database's clock advances between rows: so all are due again together.
  const [first] = claims;
  return first ? inOrder(claims.map((claim) => ({ ...claim, at: first.at }))) : [];
}

type Ordered = DeliveryClaim & { createdAt: Date; afterId: string | null };

/** Sorts by creation, and each after its predecessor, because the IDs of two events in one millisecond may come from different processes. */
function inOrder(claims: Ordered[]): DeliveryClaim[] {
  const byTime = claims.toSorted(
    (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id)),
  );
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const ordered = new Set<Ordered>();
  const add = (claim: Ordered) => {
    if (ordered.has(claim)) return;
    const earlier = byId.get(claim.afterId ?? '');
    if (earlier) add(earlier);
    ordered.add(claim);
  };
  for (const claim of byTime) add(claim);
  return [...ordered];
}

/** A message that can be edited: the provider's ID, when it was sent, and its deliveries. */
export const LastMessage = z.object({ ref: z.string(), at: z.coerce.date(), ids: z.array(z.string()) });
export type LastMessage = z.output<typeof LastMessage>;

/** The payloads of sent deliveries, in the order of their events. */
export function readSent(ids: string[]): Promise<{ id: string; opening: number; payload: unknown }[]> {
  return db.delivery.findMany({
    where: { id: { in: ids } },
    select: { id: true, opening: true, payload: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** The outcome of a claim. */
interface Release {
  leaseUntil: Date;
  /** The number of messages that were accepted. */
  sent: number;
  /** The deliveries that were not attempted. */
  leftIds: string[];
  /** The message that later events may be added to, or null. */
  lastMessage: LastMessage | null;
}

/** Releases a claim: records the accepted messages, and makes deliveries that were not attempted due again. */
export async function releaseGroup(tx: Tx, channelId: string, release: Release): Promise<void> {
  const { leaseUntil, sent, leftIds, lastMessage } = release;
  // Raw: an array of times by the database's clock, and only under this claim.
  await tx.$executeRaw`
    update channels set sending_until = null, last_message = ${lastMessage && JSON.stringify(lastMessage)}::jsonb,
    recent_sends = (
      select coalesce(array_agg(at order by at), '{}') from (
        select at from unnest(recent_sends) at
        where at > clock_timestamp() - ${REMEMBERED_MS} * interval '1 millisecond'
        union all
        select clock_timestamp() from generate_series(1, ${sent}::int)
      ) as sends (at)
    )
    where id = ${channelId} and sending_until = ${leaseUntil}`;
  if (leftIds.length === 0) return;
  // Raw: by the database's clock, in order.
  await tx.$executeRaw`
    with left_over as materialized (
      select id from deliveries where id = any(${leftIds}::text[]) and next_attempt_at = ${leaseUntil}
      order by id for no key update
    )
    update deliveries d set next_attempt_at = clock_timestamp() from left_over where d.id = left_over.id`;
}

/** The pending deliveries of a channel, oldest first. */
export async function findPending(channelId: string): Promise<string[]> {
  const rows = await db.delivery.findMany({
    where: { channelId, status: 'pending', event: { not: 'channel.test' } },
    select: { id: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: MOST_PER_BATCH,
  });
  return rows.map(({ id }) => id);
}

/** When the next delivery of a channel without a pending predecessor is due; null if none is pending. */
export async function nextDue(tx: Tx, channelId: string): Promise<Date | null> {
  // Raw: looks up each predecessor by its key.
  const [row] = await tx.$queryRaw<{ at: Date | null }[]>`
    select min(next_attempt_at) as at from deliveries due
    where channel_id = ${channelId} and status = 'pending' and event <> 'channel.test'
      and (select earlier.status from deliveries earlier where earlier.id = due.after_id) is distinct from 'pending'`;
  return row?.at ?? null;
}
