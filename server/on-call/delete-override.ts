import { recordAudit } from '@/server/audit/record-audit';
import { notify } from '@/server/platform/listen';
import type { Call } from '@/server/trpc/contexts';
import { holdOverride } from './hold-override';
import { raiseSequence, readNames, toOverride } from './queries';
import type { DeleteOverrideInput } from './schema';

/**
 * Deletes an override. Members can only delete overrides in which they are on call or that they created.
 * @throws AppError NOT_FOUND, FORBIDDEN
 */
export async function deleteOverride({ ctx, input }: Call<DeleteOverrideInput>): Promise<{ ok: true }> {
  const { team } = ctx;
  await ctx.db.$transaction(async (tx) => {
    const row = await holdOverride(tx, ctx, input);
    await tx.onCallOverride.delete({ where: { id: row.id } });
    await raiseSequence(tx, row.scheduleId);
    const before = toOverride(row, await readNames(tx, team.id));
    const target = { type: 'on_call_schedule', id: row.scheduleId, name: row.schedule.name };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'on_call_override.delete', target, before });
    await notify(tx, { team: team.id, kind: 'on-call', ids: [row.scheduleId] });
  });
  return { ok: true };
}
