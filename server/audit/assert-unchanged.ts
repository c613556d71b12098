import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';

/** A thing that can be edited, as its row says while it is held. */
interface Held {
  teamId: string;
  /** As audit entries name it: "monitor". */
  type: string;
  id: string;
  updatedAt: Date;
}

/** Who changed the thing last, as far as the team's audit log tells. */
async function lastEditor(tx: Tx, { teamId, type, id }: Held): Promise<string | null> {
  const entry = await tx.auditEntry.findFirst({
    where: { teamId, targetType: type, targetId: id },
    orderBy: { id: 'desc' },
    select: { actorName: true },
  });
  return entry?.actorName ?? null;
}

/**
 * Refuses an edit of an older version. The caller holds the row, so that of two edits of one version the second finds the
 * first one's `updatedAt`. Without `ifUpdatedAt` any version may be changed.
 * @throws AppError EDIT_CONFLICT
 */
export async function assertUnchanged(tx: Tx, held: Held, ifUpdatedAt: string | undefined): Promise<void> {
  if (ifUpdatedAt === undefined || Date.parse(ifUpdatedAt) === held.updatedAt.getTime()) return;
  const who = (await lastEditor(tx, held)) ?? 'Someone';
  throw new AppError('EDIT_CONFLICT', `${who} changed this since you loaded it.`);
}

/** When a thing is changed now: later than every change before, since the time tells its versions apart. */
export function nextVersion(before: Date): Date {
  return new Date(Math.max(Date.now(), before.getTime() + 1));
}
