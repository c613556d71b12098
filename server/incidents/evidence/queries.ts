import { type Db, db, type Tx } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { EvidenceKind } from '@/server/platform/generated/prisma/enums';
import { ofExistingTeam } from '../queries';

/** Inserts the evidence of verdicts. Their attempts are bound to it afterwards. */
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

/** Binds stored attempts to their evidence. */
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
 * @returns how many
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

/** Evidence whose team exists: a deletion removes the team's objects at once, and its rows later. */
export const ofTeams = { incident: ofExistingTeam };

/** The IDs of evidence after this one that is not in the object storage yet. */
export async function unstoredIds(after: string, take: number): Promise<string[]> {
  const where = { storedAt: null, id: { gt: after }, ...ofTeams };
  const rows = await db.incidentEvidence.findMany({ where, take, orderBy: { id: 'asc' }, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** Reads evidence and the team that its object belongs to, with its attempts if it is not in the object storage yet. */
export async function readRows(where: Prisma.IncidentEvidenceWhereInput, take: number, from: Db = db) {
  return from.incidentEvidence.findMany({
    where,
    take,
    orderBy: { id: 'asc' },
    include: {
      attempts: { select: { content: true }, orderBy: [{ at: 'asc' }, { row: 'asc' }] },
      incident: { select: { teamId: true, type: true, monitor: { select: { num: true } } } },
    },
  });
}

export type EvidenceRow = Awaited<ReturnType<typeof readRows>>[number];
