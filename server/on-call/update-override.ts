import { changesNothing } from '@/server/audit/changes-nothing';
import { recordAudit } from '@/server/audit/record-audit';
import { invalidField } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import type { Call } from '@/server/trpc/contexts';
import { assertMayCover } from './assert-may-cover';
import { holdOverride } from './hold-override';
import { loadSchedules, raiseSequence, readNames, scheduleNotFound, toOverride } from './queries';
import { type Override, type UpdateOverrideInput, whyNotOverride } from './schema';

/**
 * Updates an override; writes nothing if nothing changes. Members can change overrides in which they are on call or that they created, to what they
 * could create.
 * @throws AppError NOT_FOUND, FORBIDDEN, VALIDATION_ERROR (times that do not fit the stored ones, or a person of another team)
 */
export async function updateOverride({ ctx, input }: Call<UpdateOverrideInput>): Promise<Override> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const row = await holdOverride(tx, ctx, input);
    const { id, scheduleId } = row;
    const startsAt = input.startsAt === undefined ? row.startsAt : new Date(input.startsAt);
    const endsAt = input.endsAt === undefined ? row.endsAt : new Date(input.endsAt);
    const wrong = whyNotOverride(startsAt, endsAt);
    if (wrong !== null) throw invalidField(input.endsAt === undefined ? 'startsAt' : 'endsAt', wrong);
    const userId = input.userId ?? row.userId;
    const reason = input.reason === undefined ? row.reason : input.reason || null;
    const names = await readNames(tx, team.id);
    const before = toOverride(row, names);
    const data = { userId, startsAt, endsAt, reason };
    const wanted = toOverride({ ...row, ...data }, names);
    if (changesNothing(before, wanted)) return before;
    const [schedule] = await loadSchedules(tx, team.id, { ids: [scheduleId], from: startsAt, to: endsAt }, names);
    if (!schedule) throw scheduleNotFound();
    // Permissions are checked without this override: somebody else's cover still belongs to the person whom they replace. The caller's own cover is
    // kept, because the caller may give it away.
    const overrides = schedule.overrides.filter((each) => each.id !== id || each.userId === user.id);
    assertMayCover(ctx, { ...schedule.rota, overrides }, data);
    const after = toOverride(await tx.onCallOverride.update({ where: { id }, data }), names);
    await raiseSequence(tx, scheduleId);
    const target = { type: 'on_call_schedule', id: scheduleId, name: row.schedule.name };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'on_call_override.update', target, before, after });
    await notify(tx, { team: team.id, kind: 'on-call', ids: [scheduleId] });
    return after;
  });
}
