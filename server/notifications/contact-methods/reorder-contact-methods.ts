import { recordAudit } from '@/server/audit/record-audit';
import { invalidField } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { setPositions } from '../queries';
import type { ContactMethod, ReorderContactMethodsInput } from '../schema';
import { findOwn, listContactMethods } from './list-contact-methods';

/**
 * Sets the order of the caller's contact methods.
 * @throws AppError VALIDATION_ERROR unless the IDs are exactly those of all of them
 */
export async function reorderContactMethods({
  ctx,
  input: { ids },
}: Call<ReorderContactMethodsInput>): Promise<ContactMethod[]> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Locks the team, so that no contact method is created in between.
    await lockTeam(tx, team.id);
    const rows = await findOwn(tx, ctx);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const isComplete = ids.length === byId.size && new Set(ids).size === ids.length && ids.every((id) => byId.has(id));
    if (!isComplete) throw invalidField('ids', 'Send the ID of each of your contact methods once.');
    if (rows.every(({ id }, index) => id === ids[index])) return listContactMethods(tx, ctx);
    await setPositions(tx, ids);
    await recordAudit(tx, ctx, {
      teamId: team.id,
      action: 'contact_method.reorder',
      target: { type: 'contact_method', id: null, name: user.name ?? user.email },
      before: { order: rows.map(({ name }) => name) },
      after: { order: ids.map((id) => byId.get(id)?.name ?? id) },
    });
    await notify(tx, { team: team.id, kind: 'channel', ids });
    return listContactMethods(tx, ctx);
  });
}
