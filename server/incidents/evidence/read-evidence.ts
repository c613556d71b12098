import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { storage } from '@/server/platform/storage';
import type { OnOneObject } from '@/server/trpc/contexts';
import { incidentNotFound } from '../queries';
import { VerdictEvidence } from '../schema';
import { assemble } from './assemble';
import { evidenceKey } from './evidence-key';
import { type EvidenceRow, readRows } from './queries';

/** More than an incident has: one opening and one resolution. */
const MOST_VERDICTS = 10;

async function load(db: Db, row: EvidenceRow): Promise<VerdictEvidence[]> {
  if (row.storedAt === null) return [await assemble(db, row)];
  const key = evidenceKey(row.incident.teamId, row);
  const stored = await storage.get(key).catch((error: unknown) => {
    log.warn({ err: error, key }, 'Evidence could not be read from the object storage');
    throw new AppError('STORAGE_UNAVAILABLE', 'The object storage cannot be reached. Try again later.');
  });
  if (!stored) return [];
  return [VerdictEvidence.parse(JSON.parse(Buffer.from(stored.bytes).toString('utf8')))];
}

/**
 * Returns the evidence of the verdicts that opened and resolved an incident, oldest first; empty for a manual incident.
 * @throws AppError NOT_FOUND, STORAGE_UNAVAILABLE (the object storage is unreachable)
 */
export async function readEvidence({ ctx, input }: OnOneObject): Promise<{ evidence: VerdictEvidence[] }> {
  const { team, db } = ctx;
  const incident = await db.incident.findFirst({ where: { id: input.id, teamId: team.id }, select: { id: true } });
  if (!incident) throw incidentNotFound();
  const rows = await readRows({ incidentId: incident.id }, MOST_VERDICTS, db);
  return { evidence: (await Promise.all(rows.map((row) => load(db, row)))).flat() };
}
