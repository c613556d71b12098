import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { isBeingDeleted } from '@/server/platform/locks';
import { type MonitorRow, toPlan } from '../schedule/plan';
import { type StateRow, toWatchState } from '../schedule/state-row';
import type { HeartbeatEvent } from '../verdict/heartbeat';
import { recordResults } from './record';

/** The body of a ping. */
export interface PingBody {
  signal: string;
  text: string;
}

/** A ping of the heartbeat whose token has this hash. */
export interface Ping {
  tokenHash: string;
  event: Exclude<HeartbeatEvent, { kind: 'silence' }>;
  body: PingBody | null;
}

type Row = StateRow &
  Omit<MonitorRow, 'teamId' | 'intervalSeconds' | 'regions'> & {
    team_id: string;
    interval_seconds: number;
    is_leaving: boolean;
    now: Date;
  };

/** While another transaction has locked the heartbeat, a ping is retried with this backoff. It holds no connection between attempts. */
const WAIT_MS = { first: 20, longest: 500 };
/** A ping that waited for longer is rejected. Only the deletion of its team locks a heartbeat for that long. */
const PATIENCE_MS = 25_000;
const RETRY_AFTER_SECONDS = 30;

const REFUSED = 'This heartbeat is being changed or deleted. Try again in a moment.';

const refusal = () => new AppError('UNAVAILABLE', REFUSED, { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Returns whether a ping was rejected because its heartbeat is locked or its team is being deleted. Pings of other teams are not affected. */
export const isRefused = (error: unknown) => error instanceof AppError && error.message === REFUSED;

/** Finds a heartbeat by its token's hash, with its state and the database's time, and stores the body, in one statement. */
async function find({ tokenHash, body }: Ping, cameAt: Date | null): Promise<Row | null> {
  const kept = body
    ? Prisma.sql`, kept as (
        insert into heartbeat_bodies (monitor_id, at, signal, body)
        select id, coalesce(${cameAt}::timestamptz, clock_timestamp()), ${body.signal}, ${body.text} from found
        where not is_leaving
        on conflict (monitor_id) do update set at = excluded.at, signal = excluded.signal, body = excluded.body
        where heartbeat_bodies.at < excluded.at
      )`
    : Prisma.empty;
  const rows = await db.$queryRaw<Row[]>`
    with found as materialized (
      select ${isBeingDeleted(Prisma.sql`team_id`)} as is_leaving, id, num, team_id, type::text as type, name, config, interval_seconds, severity::text as severity, version,
        watch_changed_at as "watchChangedAt", former_watch_ms as "formerWatchMs"
      from monitors where ping_token_hash = ${tokenHash}
    )${kept}
    select found.*, s.monitor_id, s.revision, s.status, s.status_since, s.failures, s.recoveries, s.turned_at,
      s.latency_streak, s.latency_turned_at, s.open_incident::text as open_incident, s.changes, s.steady_since, s.last_checked_at, s.noise_until, s.expected_since, s.run_started_at, s.certificate, s.certificate_warned,
      s.maintenance, s.check_pauses, s.planned_until, s.held,
      clock_timestamp() as now
    from found join monitor_states s on s.monitor_id = found.id and s.region = ''`;
  return rows[0] ?? null;
}

/**
 * Records a ping: decides on the state that was read, and again if the state changed meanwhile. A ping without a body takes two statements, one to
 * find the heartbeat and one to write. No statement waits for a lock on the heartbeat.
 * @param cameAt the arrival time by the database's clock, for a ping that was kept while the database was unreachable
 * @returns the team of the heartbeat; null if there is no such heartbeat
 * @throws AppError UNAVAILABLE while its team is being deleted, or if another transaction locks the heartbeat for 25 s
 */
export async function storePing(ping: Ping, cameAt: Date | null = null): Promise<string | null> {
  const givesUpAt = performance.now() + PATIENCE_MS;
  for (let waitMs = WAIT_MS.first; ; waitMs = Math.min(waitMs * 2, WAIT_MS.longest)) {
    const row = await find(ping, cameAt);
    if (!row) return null;
    if (row.is_leaving) throw refusal();
    if (await record(row, ping, cameAt)) return row.team_id;
    if (performance.now() > givesUpAt) throw refusal();
    await sleep(waitMs);
  }
}

/**
 * Records a ping on the state that was read. Ignores it if the heartbeat is paused.
 * @returns false if another transaction has locked the state of the heartbeat
 */
async function record(row: Row, ping: Ping, cameAt: Date | null): Promise<boolean> {
  const { team_id: teamId, interval_seconds: intervalSeconds, now: takenAt, revision } = row;
  if (row.status === 'paused') return true;
  const at = cameAt && cameAt < takenAt ? cameAt : takenAt;
  const plan = toPlan({ ...row, teamId, intervalSeconds, regions: [] });
  const basis = { revision, state: toWatchState(row) };
  const finding = { at, event: ping.event };
  const result = { plan, finding, region: env.region, takenAt, claim: null, basis };
  const recorded = await recordResults(null, [result], 'skip');
  return recorded.get(row.monitor_id) !== 'held';
}
