import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';

/** An editable object, from its locked row. */
interface Held {
  teamId: string;
  /** The name of the type in audit entries: "monitor". */
  type: string;
  id: string;
  updatedAt: Date;
}

/** The last person who changed the object, from the team's audit log. */
async function lastEditor(tx: Tx, { teamId, type, id }: Held): Promise<string | null> {
  const entry = await tx.auditEntry.findFirst({
    where: { teamId, targetType: type, targetId: id },
    orderBy: { id: 'desc' },
    select: { actorName: true },
  });
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

/** The `updatedAt` of a new version, later than all previous ones, because it identifies versions. */
export function nextVersion(before: Date): Date {
  return new Date(Math.max(Date.now(), before.getTime() + 1));
}
