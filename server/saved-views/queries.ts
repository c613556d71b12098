import type { Db, Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import type { SavedView as Row } from '@/server/platform/generated/prisma/client';
import type { SavedView } from './schema';

/** Maps a view to the API form. */
export function toView({ id, name, query, isDefault, createdAt, updatedAt }: Row): SavedView {
  return { id, name, query, isDefault, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Returns the content of a view for the audit log. */
export const viewFacts = ({ name, query, isDefault }: Row) => ({ name, query, isDefault });

/** Returns the views of a team, oldest first. */
export async function listViews(db: Db, teamId: string): Promise<SavedView[]> {
  return (await db.savedView.findMany({ where: { teamId }, orderBy: { id: 'asc' } })).map(toView);
}

/**
 * Asserts that no other view of the locked team has this name.
 * @throws AppError VALIDATION_ERROR (name)
 */
export async function assertNameFree(tx: Tx, teamId: string, name: string, id?: string): Promise<void> {
  const taken = await tx.savedView.findFirst({ where: { teamId, name, ...(id && { id: { not: id } }) } });
  if (taken) throw invalidField('name', 'Your team has a view of this name already. Choose another name.');
}

/** Clears the default of all other views of the team. The caller has locked the team. */
export async function clearDefault(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx.savedView.updateMany({ where: { teamId, isDefault: true, id: { not: id } }, data: { isDefault: false } });
}
