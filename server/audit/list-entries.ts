import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';
import type { Prisma, AuditEntry as Row } from '@/server/platform/generated/prisma/client';
import { findLatest } from './queries';
import { AuditEntry, type AuditPage, type ListAuditInput } from './schema';

function toEntry(row: Row): AuditEntry {
  const { id, teamId, address, requestId, action, reason, before, after } = row;
  return AuditEntry.parse({
    id,
    at: row.at.toISOString(),
    teamId,
    actor: { kind: row.actorKind, id: row.actorId, email: row.actorName, credential: row.credential },
    address,
    requestId,
    action,
    target: { type: row.targetType, id: row.targetId, name: row.targetName },
    reason,
    before,
    after,
  });
}

/** Matches entries with this action, or with any action on this kind of object. */
function ofAction(action: string): Prisma.AuditEntryWhereInput {
  return { OR: [{ action }, { action: { startsWith: `${action.replace(/[\\%_]/g, '\\$&')}.` } }] };
}

/** Returns a page of the audit log, newest first: of a team, or with `teamId` null of the whole instance. The cursor is the ID of the last entry. */
export async function listEntries(
  db: Db,
  teamId: string | null,
  { limit, cursor, action, target }: ListAuditInput,
): Promise<AuditPage> {
  const where =
    teamId !== null && (action || target)
      ? {
          id: {
            in: await findLatest(db, teamId, {
              action: action || null,
              target: target || null,
              before: cursor ?? null,
              limit: limit + 1,
            }),
          },
        }
      : {
          ...(teamId !== null && { teamId }),
          ...(cursor !== undefined && { id: { lt: cursor } }),
          ...(action && ofAction(action)),
          ...(target && { targetId: target }),
        };
  const rows = await db.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 });
  const { page, nextCursor } = cutPage(rows, limit);
  return { entries: page.map(toEntry), nextCursor };
}
