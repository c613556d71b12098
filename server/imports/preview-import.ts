import { definitionOf } from '@/server/monitor-types/schema';
import { channelDefinitionOf } from '@/server/notifications/schema';
import { planLimits } from '@/server/plans/plans';
import type { OnOneObject } from '@/server/trpc/contexts';
import type { Draft } from './draft';
import { findExisting, refOf } from './find-existing';
import { findImport, inOtherState, readDraft, toImport } from './queries';
import type { ImportPreview, PreviewItem } from './schema';

type Drafted = Omit<PreviewItem, 'existing'>;
type Labels = Pick<PreviewItem, 'key' | 'name' | 'from' | 'notes'>;

/** The items of a draft in the order of their creation. `detail` shows no secrets. */
export function itemsOf({ channels, monitors, windows, pages }: Draft, leastSeconds = 0): Drafted[] {
  const base = ({ key, name, from, notes }: Labels) => ({ key, name, from, notes });
  return [
    ...channels.map((each) => {
      const { label, category } = channelDefinitionOf(each.input.type);
      return { ...base(each), kind: 'channel' as const, detail: category.replaceAll('-', ' '), becomes: label };
    }),
    ...monitors.map((each) => {
      const { type, config, intervalSeconds = leastSeconds } = each.input;
      const definition = definitionOf(type);
      const isRaised = intervalSeconds < leastSeconds;
      const raised = `The interval of ${intervalSeconds} s becomes ${leastSeconds} s, the minimum of the plan.`;
      const notes = isRaised ? [...each.notes, raised] : each.notes;
      const becomes = definition.form.label;
      return { ...base(each), notes, kind: 'monitor' as const, detail: definition.target(config), becomes };
    }),
    ...windows.map((each) => {
      const { recurrence } = each.input;
      const detail = recurrence ?? each.input.startsAt;
      return { ...base(each), kind: 'window' as const, detail, becomes: 'Maintenance window' };
    }),
    ...pages.map((each) => {
      return { ...base(each), kind: 'page' as const, detail: `/status/${each.input.slug}`, becomes: 'Status page' };
    }),
  ];
}

/**
 * What an import would create, and what it cannot carry over.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT
 */
export async function previewImport({ ctx, input }: OnOneObject): Promise<ImportPreview> {
  const { db, team } = ctx;
  const row = await findImport(db, team.id, input.id);
  if (row.state !== 'ready') throw inOtherState('This import has no preview.');
  const draft = await readDraft(db, row);
  const limits = planLimits[team.plan];
  const existing = await findExisting(db, team.id, row.source, draft);
  return {
    import: await toImport(db, row),
    version: draft.version,
    items: itemsOf(draft, limits.minIntervalSeconds).map((item) => {
      return { ...item, existing: existing.get(refOf(item.kind, item.key)) ?? null };
    }),
    leftOut: draft.leftOut,
    notes: draft.notes,
    historyDays: Math.max(0, ...draft.monitors.map(({ days }) => days.length)),
    monitors: { present: await db.monitor.count({ where: { teamId: team.id } }), most: limits.monitors },
    plan: team.plan,
  };
}
