import { db, type Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { DeliveryStatus } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { confirmationOf } from '../confirmations/recipient-queries';
import type { NotifiableEvent } from '../messages/event';
import { linksOf } from '../messages/links';
import { mirroringTypes, pagingTypes } from '../providers/definitions';
import type { Exchange } from '../providers/exchange';
import { kindsOf } from '../rules/kind-of';
import type { ChannelType, Confirmation } from '../schema';

/** The lease of a claim. Longer than any send, so that it expires only if the sender died. */
export const LEASE_MS = 25_000;

/** The right to attempt a delivery, with its message and destination. */
export interface DeliveryClaim {
  id: string;
  teamId: string;
  channelId: string;
  event: string;
  /** How often its incident had been reopened at the event. */
  opening: number;
  payload: unknown;
  type: ChannelType;
  config: unknown;
  templates: unknown;
  /** Whether the address of an email channel may receive messages; null for other types. */
  confirmation: Confirmation | null;
  /** Attempts so far, or since it was replayed. */
  attempts: number;
  /** Whether it was neither held by quiet hours nor replayed, so that its age is the time that Upwatch and the receiver took. */
  isPrompt: boolean;
  /** The signing secret before the last rotation, while it is valid. */
  previousSecret: unknown;
  /** The database's clock, because clocks of other machines may differ. */
  at: Date;
  /** The end of the lease, which also identifies the latest claim. */
  leaseUntil: Date;
}

/** Messages that waited for a paused channel are spread over this share of the pause: at least a second, at most a minute. */
const SPREAD = 0.2;

/** When a message of a paused channel is sent: at a random time soon after the pause. `channel` is a row of `channels`. */
const afterPause = Prisma.sql`channel.retry_after + random() * interval '1 second' * least(60, greatest(1,
  ${SPREAD}::float8 * extract(epoch from channel.retry_after - clock_timestamp())))`;

/** Postpones the due deliveries of paused channels to after the pause, each to a random time, so that they are not all sent at once. */
export async function postponePaused(ids: string[]): Promise<void> {
  // Raw: sets times by the database's clock.
  await db.$executeRaw`
    update deliveries delivery set next_attempt_at = ${afterPause}
    from channels channel
    where delivery.id = any(${ids}::text[]) and delivery.status = 'pending' and delivery.next_attempt_at <= clock_timestamp()
      and channel.id = delivery.channel_id and channel.retry_after > clock_timestamp()`;
}

/** The columns of a claim, from the rows `delivery` and `channel`. */
export const claimColumns = Prisma.sql`
  delivery.id, delivery.team_id as "teamId", delivery.channel_id as "channelId", delivery.event,
  delivery.opening, delivery.payload, channel.type::text as "type", channel.config, channel.templates,
  ${confirmationOf(Prisma.sql`channel`)} as "confirmation", delivery.next_attempt_at as "leaseUntil",
  clock_timestamp()::timestamptz(3) as "at",
  (select count(*)::int from delivery_attempts attempt where attempt.delivery_id = delivery.id
    and (delivery.replayed_at is null or attempt.at >= delivery.replayed_at)) as "attempts",
  case when channel.previous_secret_until > clock_timestamp() then channel.previous_secret end as "previousSecret"`;

/**
 * Claims the deliveries that are pending and due, have no pending predecessor, and whose channel is not paused by its receiver (Retry-After); tests
 * ignore the pause. Of two concurrent claims one succeeds: the second waits for the row lock, checks again, and then finds `next_attempt_at` in the
 * future.
 */
export function claimDeliveries(ids: string[]): Promise<DeliveryClaim[]> {
  // Raw: claims rows and reads their data in one statement, by the database's clock.
  return db.$queryRaw<DeliveryClaim[]>`
    with due as materialized (
      -- Excludes deleted channels, whose team is null.
      select due.id from deliveries due join channels channel on channel.id = due.channel_id and channel.team_id is not null
      where due.id = any(${ids}::text[]) and due.status = 'pending' and due.next_attempt_at <= clock_timestamp()
        and (select earlier.status from deliveries earlier where earlier.id = due.after_id) is distinct from 'pending'
        and (channel.retry_after is null or channel.retry_after <= clock_timestamp() or due.event = 'channel.test')
      order by due.id for no key update of due
    ), lease as materialized (
      select clock_timestamp() + ${LEASE_MS} * interval '1 millisecond' as until from (select count(*) from due) as locked
    )
    update deliveries delivery set next_attempt_at = lease.until, lease_until = lease.until
    from due, lease, channels channel
    where delivery.id = due.id and channel.id = delivery.channel_id
    returning ${claimColumns}, delivery.hold is null and delivery.replayed_at is null as "isPrompt"`;
}

/** A delivery that is now due. */
interface DueDelivery {
  id: string;
  now: Date;
}

/** Makes the pending predecessors of these deliveries due at once, or when their channel's pause ends, except those being sent. */
export function expeditePredecessors(tx: Tx, ids: string[]): Promise<DueDelivery[]> {
  // Raw: locks the rows, then sets their times by the database's clock.
  return tx.$queryRaw`
    with waiting as materialized (
      -- "is not distinct from" here and below: with "=", the planner uses the index of pending deliveries instead of the primary key.
      select after_id from deliveries where id = any(${ids}::text[]) and status is not distinct from 'pending'
    ), waited_for as materialized (
      select earlier.id, earlier.next_attempt_at from deliveries earlier
      where earlier.id in (select after_id from waiting) and earlier.status is not distinct from 'pending'
      order by earlier.id for no key update
    )
    update deliveries earlier
    set next_attempt_at = least(earlier.next_attempt_at,
      case when channel.retry_after > clock_timestamp() then ${afterPause} else clock_timestamp() end)
    from waited_for, channels channel
    where earlier.id = waited_for.id and channel.id = earlier.channel_id
      and waited_for.next_attempt_at not between clock_timestamp()
        and greatest(channel.retry_after + interval '1 minute', clock_timestamp() + ${LEASE_MS} * interval '1 millisecond')
    returning earlier.id, greatest(earlier.next_attempt_at, clock_timestamp())::timestamptz(3) as "now"`;
}

/** Ends the pauses of channels whose settings changed. */
export async function endPauses(tx: Tx, channelIds: string[]): Promise<void> {
  // Raw: a model call would set `updated_at`.
  await tx.$executeRaw`update channels set retry_after = null where id = any(${channelIds}::text[]) and retry_after is not null`;
}

/** Makes the pending deliveries of channels due at once, except those being sent. */
export function expediteChannels(tx: Tx, channelIds: string[]): Promise<DueDelivery[]> {
  // Raw: locks the rows, then sets their times by the database's clock.
  return tx.$queryRaw`
    with waiting as materialized (
      select delivery.id from deliveries delivery
      where delivery.channel_id = any(${channelIds}::text[]) and delivery.status = 'pending'
        and delivery.next_attempt_at > clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
      order by delivery.id for no key update
    )
    update deliveries delivery set next_attempt_at = clock_timestamp() from waiting where delivery.id = waiting.id
    returning delivery.id, clock_timestamp()::timestamptz(3) as "now"`;
}

/** An attempt at a delivery and its outcome. */
export interface AttemptRow {
  id: string;
  attemptId: string;
  ok: boolean;
  at: Date;
  /** The claim of the attempt. */
  leaseUntil: Date;
  durationMs: number;
  status: DeliveryStatus;
  statusCode: number | null;
  error: string | null;
  nextAttemptAt: Date | null;
  exchangeId: string | null;
}

/**
 * Records attempts.
 * @returns the changed deliveries: those with an unchanged claim, and those that succeeded
 */
export async function writeAttempts(tx: Tx, rows: AttemptRow[]): Promise<Set<string>> {
  // Raw: a set-based write of two tables under row locks.
  const changed = await tx.$queryRaw<{ id: string }[]>`
    with attempted as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a (
        id text, ok boolean, "attemptId" text, at timestamptz, "leaseUntil" timestamptz, "durationMs" int,
        status delivery_status, "statusCode" int, error text, "nextAttemptAt" timestamptz, "exchangeId" text
      )
    ), locked as materialized (
      -- If the channel was deleted meanwhile, its deliveries are gone and nothing is recorded.
      select d.id from deliveries d join attempted a on a.id = d.id order by d.id for no key update of d
    ), recorded as (
      insert into delivery_attempts (id, delivery_id, at, duration_ms, status_code, error, exchange_id)
      select a."attemptId", a.id, a.at, a."durationMs", a."statusCode", a.error, a."exchangeId"
      from attempted a join locked on locked.id = a.id
    )
    update deliveries d set status = a.status, next_attempt_at = a."nextAttemptAt"
    from locked join attempted a on a.id = locked.id
    where d.id = a.id and d.status = 'pending' and (a.ok or d.next_attempt_at = a."leaseUntil")
    returning d.id`;
  return new Set(changed.map(({ id }) => id));
}

/** A request and its answer to store. */
export interface ExchangeRow {
  id: string;
  channelId: string;
  exchange: Exchange;
}

/** Stores requests and their answers. Those of a channel that was deleted meanwhile are dropped. */
export async function writeExchanges(tx: Tx, rows: ExchangeRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Raw: holds the channels, so that none is deleted before the insert.
  await tx.$executeRaw`
    insert into delivery_exchanges (id, channel_id, request, response)
    select row.id, channel.id, row.exchange->'request', nullif(row.exchange->'response', 'null')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id text, "channelId" text, exchange jsonb)
    join (select id from channels where id = any(${rows.map(({ channelId }) => channelId)}::text[]) and team_id is not null order by id for key share)
      channel on channel.id = row."channelId"`;
}

/** Counts at most this many due messages per team: beyond that, a team has the lowest priority anyway. */
const MOST_COUNTED = 400;

/** The number of due messages of each delivery's team, without those that wait for a predecessor. */
export function countWaiting(tx: Tx, ids: string[]): Promise<{ id: string; waiting: number }[]> {
  // Raw: counts up to a limit by team, looking up each predecessor by its key.
  return tx.$queryRaw`
    with wanted as materialized (
      select id, team_id from deliveries where id = any(${ids}::text[])
    ), waiting as materialized (
      select team.team_id, (
        select count(*)::int from (
          select pending.after_id from deliveries pending
          where pending.team_id = team.team_id and pending.status = 'pending'
            and pending.next_attempt_at <= statement_timestamp()
          limit ${MOST_COUNTED}::int
        ) due
        -- A subquery finds each by key; a join may scan all pending deliveries for each row.
        where (select earlier.status from deliveries earlier where earlier.id = due.after_id) is distinct from 'pending'
      ) as count
      from (select distinct team_id from wanted) team
    )
    select wanted.id, waiting.count as waiting from wanted join waiting using (team_id)`;
}

/** A channel to notify of an event. */
interface Target {
  /** The event's position in the list, from 1. */
  position: number;
  channelId: string;
  /** Whether the channel is failing, so that its messages are forwarded. */
  isFailing: boolean;
}

/** Events after the opening of an incident. */
const LATER = ['incident.acknowledged', 'incident.resolved'];

/**
 * Finds the channels to notify of each event: those that its monitor names, or all of the team, if their rules match. Events after an opening also
 * go to the channels that were notified of the incident, even if their rules have changed; only these events go to contact methods. Locks the
 * channels against deletion, so that the following insert cannot violate a foreign key.
 */
export function findTargets(tx: Tx, events: NotifiableEvent[]): Promise<Target[]> {
  const kinds = events.map(({ event, data }) => kindsOf(event, data));
  // Raw: joins a list of events with their channels, and locks these.
  return tx.$queryRaw<Target[]>`
    with target as materialized (
      select event.position::int as "position", event.key, channel.id as "channelId", channel.failed_at is not null as "isFailing"
      from unnest(
        ${events.map(({ teamId }) => teamId)}::text[],
        ${events.map(({ monitorId }) => monitorId ?? null)}::text[],
        ${events.map(({ isForMirrors }) => isForMirrors ?? false)}::boolean[],
        ${events.map(({ event }) => LATER.includes(event))}::boolean[],
        ${events.map(({ incidentId }) => incidentId ?? null)}::text[],
        ${kinds.map(([kind]) => kind)}::text[],
        ${kinds.map(([, about]) => about)}::text[],
        ${events.map(({ data }) => data.incident?.severity ?? null)}::incident_severity[],
        ${events.map(({ eventKey }) => eventKey)}::text[]
      ) with ordinality
        as event (team_id, monitor_id, for_mirrors, is_later, incident_id, kind, about, severity, key, position)
      join channels channel on channel.team_id = event.team_id and (channel.owner_id is null or event.is_later)
        and (not event.for_mirrors or channel.type = any(${mirroringTypes}::channel_type[]))
        -- Maintenance does not page people.
        and (event.incident_id is not null or channel.type <> all(${pagingTypes}::channel_type[]))
      left join monitors monitor on monitor.id = event.monitor_id and monitor.team_id = event.team_id
      where event.kind <> all(channel.muted_events) and ((
        channel.owner_id is null and event.about <> all(channel.muted_events)
        -- The enum is ordered, the most severe first.
        and (event.severity is null or event.severity <= channel.min_severity)
        and (coalesce(monitor.all_channels, true) or exists (
          select 1 from monitor_channels chosen where chosen.monitor_id = monitor.id and chosen.channel_id = channel.id
        ))
        and (channel.all_monitors or monitor.tags && channel.tags or exists (
          select 1 from channel_routes route where route.channel_id = channel.id and route.monitor_id = monitor.id
        ))
      ) or (event.is_later and exists (
        select 1 from deliveries earlier
        where earlier.incident_id = event.incident_id and earlier.channel_id = channel.id
          and earlier.event in ('incident.opened', 'monitor.certificate_expiring', 'incident.escalated')
      )))
      order by event.position, channel.id
      for key share of channel
    )
    -- An incident with several monitors has an event for each; a channel gets one message.
    select * from (
      select distinct on (key, "channelId") "position", "channelId", "isFailing" from target
      order by key, "channelId", "position"
    ) first order by "position", "channelId"`;
}

/** Inserts a delivery for each target. Its predecessor is the channel's previous delivery about the same incident. */
export function insertDeliveries(
  tx: Tx,
  events: NotifiableEvent[],
  targets: Pick<Target, 'position' | 'channelId'>[],
): Promise<{ id: string; channelId: string }[]> {
  const timestamp = new Date().toISOString();
  // Leaves out events without a target, because those of an incident with many monitors repeat its data.
  const named = new Set(targets.map(({ position }) => position));
  const rows = events.map(({ teamId, incidentId, event, eventKey, data }, index) =>
    named.has(index + 1)
      ? {
          teamId,
          incidentId,
          event,
          eventKey,
          payload: { type: event, timestamp, data: { ...data, links: linksOf(data) } },
        }
      : {},
  );
  // Raw: each row looks up its predecessor.
  return tx.$queryRaw<{ id: string; channelId: string }[]>`
    insert into deliveries
      (id, team_id, channel_id, incident_id, after_id, event, event_key, opening, payload, next_attempt_at)
    select target.id, event.item->>'teamId', target.channel_id, event.item->>'incidentId', last.id,
           event.item->>'event', event.item->>'eventKey',
           coalesce((select incident.reopenings from incidents incident where incident.id = event.item->>'incidentId'), 0),
           event.item->'payload', now()
    from unnest(
      ${targets.map(() => newId())}::text[],
      ${targets.map(({ channelId }) => channelId)}::text[],
      ${targets.map(({ position }) => position)}::int[]
    ) as target (id, channel_id, position)
    join jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as event (item, position)
      on event.position = target.position
    left join lateral (
      select earlier.id from deliveries earlier
      where earlier.incident_id = event.item->>'incidentId' and earlier.channel_id = target.channel_id
        -- Not "=", so that the planner uses the index of incidents instead of that of pending deliveries.
        and earlier.status is not distinct from 'pending'
        and not exists (select 1 from deliveries later where later.after_id = earlier.id)
      limit 1
      -- A reminder may be deleted concurrently.
      for key share
    ) last on true
    on conflict (channel_id, event_key) do nothing
    returning id, channel_id as "channelId"`;
}
