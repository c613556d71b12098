import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { findLatest } from './queries';

/** An editable object, from its locked row. */
interface Held {
  teamId: string;
  id: string;
  updatedAt: Date;
}

/** Returns the last person who changed the object, from the team's audit log; null if unknown. */
async function lastEditor(tx: Tx, { teamId, id: target }: Held): Promise<string | null> {
  const [id] = await findLatest(tx, teamId, { action: null, target, before: null, limit: 1 });
  const entry =
    id === undefined ? null : await tx.auditEntry.findUnique({ where: { id }, select: { actorName: true } });
  return entry?.actorName ?? null;
}

/**
 * Rejects an edit of an outdated version. The caller holds a lock on the row, so that of two concurrent edits the second sees the `updatedAt` of the
 * first. Without `ifUpdatedAt`, any version can be edited.
 * @throws AppError EDIT_CONFLICT
 */
export async function assertUnchanged(tx: Tx, held: Held, ifUpdatedAt: string | undefined): Promise<void> {
  if (ifUpdatedAt === undefined || Date.parse(ifUpdatedAt) === held.updatedAt.getTime()) return;
  const who = (await lastEditor(tx, held)) ?? 'Someone';
  throw new AppError('EDIT_CONFLICT', `${who} changed this since you loaded it.`);
}

/** Returns the `updatedAt` of a new version, later than all previous ones, because it identifies versions. */
export function nextVersion(before: Date): Date {
  return new Date(Math.max(Date.now(), before.getTime() + 1));
}
