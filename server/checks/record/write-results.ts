import type { CheckRow } from '@/server/history/monitor/to-check';
import { type Db, db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { notifyWatchers } from '@/server/platform/listen';
import { type IfHeld, orSkip } from '@/server/platform/locks';
import type { Finding, HeartbeatFinding } from '../finding';
import type { Claim } from '../schedule/claim';
import type { Plan } from '../schedule/plan';
import type { CertificateChange, CertificateState } from '../verdict/certificate';
import type { HeartbeatState } from '../verdict/heartbeat';
import type { Held } from '../verdict/maintenance';
import type { IncidentChange, SpanStart, WatchState } from '../verdict/types';

/** A finding to record. */
export interface Result {
  plan: Plan;
  finding: Finding | HeartbeatFinding;
  /** The region in which the check ran. */
  region: string;
  /** When the result was taken, by the database's clock. */
  takenAt: Date;
  /** Null for a check without a claim. */
  claim: Claim | null;
  /** For a result without a claim: the state that it is decided on, if it has not changed meanwhile. */
  basis?: Pick<Claim, 'state' | 'revision'>;
}

/** The change of one of a monitor's state rows. */
export interface StateChange {
  /** '' is the monitor's own row. */
  region: string;
  /** The revision that the decision is based on. */
  revision: number;
  state: WatchState;
  dueAt: Date | null;
  heartbeat: HeartbeatState;
  certificate: { state: CertificateState; isNew: boolean };
  held: Held | null;
  /** The last check as lists and pages show it; null if it does not change. */
  shown: Pick<CheckRow, 'latencyMs' | 'error'> | null;
}

/** A result and its changes. */
export interface Decided {
  result: Result;
  /** Null if no check is stored. */
  check: CheckRow | null;
  /** Whether the check contradicts the state of its row, so that a verdict may count it and its evidence is stored. */
  keepsEvidence: boolean;
  /** The row of the claim comes first. After a region's row comes the monitor's own, which another worker may have claimed. */
  rows: [StateChange, ...StateChange[]];
  spans: SpanStart[];
  incidents: IncidentChange[];
  certificate: CertificateChange | null;
  /** Whether other regions of the monitor were made due at once. */
  isAsking?: boolean;
}

function toRows(worker: string | null, { result, check, rows }: Decided) {
  const { id, num, version } = result.plan.monitor;
  return rows.map(({ region, revision, state, dueAt, heartbeat, certificate, held, shown }, index) => ({
    id,
    num,
    version,
    region,
    revision,
    dueAt,
    ...state,
    ...heartbeat,
    shows: shown !== null,
    lastLatencyMs: shown?.latencyMs,
    lastError: shown?.error,
    ...(held && { held }),
    // The certificate is only written if it changed.
    certificateWarned: certificate.state.certificateWarned,
    newCertificate: certificate.isNew,
    certificate: certificate.isNew ? certificate.state.certificate : null,
    ...(index === 0 ? { check } : { keepsClaim: true }),
    ...(worker === null && { keepsClaim: true }),
  }));
}

/**
 * Writes checks and the resulting states in one statement, and sends live events.
 * - Skips results whose claim is lost, whose monitor was edited, deleted or paused, or whose state has another revision.
 * - Locks states in the order of their keys. With 'skip', it skips those that another transaction has locked.
 * - Outside of a transaction, a worker's results are committed asynchronously, because nothing else depends on them. After a crash of the
 *   database, the last second of them may be missing, and these checks are due again. The result of an answered ping is always committed
 *   synchronously.
 * @param worker the holder of the results' claims; null for results without claims, which do not change the claims of others
 * @returns what was written
 */
export async function writeResults(
  tx: Db,
  worker: string | null,
  decided: Decided[],
  ifHeld: IfHeld,
): Promise<Decided[]> {
  if (decided.length === 0) return [];
  const rows = decided.flatMap((each) => toRows(worker, each));
  const [row] = await tx.$queryRaw<{ written: string | null }[]>`
    with result as materialized (
      select r.*, c.at, c.region as "seenFrom", c.status as "checkStatus", c."latencyMs", c."dnsMs", c."connectMs", c."tlsMs", c."firstByteMs",
        c."downloadMs", c."statusCode", c.error
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
        id text, num int, version int, region text, revision int, "dueAt" timestamptz, shows boolean,
        status monitor_status, "statusSince" timestamptz, failures int, recoveries int, "turnedAt" timestamptz,
        "latencyStreak" int, "latencyTurnedAt" timestamptz, "openIncident" incident_type, changes timestamptz[],
        "steadySince" timestamptz, "lastCheckedAt" timestamptz, "noiseUntil" timestamptz, "expectedSince" timestamptz, "runStartedAt" timestamptz,
        "lastLatencyMs" int, "lastError" text, "certificateWarned" boolean, "newCertificate" boolean, certificate jsonb,
        held jsonb, "check" jsonb, "keepsClaim" boolean
      ) left join lateral jsonb_to_record(r."check") as c (
        at timestamptz, region text, status monitor_status, "latencyMs" int, "dnsMs" int, "connectMs" int,
        "tlsMs" int, "firstByteMs" int, "downloadMs" int, "statusCode" int, error text
      ) on true
    ), locked as materialized (
      select s.monitor_id, s.region from monitor_states s join result r on r.id = s.monitor_id and r.region = s.region
      where s.revision = r.revision and s.status <> 'paused'
        and (r."keepsClaim" or s.claimed_by = ${worker}::text)
      order by s.monitor_id, s.region for update of s ${orSkip(ifHeld)}
    ), applied as (
      update monitor_states s set
        due_at = case when r."keepsClaim" and s.claimed_by is not null then s.due_at else r."dueAt" end,
        claimed_until = case when r."keepsClaim" then s.claimed_until end,
        claimed_by = case when r."keepsClaim" then s.claimed_by end,
        status = r.status, status_since = r."statusSince", failures = r.failures, recoveries = r.recoveries,
        turned_at = r."turnedAt", latency_streak = r."latencyStreak", latency_turned_at = r."latencyTurnedAt",
        open_incident = r."openIncident", changes = r.changes, steady_since = r."steadySince",
        last_checked_at = r."lastCheckedAt", noise_until = r."noiseUntil", expected_since = r."expectedSince", run_started_at = r."runStartedAt",
        certificate_warned = r."certificateWarned", held = r.held,
        certificate = case when r."newCertificate" then r.certificate else s.certificate end,
        last_latency_ms = case when r.shows then r."lastLatencyMs" else s.last_latency_ms end,
        last_error = case when r.shows then r."lastError" else s.last_error end,
        revision = s.revision + 1
      from locked join result r on r.id = locked.monitor_id and r.region = locked.region
        join monitors m on m.id = r.id and m.version = r.version
      where s.monitor_id = r.id and s.region = r.region and s.revision = r.revision and s.status <> 'paused'
        and (r."keepsClaim" or s.claimed_by = ${worker}::text)
      returning s.monitor_id, s.region, m.team_id
    ), kept as (
      insert into checks (monitor_num, at, region, status, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        download_ms, status_code, error)
      select r.num, r.at, r."seenFrom", r."checkStatus", r."latencyMs", r."dnsMs", r."connectMs", r."tlsMs", r."firstByteMs",
        r."downloadMs", r."statusCode", r.error
      from result r join applied on applied.monitor_id = r.id and applied.region = r.region
      where r."checkStatus" is not null
        -- Safe, because the state's row is locked; "on conflict" would write more WAL with every check.
        and not exists (select 1 from checks c where c.monitor_num = r.num and c.at = r.at and c.region = r."seenFrom")
    )
    select (select string_agg(monitor_id, ' ') from applied) as written, ${notifyWatchers(Prisma.sql`applied`)},
      case when ${tx === db && worker !== null} then set_config('synchronous_commit', 'off', true) end`;
  const written = new Set(row?.written?.split(' '));
  return decided.filter(({ result }) => written.has(result.plan.monitor.id));
}
