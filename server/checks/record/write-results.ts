import { type Db, db } from '@/server/platform/db';
import type { BeatFinding, Finding } from '../run/run';
import type { Claim } from '../schedule/claim';
import type { Plan } from '../schedule/plan';
import type { CertificateChange, CertificateState } from '../verdict/certificate';
import type { BeatState } from '../verdict/heartbeat';
import type { Transition } from '../verdict/transition';
import type { CheckRow } from './check-row';

/** A finding that is to count. */
export interface Result {
  plan: Plan;
  finding: Finding | BeatFinding;
  region: string;
  /** When it was taken, by the database's clock. */
  takenAt: Date;
  /** Null for a check made out of turn. */
  claim: Claim | null;
  /** Out of turn: the state as it was read, to be decided on as long as it is the same. */
  basis?: Pick<Claim, 'state' | 'revision'>;
}

/** A result with what it changes, decided on one revision of the monitor's state. */
export interface Decided {
  result: Result;
  revision: number;
  /** Null where there is nothing to keep. */
  check: CheckRow | null;
  change: Omit<Transition, 'dueAt'> & { dueAt: Date | null };
  beat: BeatState;
  certificate: { state: CertificateState; change: CertificateChange | null; isNew: boolean };
  /** Why the monitor is not up, where that is not what its last check saw. */
  reason?: { error: string | null };
}

function toRow({ result, revision, check, change, beat, certificate, reason }: Decided) {
  const { id, num, version } = result.plan.monitor;
  const { state, dueAt } = change;
  // A check that is older than the last one is kept, but the monitor shows what the later one saw.
  const isLast = check !== null && state.lastCheckedAt?.getTime() === check.at.getTime();
  const { certificateWarned } = certificate.state;
  return {
    ...{ id, num, version, revision, dueAt, isLast, ...state, ...beat, checkStatus: check?.status, check, reason },
    // It is written only where it is another one than before.
    ...{
      certificateWarned,
      newCertificate: certificate.isNew,
      certificate: certificate.isNew ? certificate.state.certificate : null,
    },
  };
}

/**
 * Writes checks and the states they lead to in one statement, and gives back those it wrote: left out are those whose claim is lost,
 * whose monitor was edited, deleted or paused, or whose state is another revision. Without a worker, claims of others stay as they are.
 * States are locked in the order of their ids, as everywhere. A worker's results of which nothing else follows, so those outside of a transaction, wait
 * for no disk: a crash of the database may lose the last second or so of them, and then these checks are due again. A ping that was answered is not.
 */
export async function writeResults(tx: Db, worker: string | null, decided: Decided[]): Promise<Decided[]> {
  if (decided.length === 0) return [];
  const [row] = await tx.$queryRaw<{ written: string | null }[]>`
    with result as materialized (
      select r.*, c.at, c.region, c."latencyMs", c."dnsMs", c."connectMs", c."tlsMs", c."firstByteMs", c."downloadMs",
        c."statusCode", c.error
      from jsonb_to_recordset(${JSON.stringify(decided.map(toRow))}::jsonb) as r (
        id text, num int, version int, revision int, "dueAt" timestamptz, "isLast" boolean, status monitor_status,
        "statusSince" timestamptz, failures int, recoveries int, "turnedAt" timestamptz, "latencyStreak" int, "latencyTurnedAt" timestamptz,
        "openIncident" incident_type, changes timestamptz[], "steadySince" timestamptz,
        "lastCheckedAt" timestamptz, "expectedSince" timestamptz, "runStartedAt" timestamptz,
        "certificateWarned" boolean, "newCertificate" boolean, certificate jsonb, "checkStatus" monitor_status, "check" jsonb,
        reason jsonb
      ) left join lateral jsonb_to_record(r."check") as c (
        at timestamptz, region text, "latencyMs" int, "dnsMs" int, "connectMs" int, "tlsMs" int, "firstByteMs" int,
        "downloadMs" int, "statusCode" int, error text
      ) on true
    ), locked as materialized (
      select s.monitor_id from monitor_states s join result r on r.id = s.monitor_id
      where s.revision = r.revision and s.status <> 'paused'
        and (${worker}::text is null or s.claimed_by = ${worker}::text)
      order by s.monitor_id for update of s
    ), applied as (
      update monitor_states s set
        due_at = case when ${worker}::text is null and s.claimed_by is not null then s.due_at else r."dueAt" end,
        claimed_until = case when ${worker}::text is null then s.claimed_until end,
        claimed_by = case when ${worker}::text is null then s.claimed_by end,
        status = r.status, status_since = r."statusSince", failures = r.failures, recoveries = r.recoveries,
        turned_at = r."turnedAt", latency_streak = r."latencyStreak", latency_turned_at = r."latencyTurnedAt",
        open_incident = r."openIncident", changes = r.changes, steady_since = r."steadySince", last_checked_at = r."lastCheckedAt",
        expected_since = r."expectedSince", run_started_at = r."runStartedAt",
        certificate_warned = r."certificateWarned",
        certificate = case when r."newCertificate" then r.certificate else s.certificate end,
        last_latency_ms = case when r."isLast" then r."latencyMs" else s.last_latency_ms end,
        last_error = case
          when r.reason is not null then r.reason->>'error' when r."isLast" then r.error else s.last_error end,
        revision = s.revision + 1
      from locked join result r on r.id = locked.monitor_id join monitors m on m.id = r.id and m.version = r.version
      where s.monitor_id = r.id and s.revision = r.revision and s.status <> 'paused'
        and (${worker}::text is null or s.claimed_by = ${worker}::text)
      returning s.monitor_id
    ), kept as (
      insert into checks (monitor_num, at, region, status, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms,
        download_ms, status_code, error)
      select r.num, r.at, r.region, r."checkStatus", r."latencyMs", r."dnsMs", r."connectMs", r."tlsMs", r."firstByteMs",
        r."downloadMs", r."statusCode", r.error
      from result r join applied on applied.monitor_id = r.id
      where r."checkStatus" is not null
        -- Exact, since the state's row is locked; "on conflict" would write more to the log with every check.
        and not exists (select 1 from checks c where c.monitor_num = r.num and c.at = r.at and c.region = r.region)
    )
    select (select string_agg(monitor_id, ' ') from applied) as written,
      case when ${tx === db && worker !== null} then set_config('synchronous_commit', 'off', true) end`;
  const written = new Set(row?.written?.split(' '));
  return decided.filter(({ result }) => written.has(result.plan.monitor.id));
}
