import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { type MonitorRow, toPlan } from '../schedule/plan';
import { type StateRow, toWatchState } from '../schedule/state-row';
import type { Beat } from '../verdict/heartbeat';
import { recordResults } from './record';

/** What came with a ping. */
export interface BeatBody {
  signal: string;
  text: string;
}

/** A ping of the heartbeat whose token has this hash. */
export interface Ping {
  tokenHash: string;
  beat: Exclude<Beat, { kind: 'look' }>;
  body: BeatBody | null;
}

type Row = StateRow &
  Omit<MonitorRow, 'teamId' | 'intervalSeconds' | 'regions'> & { team_id: string; interval_seconds: number; now: Date };

/** Finds a heartbeat by its token's hash, with its state and the database's time, and keeps what came: one statement. */
async function find({ tokenHash, body }: Ping, cameAt: Date | null): Promise<Row | null> {
  const kept = body
    ? Prisma.sql`, kept as (
        insert into heartbeat_bodies (monitor_id, at, signal, body)
        select id, coalesce(${cameAt}::timestamptz, clock_timestamp()), ${body.signal}, ${body.text} from found
        on conflict (monitor_id) do update set at = excluded.at, signal = excluded.signal, body = excluded.body
        where heartbeat_bodies.at < excluded.at
      )`
    : Prisma.empty;
  const rows = await db.$queryRaw<Row[]>`
    with found as (
      select id, num, team_id, type::text as type, name, config, interval_seconds, severity::text as severity, version,
        watch_changed_at as "watchChangedAt", former_watch_ms as "formerWatchMs"
      from monitors where ping_token_hash = ${tokenHash}
    )${kept}
    select found.*, s.monitor_id, s.revision, s.status, s.status_since, s.failures, s.recoveries, s.turned_at,
      s.latency_streak, s.latency_turned_at, s.open_incident::text as open_incident, s.changes, s.steady_since, s.last_checked_at, s.expected_since, s.run_started_at, s.certificate, s.certificate_warned,
      s.maintenance, s.check_pauses, s.planned_until, s.held,
      clock_timestamp() as now
    from found join monitor_states s on s.monitor_id = found.id and s.region = ''`;
  return rows[0] ?? null;
}

/**
 * Records a ping: decides on the state as it was read, and again if the state changed meanwhile. A plain ping
 * takes two statements, one to find the heartbeat, one to write.
 * @param cameAt when it came, by the database's clock, for one that was kept while the database was away
 * @returns the team of the heartbeat; null if there is no such heartbeat
 */
export async function recordBeat(ping: Ping, cameAt: Date | null = null): Promise<string | null> {
  const row = await find(ping, cameAt);
  if (!row) return null;
  const { team_id: teamId, interval_seconds: intervalSeconds, now: takenAt, revision } = row;
  if (row.status === 'paused') return teamId;
  const at = cameAt && cameAt < takenAt ? cameAt : takenAt;
  const plan = toPlan({ ...row, teamId, intervalSeconds, regions: [] });
  const basis = { revision, state: toWatchState(row) };
  const finding = { at, beat: ping.beat };
  await recordResults(null, [{ plan, finding, region: env.region, takenAt, claim: null, basis }]);
  return teamId;
}
