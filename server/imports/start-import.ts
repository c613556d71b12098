import { recordAudit } from '@/server/audit/record-audit';
import { planLimits } from '@/server/plans/plans';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { lockTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { findExisting, refOf } from './find-existing';
import { itemsOf } from './preview-import';
import { findImport, inOtherState, readDraft, toImport } from './queries';
import { type Import, type ImportKind, type ImportSource, type StartImportInput, sources } from './schema';

/** The number of items that one statement inserts, because 5,000 would block the thread for a quarter of a second. */
const AT_ONCE = 250;

interface NewItem {
  kind: ImportKind;
  key: string;
  name: string;
  isCopy: boolean;
  outcome: 'waiting' | 'kept';
  objectId: string | null;
  note: string | null;
}

const countOf = (items: NewItem[], kind: ImportKind) =>
  items.filter((item) => item.kind === kind && item.outcome === 'waiting' && item.objectId === null).length;

/**
 * Checks, before anything is created, that an import does not exceed the plan.
 * @throws AppError PLAN_LIMIT_REACHED
 */
async function assertRoom(tx: Tx, { id: teamId, plan }: TeamContext['team'], items: NewItem[]): Promise<void> {
  const { monitors, statusPages } = planLimits[plan];
  const refuse = (limit: number, what: string, present: number, added: number) => {
    if (present + added <= limit || added === 0) return;
    const message = `The ${plan} plan allows ${limit} ${what}: ${present} exist, and ${added} would be added.`;
    throw new AppError('PLAN_LIMIT_REACHED', message);
  };
  const where = { teamId };
  if (monitors !== null) refuse(monitors, 'monitors', await tx.monitor.count({ where }), countOf(items, 'monitor'));
  if (statusPages !== null)
    refuse(statusPages, 'status pages', await tx.statusPage.count({ where }), countOf(items, 'page'));
}

/**
 * Starts an import with these choices: stores its items in the order of their creation, for `runImport`. If there is nothing to create or update, the
 * import is done at once.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT if it has started, PLAN_LIMIT_REACHED
 */
export async function startImport({ ctx, input }: Call<StartImportInput>): Promise<Import> {
  const { team } = ctx;
  const row = await findImport(ctx.db, team.id, input.id);
  if (row.state !== 'ready') throw inOtherState('This import has started.');
  const draft = await readDraft(ctx.db, row);
  const existing = await findExisting(ctx.db, team.id, row.source, draft);
  const [skip, copy, update] = [input.skip, input.copy, input.update].map((refs) => new Set(refs));
  const drafted = await itemsOf(draft, { teamId: team.id });
  const items = drafted.flatMap(({ kind, key, name }): NewItem[] => {
    const ref = refOf(kind, key);
    const present = existing.get(ref);
    if (skip?.has(ref)) return [];
    const item = { kind, key, name, note: null, isCopy: false };
    if (!present || copy?.has(ref)) {
      return [{ ...item, isCopy: present?.isImported ?? false, outcome: 'waiting', objectId: null }];
    }
    const isUpdated = kind === 'monitor' && present.isImported && update?.has(ref);
    return [{ ...item, outcome: isUpdated ? 'waiting' : 'kept', objectId: present.id }];
  });
  await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    await assertRoom(tx, team, items);
    const { startPaused, history } = input;
    const next = items.some(({ outcome }) => outcome === 'waiting')
      ? { state: 'running' as const }
      : { state: 'done' as const, draft: null, endedAt: await databaseNow(tx) };
    const started = await tx.import.updateMany({
      where: { id: row.id, state: 'ready' },
      data: { ...next, startPaused, history },
    });
    if (started.count === 0) throw inOtherState('This import has started.');
    const rows = items.map((item, position) => ({ ...item, importId: row.id, position }));
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      await tx.importItem.createMany({ data: rows.slice(from, from + AT_ONCE) });
    }
    const target = { type: 'import', id: row.id, name: row.fileName };
    const after = { source: sources[row.source as ImportSource].label, items: items.length };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'import.start', target, after });
  });
  return toImport(ctx.db, await findImport(ctx.db, team.id, row.id));
}
