import type { BulkResult } from '@/server/lists/schema';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { BulkMonitorsInput } from '@/server/monitor-types/schema';
import { lockMonitors, shareTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { viewFor } from '../queries';
import { auditBulk, type BulkChange, readAll } from './bulk-change';
import { checkAll } from './check-all';
import { deleteLater, restore } from './delete-later';
import { setChannelsOfAll } from './set-channels-of-all';
import { switchAll } from './switch-all';
import { tagAll } from './tag-all';

function changeOf(ctx: TeamContext, input: BulkMonitorsInput): BulkChange {
  switch (input.action) {
    case 'pause':
    case 'resume':
      return switchAll(input.action === 'resume');
    case 'check':
      return checkAll;
    case 'delete':
      return deleteLater(ctx);
    case 'restore':
      return restore;
    case 'addTag':
    case 'removeTag':
      return tagAll(input.tag, input.action === 'addTag');
    case 'setChannels':
      return setChannelsOfAll(input.channelIds);
    default:
      return input satisfies never;
  }
}

/**
 * Changes monitors in one transaction, with about the same number of statements for any number of monitors. A monitor that cannot be changed gets the
 * outcome `refused` with the reason, and does not affect the others.
 * @returns one result per ID, in the order of the input
 * @throws AppError VALIDATION_ERROR (an unknown channel)
 */
export async function bulkMonitors({ ctx, input }: Call<BulkMonitorsInput>): Promise<BulkResult[]> {
  const { team } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Keeps the team's maintenance windows from changing before the monitors are added to those of their tags.
    await shareTeam(tx, team.id);
    const found = await lockMonitors(tx, team.id, input.ids);
    const before = await readAll(tx, found);
    const { changed, refused = new Map(), audit } = await changeOf(ctx, input)(tx, team.id, before);
    if (audit) await auditBulk(tx, ctx, audit, { before: changed, view: viewFor(ctx) });
    const [known, done] = [new Set(found), new Set(changed.map(({ id }) => id))];
    return input.ids.map((id): BulkResult => {
      const refusal = known.has(id) ? refused.get(id) : monitorNotFound();
      if (refusal) return { id, outcome: 'refused', error: { code: refusal.code, message: refusal.message } };
      return { id, outcome: done.has(id) ? 'done' : 'unchanged', error: null };
    });
  });
}
