import type { Tx } from '@/server/platform/db';
import type { MonitorState } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import type { CheckedIncident } from '../open-key';
import { bindAttempts, insertEvidence } from './queries';

/** A verdict that opened or resolved an incident. */
export interface IncidentVerdict {
  incidentId: string;
  monitorId: string;
  type: CheckedIncident;
  kind: 'opened' | 'resolved';
}

interface Attempt {
  id: string;
  monitorId: string;
  row: string;
  at: Date;
  status: MonitorState['status'];
}

type Row = Pick<
  MonitorState,
  'region' | 'status' | 'statusSince' | 'failures' | 'recoveries' | 'turnedAt' | 'latencyStreak' | 'latencyTurnedAt'
>;

/** An attempt with its stored content. */
export type WrittenAttempt = Attempt & { content: Uint8Array<ArrayBuffer> };

/** The maximum number of attempts per verdict. */
const MOST_ATTEMPTS = 40;

/** Returns the statuses of checks that support a verdict: the failing ones for an opening, the passing ones for a resolution. */
function sidesOf({ type, kind }: IncidentVerdict): Attempt['status'][] {
  if (type === 'certificate') return [];
  if (kind === 'opened') return [type === 'downtime' ? 'down' : 'degraded'];
  return type === 'downtime' ? ['up', 'degraded'] : ['up'];
}

/** Returns when the current streak of checks with one of these statuses began in a region; null if there is none. */
function sinceOf(row: Row, sides: Attempt['status'][]): Date | null {
  if (sides.includes(row.status)) return row.statusSince;
  if (row.failures > 0 === sides.includes('down') && row.turnedAt) return row.turnedAt;
  return !sides.includes('down') && row.latencyStreak > 0 ? row.latencyTurnedAt : null;
}

/** Returns the attempts that a verdict counts: in each region, those of the streak that led to it; at most `MOST_ATTEMPTS`. Pure. */
export function countedIn<A extends Attempt>(verdict: IncidentVerdict, attempts: A[], rows: Row[]): A[] {
  const sides = sidesOf(verdict);
  const since = new Map(rows.map((row) => [row.region, sinceOf(row, sides)]));
  const counted = attempts.filter(({ row, at, status }) => {
    const start = since.get(row);
    return sides.includes(status) && start != null && at >= start;
  });
  return counted.slice(0, MOST_ATTEMPTS);
}

const isCertificate = ({ type }: Pick<IncidentVerdict, 'type'>) => type === 'certificate';

/** Drops the resolution of an incident that another one replaces, because the same checks are the evidence of the new one. */
function withoutReplaced(verdicts: IncidentVerdict[]): IncidentVerdict[] {
  const isOpened = new Set(
    verdicts.flatMap(({ kind, monitorId, type }) => (kind === 'opened' && type !== 'certificate' ? [monitorId] : [])),
  );
  return verdicts.filter(
    ({ kind, type, monitorId }) => kind === 'opened' || type === 'certificate' || !isOpened.has(monitorId),
  );
}

const groupBy = <T extends { monitorId: string }>(items: T[]) => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(item.monitorId, [...(groups.get(item.monitorId) ?? []), item]);
  return groups;
};

/**
 * Inserts evidence for each verdict and assigns the stored attempts that the verdict counts. Deletes the attempts of these monitors that no verdict
 * counted, because no later one can. The caller's transaction has locked the monitors' states.
 * @param present the attempts of the results that led to the verdicts
 */
export async function writeVerdicts(tx: Tx, verdicts: IncidentVerdict[], present: WrittenAttempt[]): Promise<void> {
  const kept = withoutReplaced(verdicts);
  if (kept.length === 0) return;
  const monitorIds = [...new Set(kept.map(({ monitorId }) => monitorId))];
  const where = { monitorId: { in: monitorIds } };
  const select = { id: true, monitorId: true, row: true, at: true, status: true } as const;
  const waiting = groupBy(
    await tx.checkAttempt.findMany({
      where: { ...where, evidenceId: null },
      select,
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
    }),
  );
  const rows = groupBy(await tx.monitorState.findMany({ where }));
  const latest = groupBy(present);
  const now = new Date();
  const bound = kept.map((verdict) => ({ id: newId(), ...verdict }));
  await insertEvidence(tx, bound, now);
  const [certificates, statuses] = [bound.filter(isCertificate), bound.filter((each) => !isCertificate(each))];
  // Copies the attempts, because the same checks may also count for a verdict about the status.
  await tx.checkAttempt.createMany({
    data: certificates.flatMap(({ id, monitorId }) =>
      (latest.get(monitorId) ?? []).map((attempt) => ({ ...attempt, id: newId(), evidenceId: id })),
    ),
  });
  await bindAttempts(
    tx,
    statuses.flatMap(({ id, ...verdict }) => {
      const { monitorId } = verdict;
      const counted = countedIn(verdict, waiting.get(monitorId) ?? [], rows.get(monitorId) ?? []);
      const attempts = counted.length > 0 ? counted : (latest.get(monitorId) ?? []);
      return attempts.map((attempt) => ({ id: attempt.id, evidenceId: id }));
    }),
  );
  const decided = { in: statuses.map(({ monitorId }) => monitorId) };
  await tx.checkAttempt.deleteMany({ where: { monitorId: decided, evidenceId: null } });
}
