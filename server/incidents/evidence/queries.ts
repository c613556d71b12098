import type { MonitorStatus } from '@/server/monitor-types/schema';
import { type Db, db, type Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { EvidenceKind } from '@/server/platform/generated/prisma/enums';
import { ofExistingTeam } from '../queries';

export interface AttemptRow {
  id: string;
  monitorId: string;
  row: string;
  at: Date;
  status: MonitorStatus;
  content: Uint8Array<ArrayBuffer>;
}

/** The maximum number of attempts kept per state row until a verdict. A verdict counts at most ten consecutive failures or successes. */
const MOST_WAITING = 40;

/** Stores attempts until a verdict counts them, and deletes the oldest uncounted ones of each state row above `MOST_WAITING`. */
export async function insertAttempts(tx: Tx, rows: AttemptRow[]): Promise<void> {
  if (rows.length === 0) return;
  // Raw: a model call takes five times the CPU for hundreds of rows, while an outage is recorded.
  await tx.$executeRaw`
    with surplus as materialized (
      select id from check_attempts where id in (
        select id from (
          select id, row_number() over (partition by monitor_id, row order by at desc, id desc) as place
          from check_attempts where monitor_id = any(${rows.map(({ monitorId }) => monitorId)}::text[]) and evidence_id is null
        ) waiting where place >= ${MOST_WAITING}
      ) for update skip locked
    ), deleted as (
      delete from check_attempts where id in (select id from surplus)
    )
    insert into check_attempts (id, monitor_id, row, at, status, content)
    select a.id, a.monitor_id, a.row, a.at, a.status::monitor_status, a.content from unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ monitorId }) => monitorId)}::text[],
      ${rows.map(({ row }) => row)}::text[],
      ${rows.map(({ at }) => at)}::timestamptz[],
      ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ content }) => content)}::bytea[]
    ) as a (id, monitor_id, row, at, status, content)`;
}

/** Inserts evidence rows without attempts. `bindAttempts` assigns the attempts afterwards. */
export async function insertEvidence(
  tx: Tx,
  rows: { id: string; incidentId: string; kind: EvidenceKind }[],
  at: Date,
): Promise<void> {
  // Raw: a model call takes many times the CPU for hundreds of rows, while an outage is recorded.
  await tx.$executeRaw`
    insert into incident_evidence (id, incident_id, kind, at)
    select e.id, e.incident_id, e.kind::evidence_kind, ${at} from unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ incidentId }) => incidentId)}::text[],
      ${rows.map(({ kind }) => kind)}::text[]
    ) as e (id, incident_id, kind)`;
}

/** Assigns stored attempts to evidence. Skips attempts that already belong to some. */
export async function bindAttempts(tx: Tx, bound: { id: string; evidenceId: string }[]): Promise<void> {
  if (bound.length === 0) return;
  const ids = bound.map(({ id }) => id);
  const evidence = bound.map(({ evidenceId }) => evidenceId);
  // Raw: one statement sets a different value in each row.
  await tx.$executeRaw`
    update check_attempts a set evidence_id = b.evidence_id
    from unnest(${ids}::text[], ${evidence}::text[]) as b (id, evidence_id)
    where a.id = b.id and a.evidence_id is null`;
}

/**
 * Deletes attempts that no verdict counted within an hour and two intervals of their monitor, which is longer than any confirmation takes.
 * @returns the number of deleted attempts, at most `limit`
 */
export function deleteUncounted(limit: number): Promise<number> {
  // Raw: the age limit depends on the monitor, which may be deleted.
  return db.$executeRaw`
    delete from check_attempts where id in (
      select a.id from check_attempts a left join monitors m on m.id = a.monitor_id
      where a.evidence_id is null
        and a.at < now() - interval '1 hour' - coalesce(m.interval_seconds, 0) * interval '2 seconds'
      limit ${limit}::int
    )`;
}

/** Selects evidence whose team exists. The deletion of a team deletes its objects at once and its rows later. */
export const ofTeams = { incident: ofExistingTeam };

/** Returns the next IDs after `after` of evidence that is not in the object storage yet. */
export async function unstoredIds(after: string, take: number): Promise<string[]> {
  const where = { storedAt: null, id: { gt: after }, ...ofTeams };
  const rows = await db.incidentEvidence.findMany({ where, take, orderBy: { id: 'asc' }, select: { id: true } });
  return rows.map(({ id }) => id);
}

const ofIncident = {
  incident: { select: { teamId: true, type: true, monitor: { select: { num: true } } } },
} satisfies Prisma.IncidentEvidenceInclude;

const inOrder = [{ at: 'asc' as const }, { row: 'asc' as const }, { id: 'asc' as const }];

/** Reads evidence and the team that its object belongs to, with its attempts if it is not in the object storage yet. */
export async function readRows(where: Prisma.IncidentEvidenceWhereInput, take: number) {
  return db.incidentEvidence.findMany({
    where,
    take,
    orderBy: { id: 'asc' },
    include: { attempts: { select: { content: true }, orderBy: inOrder }, ...ofIncident },
  });
}

export type EvidenceRow = Awaited<ReturnType<typeof readRows>>[number];

/** Evidence without its attempts, which may have several MB. */
export type EvidenceOf = Omit<EvidenceRow, 'attempts'>;

/** Returns the latest `take` evidence rows of an incident, oldest first. */
export async function readVerdicts(from: Db, incidentId: string, take: number): Promise<EvidenceOf[]> {
  const where = { incidentId };
  const latest = await from.incidentEvidence.findMany({ where, take, orderBy: { id: 'desc' }, include: ofIncident });
  return latest.reverse();
}

/** Reads a page of the attempts of evidence, oldest first. Each has up to 160 KiB. */
export function readAttempts(from: Db, evidenceId: string, { skip, take }: { skip: number; take: number }) {
  return from.checkAttempt.findMany({ where: { evidenceId }, orderBy: inOrder, skip, take, select: { content: true } });
}

/** Returns whether the attempts of evidence were moved to the object storage. */
export async function isInStorage(from: Db, id: string): Promise<boolean> {
  return (await from.incidentEvidence.count({ where: { id, storedAt: { not: null } } })) > 0;
}
