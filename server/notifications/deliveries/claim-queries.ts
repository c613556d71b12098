import { z } from 'zod';
import { type Db, db, type Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { confirmationOf, recipientIn } from '../confirmations/recipient-queries';
import type { ChannelType, Confirmation } from '../schema';
import { PENDING } from './line-queries';

/** The lease of a claim. Longer than any send, so that it expires only if the sender died. */
export const LEASE_MS = 25_000;
/** How long the times of sent messages are kept: the cap covers a minute, and the longest grouping window is five. */
const REMEMBERED_MS = 600_000;

/** A channel as its sender needs it: where its messages go, and when. */
export interface Destination {
  channelId: string;
  channelName: string;
  /** Whether it is a contact method of a member. */
  isPersonal: boolean;
  teamId: string;
  teamName: string;
  /** The time zone of the member whose address it is; null if unknown, and for kinds without an address. */
  timeZone: string | null;
  type: ChannelType;
  config: unknown;
  templates: unknown;
  /** Whether the address of an email channel may receive messages; null for other types. */
  confirmation: Confirmation | null;
  /** The signing secret before the last rotation, while it is valid. */
  previousSecret: unknown;
  recentSends: Date[];
  /** The end of the lease during which one sender has the channel to itself, because its messages are grouped. Null if there is none. */
  sendingUntil: Date | null;
  maxPerMinute: number;
  groupSeconds: number;
  /** The end of the pause that the receiver asked for; null if there was none. */
  retryAfter: Date | null;
  /** JSON of QuietHours, or null. */
  quietHours: unknown;
  /** JSON of LastMessage, or null. */
  lastMessage: unknown;
  hasReminders: boolean;
  /** The database's clock, because clocks of other machines may differ; read after the lock was acquired. */
  now: Date;
}

/** The right to attempt a delivery, and its message. */
export interface Claim {
  id: string;
  event: string;
  /** How often the incident had been reopened when the event happened. */
  opening: number;
  payload: unknown;
  /** Attempts so far, or since it was replayed. */
  attempts: number;
  /** Whether it was neither held by quiet hours nor replayed, so that its age is the time that Upwatch and the receiver took. */
  isPrompt: boolean;
  /** When it was claimed, by the database's clock. */
  at: Date;
  /** The end of the lease, which also identifies the latest claim. */
  leaseUntil: Date;
}

/** A message that can be edited: the provider's ID, when it was sent, and its deliveries. */
export const LastMessage = z.object({ ref: z.string(), at: z.coerce.date(), ids: z.array(z.string()) });
export type LastMessage = z.output<typeof LastMessage>;

/**
 * Returns the ID of a channel's team, or null if the channel has no due delivery. Takes no lock, because many jobs of a busy channel find nothing
 * left to send.
 */
export async function findDueTeam(channelId: string): Promise<string | null> {
  // Raw: compares with the database's clock.
  const [row] = await db.$queryRaw<{ teamId: string }[]>`
    select team_id as "teamId" from channels channel
    where id = ${channelId} and team_id is not null and exists (
      select 1 from deliveries
      where channel_id = channel.id and status = 'pending' and next_attempt_at <= clock_timestamp()
    )`;
  return row?.teamId ?? null;
}

/**
 * Reads a channel for its sender; null if it was deleted. With `lock`, everything that changes the channel's deliveries waits until the transaction
 * ends.
 */
export async function readDestination(
  tx: Db,
  channelId: string,
  { lock }: { lock: boolean },
): Promise<Destination | null> {
  const recipient = recipientIn(Prisma.sql`channel`);
  // Raw: a row lock, and the database's clock after waiting for it.
  const [row] = await tx.$queryRaw<Destination[]>`
    with channel as materialized (
      select channel.*, team.group_seconds, team.name as team_name from channels channel join teams team on team.id = channel.team_id
      where channel.id = ${channelId} ${lock ? Prisma.sql`for no key update of channel` : Prisma.empty}
    )
    select id as "channelId", name as "channelName", owner_id is not null as "isPersonal", team_id as "teamId",
      team_name as "teamName", type::text as type, config, templates, (
        select reader.time_zone from users reader join memberships m on m.user_id = reader.id and m.team_id = channel.team_id
        where ${recipient} is not null and reader.id = coalesce(channel.owner_id, (select id from users where email = ${recipient}))
      ) as "timeZone",
      ${confirmationOf(Prisma.sql`channel`)} as confirmation,
      case when previous_secret_until > clock_timestamp() then previous_secret end as "previousSecret",
      recent_sends as "recentSends", sending_until as "sendingUntil", max_per_minute as "maxPerMinute",
      group_seconds as "groupSeconds", retry_after as "retryAfter", quiet_hours as "quietHours",
      last_message as "lastMessage", (
        -- In the order of the index of waiting deliveries; without one, the planner may read all deliveries of the channel.
        select true from deliveries
        where channel_id = channel.id and status = 'pending' and next_attempt_at is not null and event = 'incident.reminder'
        order by next_attempt_at limit 1
      ) is not null as "hasReminders", clock_timestamp()::timestamptz(3) as now
    from channel`;
  return row ?? null;
}

/** Which due deliveries of a channel may be claimed: all, or only those that the channel's rules and pauses do not delay. */
export type Passing = 'all' | 'tests' | 'tests and critical';

const passes = (passing: Passing) => Prisma.sql`(
  ${passing === 'all'} or event = 'channel.test'
  or (${passing === 'tests and critical'} and coalesce(payload->'data'->'incident'->>'severity', '') = 'critical')
)`;

interface Postponement {
  until: Date;
  /** Each delivery gets a random time within this time after `until`, so that they are not all sent at once. */
  spreadMs?: number;
  /** The deliveries that are not postponed. */
  except: Exclude<Passing, 'all'>;
  /** Whether quiet hours hold them. */
  isQuiet?: boolean;
}

/** The most deliveries that are postponed at once. The channel's timer then runs again at once, because others are due. */
const MOST_POSTPONED = 5_000;

/** Postpones the due deliveries of a locked channel, the earliest first. */
export async function postpone(
  tx: Tx,
  { channelId, now }: Destination,
  { until, spreadMs = 0, except, isQuiet = false }: Postponement,
): Promise<void> {
  // Raw: a random time for each.
  await tx.$executeRaw`
    with due as materialized (
      select id from deliveries
      where channel_id = ${channelId} and status = 'pending' and next_attempt_at <= ${now} and not ${passes(except)}
      order by next_attempt_at limit ${MOST_POSTPONED}::int
    )
    update deliveries set next_attempt_at = ${until}::timestamptz + random() * ${spreadMs}::float8 * interval '1 millisecond',
      hold = case when ${isQuiet} then 'quiet_hours'::delivery_hold else hold end
    where id in (select id from due)`;
}

/**
 * The number of deliveries about each incident in a full group: opened, acknowledged and resolved. There may be more, because a user can reopen an
 * incident any number of times.
 */
const MOST_PER_LINE = 3;
/** The maximum number of deliveries that one claim leaves without a time, because they wait behind others. */
const MOST_BEHIND = 5_000;

/** SQL condition for a delivery that no sender has claimed. */
const isFree = (now: Date) =>
  Prisma.sql`(next_attempt_at is null or lease_until is distinct from next_attempt_at or next_attempt_at <= ${now})`;

/**
 * Claims due deliveries of a locked channel by moving their time to the end of a lease. The pending deliveries about one incident are a line (FIFO):
 * if any of them is due, the first is claimed, even if its retry is later. The others lose their time and wait until it is final. If `isGroup`, the
 * first few of each line are claimed together, and the channel is reserved for this sender.
 * @param most the number of due deliveries to look at
 * @returns the claims, in the order of their events
 */
export async function claimDue(
  tx: Tx,
  { channelId, now }: Destination,
  { isGroup, most, passing }: { isGroup: boolean; most: number; passing: Passing },
): Promise<Claim[]> {
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  // Raw: claims rows and reads their data in one statement.
  const rows = await tx.$queryRaw<Omit<Claim, 'at' | 'leaseUntil'>[]>`
    with due as materialized (
      select id, incident_id from deliveries
      where channel_id = ${channelId} and status = 'pending' and next_attempt_at <= ${now}
        and ${passes(passing)}
      order by next_attempt_at, seq limit ${most}::int
    ), incident as materialized (
      select distinct incident_id as id from due where incident_id is not null
    ), front as materialized (
      select id from due where incident_id is null
      union all
      select each.id from incident cross join lateral (
        select id from deliveries where incident_id = incident.id and channel_id = ${channelId} and status = ${PENDING}
        order by seq
        limit (select case when ${isGroup} then ${most * MOST_PER_LINE}::int / nullif(count(*), 0) else 1 end from incident)
      ) each
    ), claimed as (
      update deliveries delivery set next_attempt_at = ${leaseUntil}, lease_until = ${leaseUntil}, hold = null
      from (select id, hold from deliveries where id in (select id from front) and ${isFree(now)}) free
      where delivery.id = free.id
      returning delivery.*, free.hold as held
    ), behind as (
      update deliveries delivery set next_attempt_at = null
      from (
        select each.id from incident join deliveries each on each.incident_id = incident.id and each.channel_id = ${channelId}
          and each.status = ${PENDING} and each.next_attempt_at is not null and each.id not in (select id from front)
        where ${isFree(now)} limit ${MOST_BEHIND}::int
      ) later
      where delivery.id = later.id
    ), channel as (
      update channels set sending_until = ${leaseUntil}
      where id = ${channelId} and ${isGroup} and exists (select 1 from claimed where event <> 'channel.test')
    )
    select id, event, opening, payload, held is null and replayed_at is null as "isPrompt",
      (select count(*)::int from delivery_attempts attempt where attempt.delivery_id = claimed.id
        and (claimed.replayed_at is null or attempt.at >= claimed.replayed_at)) as attempts
    from claimed order by seq`;
  return rows.map((row) => ({ ...row, at: now, leaseUntil }));
}

/** Ends the pauses that the receivers of channels asked for. */
export async function endPauses(tx: Tx, channelIds: string[]): Promise<void> {
  // Raw: a model call would set `updated_at`.
  await tx.$executeRaw`update channels set retry_after = null where id = any(${channelIds}::text[]) and retry_after is not null`;
}

/** Which pending deliveries of a channel become due. */
export interface Waiting {
  channelId: string;
  /** Only those that quiet hours hold, instead of all that wait for a time. */
  heldOnly: boolean;
  /** Only those with a higher number: the last one of the previous slice, or 0. */
  afterSeq: string;
}

/** The maximum number of deliveries that become due at once. */
const MOST_DUE = 5_000;

/**
 * Makes the next pending deliveries of a locked channel due, except those being sent and those behind another one.
 * @returns the number of the last one if there may be more, else null
 */
export async function makeDue(tx: Tx, { channelId, heldOnly, afterSeq }: Waiting): Promise<string | null> {
  // Raw: uses the database's clock, and a model call would set `updated_at`. Ordered by a number that never changes, so that each becomes due once.
  const [made] = await tx.$queryRaw<{ count: number; last: string | null }[]>`
    with waiting as materialized (
      select id, seq from deliveries
      where channel_id = ${channelId} and status = 'pending' and next_attempt_at > clock_timestamp() and seq > ${afterSeq}::bigint
        and lease_until is distinct from next_attempt_at and (hold is not null or not ${heldOnly})
      order by seq limit ${MOST_DUE}::int
    ), made as (
      update deliveries set next_attempt_at = clock_timestamp(), hold = null from waiting where deliveries.id = waiting.id
    )
    select count(*)::int as count, max(seq)::text as last from waiting`;
  return made && made.count === MOST_DUE ? made.last : null;
}

/** Returns the payloads of these deliveries, in the order of their events. Leaves out those that were deleted. */
export function readSent(ids: string[]): Promise<{ id: string; opening: number; payload: unknown }[]> {
  return db.delivery.findMany({
    where: { id: { in: ids } },
    select: { id: true, opening: true, payload: true },
    orderBy: { seq: 'asc' },
  });
}

/** The outcome of a group's claim. */
export interface Release {
  leaseUntil: Date;
  /** The number of messages that were accepted. */
  sent: number;
  /** The deliveries that were not attempted. */
  leftIds: string[];
  /** The message that later events may be added to, or null. */
  lastMessage: LastMessage | null;
}

/**
 * Releases a group's claim of a locked channel: records the times of the accepted messages and the message that can be edited, and makes deliveries
 * that were not attempted due again. Changes nothing that another sender has claimed meanwhile.
 */
export async function releaseGroup(tx: Tx, channelId: string, release: Release): Promise<void> {
  const { leaseUntil, sent, leftIds, lastMessage } = release;
  // Raw: an array of times by the database's clock, and only under this claim.
  await tx.$executeRaw`
    with channel as (
      update channels set sending_until = null, last_message = ${lastMessage && JSON.stringify(lastMessage)}::jsonb,
      recent_sends = (
        select coalesce(array_agg(at order by at), '{}') from (
          select at from unnest(recent_sends) at
          where at > clock_timestamp() - ${REMEMBERED_MS} * interval '1 millisecond'
          union all
          select clock_timestamp() from generate_series(1, ${sent}::int)
        ) as sends (at)
      )
      where id = ${channelId} and sending_until = ${leaseUntil}
    )
    update deliveries set next_attempt_at = clock_timestamp()
    where id = any(${leftIds}::text[]) and next_attempt_at = ${leaseUntil}`;
}
