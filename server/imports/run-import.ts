import { isExternalIdTaken } from '@/server/external-ids/setting-external-id';
import { databaseNow } from '@/server/platform/database-now';
import { isDataError } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { ImportItem as ItemRow, Prisma } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { takeLoopTurn } from '@/server/platform/loop-share';
import type { OnOneObject, TeamContext } from '@/server/trpc/contexts';
import { addComponents, createItem, type Run, updateItem } from './create-item';
import { importedId } from './find-existing';
import { findImport, type ImportRow, readDraft, readFingerprint, toImport } from './queries';
import { type Import, ImportKind, type ImportState } from './schema';

/** How long one call works, and how long its claim on the import is valid. */
const WORK_MS = 2_000;
const CLAIM_MS = 60_000;
/** The number of items that a call reads at a time, because most calls end before they reach the last one. */
const READ_AT_ONCE = 250;

/** Claims an import for one request at a time and runs `work`. Does nothing if another request holds the claim, or the import is in another state. */
export async function withClaim(
  { db, team }: TeamContext,
  id: string,
  state: ImportState,
  work: (row: ImportRow) => Promise<void>,
): Promise<void> {
  const now = await databaseNow(db);
  const claimedUntil = new Date(now.getTime() + CLAIM_MS);
  const { count } = await db.import.updateMany({
    where: { id, teamId: team.id, state, OR: [{ claimedUntil: null }, { claimedUntil: { lt: now } }] },
    data: { claimedUntil },
  });
  if (count === 0) return;
  try {
    await work(await findImport(db, team.id, id));
  } finally {
    // After the claim expired, another request may hold it.
    await db.import.updateMany({ where: { id, teamId: team.id, claimedUntil }, data: { claimedUntil: null } });
  }
}

const keyOf = ({ importId, position }: ItemRow) => ({ importId_position: { importId, position } });

/** Reads the IDs of an import's objects of one kind that exist so far, by key. */
async function readObjects({ db }: TeamContext, importId: string, kind: ImportKind): Promise<Map<string, string>> {
  const rows = await db.importItem.findMany({
    where: { importId, kind, objectId: { not: null }, outcome: { in: ['created', 'updated', 'kept'] } },
    select: { key: true, objectId: true },
  });
  return new Map(rows.flatMap(({ key, objectId }) => (objectId === null ? [] : [[key, objectId]])));
}

/** Returns the ID of the team's object of a kind with this ID or external ID; null if there is none. */
async function findObject(
  { db, team }: TeamContext,
  kind: ImportKind,
  by: { id: string } | { externalId: string },
): Promise<string | null> {
  const where = { teamId: team.id, ...by };
  const select = { id: true } as const;
  switch (kind) {
    case 'channel':
      return (await db.channel.findFirst({ where, select }))?.id ?? null;
    case 'monitor':
      return (await db.monitor.findFirst({ where, select }))?.id ?? null;
    case 'window':
      return (await db.maintenanceWindow.findFirst({ where, select }))?.id ?? null;
    case 'page':
      return (await db.statusPage.findFirst({ where, select }))?.id ?? null;
    default:
      return kind satisfies never;
  }
}

/**
 * Creates or updates the object of an item, and stores the outcome. An object that is refused fails with a note and does not affect the others.
 * @returns the object's ID; null if there is none
 * @throws errors that concern all items, such as an unavailable server
 */
async function runItem(run: Run, item: ItemRow): Promise<string | null> {
  const { ctx } = run;
  const kind = ImportKind.parse(item.kind);
  const set = (data: Partial<Omit<ItemRow, 'importId'>>) => ctx.db.importItem.update({ where: keyOf(item), data });
  /** The object that the item updates, if any. */
  const present = item.outcome === 'waiting' ? item.objectId : null;
  const fail = async (note: string) => {
    await set({ outcome: 'failed', objectId: present, note });
    return present;
  };
  try {
    if (present !== null) {
      await updateItem(run, item.key, present);
      await set({ outcome: 'updated' });
      return present;
    }
    const { key, isCopy } = item;
    // The ID is stored before the object, so that after an interruption it is known whether this import created it, and not another one of the same
    // file.
    const id = item.objectId ?? newId();
    const isCreated = item.objectId !== null && (await findObject(ctx, kind, { id })) !== null;
    await set({ outcome: 'started', objectId: id });
    const made = isCreated ? { id, note: null } : await createItem(run, { kind, key, isCopy, id });
    const lacking = kind === 'page' ? await addComponents(run, key, made.id) : null;
    const fingerprint = await readFingerprint(ctx.db, ctx.team.id, kind, made.id);
    await set({
      outcome: 'created',
      objectId: made.id,
      note: [made.note, lacking].filter(Boolean).join(' ') || null,
      fingerprint,
    });
    return made.id;
  } catch (error) {
    if (isExternalIdTaken(error)) {
      const externalId = importedId(run.row.source, run.draft, kind, item.key);
      const objectId = await findObject(ctx, kind, { externalId });
      await set({ outcome: 'kept', objectId });
      return objectId;
    }
    if (isDataError(error)) {
      log.warn({ err: error, importId: item.importId, key: item.key }, 'An item of an import could not be stored');
      return fail('One of its settings cannot be stored.');
    }
    // An error of the server or the credential concerns all items, so the next call continues with this one.
    const isOfItem = error instanceof AppError && !['UNAVAILABLE', 'INTERNAL', 'UNAUTHENTICATED'].includes(error.code);
    if (!isOfItem) throw error;
    const [issue] = error.issues ?? [];
    return fail(issue ? `${issue.path}: ${issue.message}` : error.message);
  }
}

/** Reads the next items without an outcome. */
function readWaiting({ db }: TeamContext, importId: string): Promise<ItemRow[]> {
  const where: Prisma.ImportItemWhereInput = { importId, outcome: { in: ['waiting', 'started'] } };
  return db.importItem.findMany({ where, orderBy: { position: 'asc' }, take: READ_AT_ONCE });
}

/** Runs items until the time is over. After the last one, ends the import and deletes its draft. */
async function runSome(ctx: TeamContext, row: ImportRow): Promise<void> {
  const draft = await readDraft(ctx.db, row);
  const endsAt = performance.now() + WORK_MS;
  const channels = await readObjects(ctx, row.id, 'channel');
  const monitors = await readObjects(ctx, row.id, 'monitor');
  for (let items = await readWaiting(ctx, row.id); items.length > 0; items = await readWaiting(ctx, row.id)) {
    for (const item of items) {
      if (performance.now() > endsAt) return;
      await takeLoopTurn(ctx.team.id);
      const objectId = await runItem({ ctx, row, draft, channels, monitors }, item);
      if (objectId === null) continue;
      if (item.kind === 'channel') channels.set(item.key, objectId);
      else if (item.kind === 'monitor') monitors.set(item.key, objectId);
    }
  }
  const done = { state: 'done' as const, draft: null, endedAt: await databaseNow(ctx.db) };
  await ctx.db.import.updateMany({ where: { id: row.id, state: 'running' }, data: done });
}

/**
 * Creates the next objects of a running import, for about two seconds. Callers repeat it until the import is done. Of concurrent calls only one
 * works; the others just return the progress.
 * @throws AppError NOT_FOUND
 */
export async function runImport({ ctx, input }: OnOneObject): Promise<Import> {
  const { db, team } = ctx;
  await withClaim(ctx, input.id, 'running', (row) => runSome(ctx, row));
  return toImport(db, await findImport(db, team.id, input.id));
}
