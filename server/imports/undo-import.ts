import { recordAudit } from '@/server/audit/record-audit';
import { deleteWindow } from '@/server/maintenance/delete-window';
import { deleteMonitor } from '@/server/monitors/delete-monitor';
import { deleteChannel } from '@/server/notifications/delete-channel';
import { databaseNow } from '@/server/platform/database-now';
import { AppError } from '@/server/platform/errors';
import type { ImportItem as ItemRow, Prisma } from '@/server/platform/generated/prisma/client';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { deleteStatusPage } from '@/server/status-pages/delete-status-page';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { describeUse, findImport, type ImportRow, inOtherState, readFingerprint, toImport } from './queries';
import { withClaim } from './run-import';
import { type Import, ImportKind, type UndoImportInput } from './schema';

const WORK_MS = 2_000;
/** The number of items that a call reads at a time, because most calls end before they reach the last one. */
const READ_AT_ONCE = 250;

const verbs = {
  channel: deleteChannel,
  monitor: deleteMonitor,
  window: deleteWindow,
  page: deleteStatusPage,
} satisfies Record<ImportKind, (call: { ctx: TeamContext; input: { id: string } }) => Promise<unknown>>;

/** Returns why an undo must leave an object: it was changed, or something uses it. Null if it can be deleted, or is deleted already. */
async function reasonToKeep(ctx: TeamContext, kind: ImportKind, id: string, item: ItemRow): Promise<string | null> {
  const fingerprint = await readFingerprint(ctx.db, ctx.team.id, kind, id);
  if (fingerprint === null) return null;
  if (item.fingerprint === null) return 'The import was interrupted after it was created.';
  if (fingerprint !== item.fingerprint) return 'It was changed since the import.';
  return describeUse(ctx.db, ctx.team.id, kind, id);
}

/** Deletes the object of an item, or leaves it with a note that says why. */
async function undoItem(ctx: TeamContext, row: ImportRow, item: ItemRow): Promise<void> {
  const { importId, position, objectId } = item;
  const kind = ImportKind.parse(item.kind);
  const set = (data: Pick<ItemRow, 'outcome' | 'note'>) =>
    ctx.db.importItem.update({ where: { importId_position: { importId, position } }, data });
  if (objectId === null) return;
  const note = row.undoesChanged ? null : await reasonToKeep(ctx, kind, objectId, item);
  if (note !== null) {
    await set({ outcome: 'left', note });
    return;
  }
  try {
    await verbs[kind]({ ctx, input: { id: objectId } });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
  }
  await set({ outcome: 'deleted', note: null });
}

/** Reads the last items that were created and are not undone yet, latest first. */
function readCreated({ db }: TeamContext, importId: string): Promise<ItemRow[]> {
  const where: Prisma.ImportItemWhereInput = {
    importId,
    outcome: { in: ['created', 'started'] },
    objectId: { not: null },
  };
  return db.importItem.findMany({ where, orderBy: { position: 'desc' }, take: READ_AT_ONCE });
}

/** Deletes objects in the reverse order of their creation until the time is over, so that users of an object are deleted before it. */
async function undoSome(ctx: TeamContext, row: ImportRow): Promise<void> {
  const endsAt = performance.now() + WORK_MS;
  for (let items = await readCreated(ctx, row.id); items.length > 0; items = await readCreated(ctx, row.id)) {
    for (const item of items) {
      if (performance.now() > endsAt) return;
      await takeLoopTurn(ctx.team.id);
      await undoItem(ctx, row, item);
    }
  }
  const undone = { state: 'undone' as const, endedAt: await databaseNow(ctx.db) };
  await ctx.db.import.updateMany({ where: { id: row.id, state: 'undoing' }, data: undone });
}

/** Starts the undo of an import; does nothing if it has started. With `includeChanged`, also undoes what an earlier undo left. */
async function begin(ctx: TeamContext, id: string, includeChanged: boolean): Promise<void> {
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.import.updateMany({
      where: { id, teamId: ctx.team.id, state: { in: ['running', 'done', 'undone'] } },
      data: { state: 'undoing', draft: null, undoesChanged: includeChanged },
    });
    if (count === 0) return;
    if (includeChanged) {
      await tx.importItem.updateMany({ where: { importId: id, outcome: 'left' }, data: { outcome: 'created' } });
    }
    const { fileName } = await findImport(tx, ctx.team.id, id);
    const target = { type: 'import', id, name: fileName };
    await recordAudit(tx, ctx, { teamId: ctx.team.id, action: 'import.undo', target });
  });
}

/**
 * Deletes the objects that an import created, for about two seconds; callers repeat it until the import is undone. Leaves objects that were changed
 * since or that something else uses, unless `includeChanged` is set. Objects that the import updated stay as they are.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT if nothing was created yet
 */
export async function undoImport({ ctx, input }: Call<UndoImportInput>): Promise<Import> {
  const { db, team } = ctx;
  const { state } = await findImport(db, team.id, input.id);
  if (state === 'uploading' || state === 'ready') throw inOtherState('This import has created nothing yet.');
  if (state !== 'undoing') await begin(ctx, input.id, input.includeChanged);
  await withClaim(ctx, input.id, 'undoing', (row) => undoSome(ctx, row));
  return toImport(db, await findImport(db, team.id, input.id));
}
