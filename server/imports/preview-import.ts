import { recurrenceText, spanText } from '@/server/maintenance/window-words';
import { definitionOf } from '@/server/monitor-types/schema';
import { channelDefinitionOf } from '@/server/notifications/schema';
import { planLimits } from '@/server/plans/plans';
import { takeLoopTurn } from '@/server/platform/loop-share';
import type { OnOneObject } from '@/server/trpc/contexts';
import type { Draft } from './draft';
import { findExisting, refOf } from './find-existing';
import { findImport, inOtherState, readDraft, toImport } from './queries';
import type { ImportPreview, PreviewItem } from './schema';

type Drafted = Omit<PreviewItem, 'existing'>;
type Labels = Pick<PreviewItem, 'key' | 'name' | 'from' | 'notes'>;

/** How many items are described in a turn of the event loop, which takes some milliseconds. */
const AT_ONCE = 250;

/**
 * Describes the items of a draft, in the order in which they are created. Takes turns with the work of other teams. `detail` contains no secrets.
 * @param leastSeconds the plan's minimum interval, for notes on raised intervals
 */
export async function itemsOf(
  { channels, monitors, windows, pages }: Draft,
  { teamId, leastSeconds = 0 }: { teamId: string; leastSeconds?: number },
): Promise<Drafted[]> {
  const base = ({ key, name, from, notes }: Labels) => ({ key, name, from, notes });
  const described = [
    ...channels.map((each) => (): Drafted => {
      const { label, category } = channelDefinitionOf(each.input.type);
      return { ...base(each), kind: 'channel', detail: category.replaceAll('-', ' '), becomes: label };
    }),
    ...monitors.map((each) => (): Drafted => {
      const { type, config, intervalSeconds = leastSeconds } = each.input;
      const definition = definitionOf(type);
      const isRaised = intervalSeconds < leastSeconds;
      const raised = `The interval of ${intervalSeconds} s becomes ${leastSeconds} s, the minimum of the plan.`;
      const notes = isRaised ? [...each.notes, raised] : each.notes;
      const becomes = definition.form.label;
      return { ...base(each), notes, kind: 'monitor', detail: definition.target(config), becomes };
    }),
    ...windows.map((each) => (): Drafted => {
      const { recurrence = null, timezone = 'UTC' } = each.input;
      const span = `${spanText(each.input, timezone, Date.now())} (${timezone})`;
      const detail = [recurrenceText(recurrence), span].filter(Boolean).join(', first on ');
      return { ...base(each), kind: 'window', detail, becomes: 'Maintenance window' };
    }),
    ...pages.map((each) => (): Drafted => {
      return { ...base(each), kind: 'page', detail: `/status/${each.input.slug}`, becomes: 'Status page' };
    }),
  ];
  const items: Drafted[] = [];
  for (const [index, describe] of described.entries()) {
    if (index % AT_ONCE === 0) await takeLoopTurn(teamId);
    items.push(describe());
  }
  return items;
}

/**
 * Returns what an import would create, and what it cannot carry over.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT if its file was not read, or the import has started
 */
export async function previewImport({ ctx, input }: OnOneObject): Promise<ImportPreview> {
  const { db, team } = ctx;
  const row = await findImport(db, team.id, input.id);
  if (row.state !== 'ready') throw inOtherState('This import has no preview.');
  const draft = await readDraft(db, row);
  const limits = planLimits[team.plan];
  const existing = await findExisting(db, team.id, row.source, draft);
  const items = await itemsOf(draft, { teamId: team.id, leastSeconds: limits.minIntervalSeconds });
  return {
    import: await toImport(db, row),
    version: draft.version,
    items: items.map((item) => {
      return { ...item, existing: existing.get(refOf(item.kind, item.key)) ?? null };
    }),
    leftOut: draft.leftOut,
    notes: draft.notes,
    historyDays: Math.max(0, ...draft.monitors.map(({ days }) => days.length)),
    monitors: { present: await db.monitor.count({ where: { teamId: team.id } }), most: limits.monitors },
    plan: team.plan,
  };
}
