import type { Call, OnOneObject } from '@/server/trpc/contexts';
import { findImport, toImport } from './queries';
import { type Import, ImportKind, type ImportReport, MOST_ENDED } from './schema';

const MOST_REPORTED = 500;

/** Returns the latest imports of the team whose files were read, newest first. */
export async function listImports({ ctx }: Call<undefined>): Promise<Import[]> {
  const rows = await ctx.db.import.findMany({
    where: { teamId: ctx.team.id, state: { not: 'uploading' } },
    omit: { draft: true },
    orderBy: { id: 'desc' },
    take: MOST_ENDED,
  });
  return Promise.all(rows.map((row) => toImport(ctx.db, row)));
}

/**
 * Returns an import with the items that need attention: failed, left by an undo, or with a note; at most 500.
 * @throws AppError NOT_FOUND
 */
export async function getImport({ ctx, input }: OnOneObject): Promise<ImportReport> {
  const row = await findImport(ctx.db, ctx.team.id, input.id);
  const items = await ctx.db.importItem.findMany({
    where: { importId: row.id, OR: [{ outcome: { in: ['failed', 'left'] } }, { note: { not: null } }] },
    orderBy: { position: 'asc' },
    take: MOST_REPORTED,
  });
  return {
    import: await toImport(ctx.db, row),
    items: items.map(({ kind, name, outcome, objectId, note }) => {
      return { kind: ImportKind.parse(kind), name, outcome, objectId, note };
    }),
  };
}
