import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertMayCover } from './assert-may-cover';
import { loadSchedules, raiseSequence, readNames, scheduleNotFound, toOverride } from './queries';
import type { CreateOverrideInput, Override } from './schema';

/** The maximum number of overrides per schedule, including past ones. */
const MOST_OVERRIDES = 1_000;
/** The maximum number of current and future overrides per team. */
const MOST_COMING = 2_000;

/**
 * Creates an override that replaces the layers of a schedule. Members can take a shift and give away their own; admins and owners can create any.
 * @throws AppError NOT_FOUND, FORBIDDEN, VALIDATION_ERROR (a person of another team), PLAN_LIMIT_REACHED
 */
export async function createOverride({
  ctx,
  input: { id: scheduleId, userId, reason, ...times },
}: Call<CreateOverrideInput>): Promise<Override> {
  const { team, user } = ctx;
  const [startsAt, endsAt] = [new Date(times.startsAt), new Date(times.endsAt)];
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    const names = await readNames(tx, team.id);
    const [schedule] = await loadSchedules(tx, team.id, { ids: [scheduleId], from: startsAt, to: endsAt }, names);
    if (!schedule) throw scheduleNotFound();
    assertMayCover(ctx, schedule.rota, { userId, startsAt, endsAt });
    await assertRoom(tx, team.id, scheduleId);
    const row = await tx.onCallOverride.create({
      data: {
        id: newId(),
        teamId: team.id,
        scheduleId,
        userId,
        startsAt,
        endsAt,
        reason: reason || null,
        createdById: user.id,
      },
    });
    await raiseSequence(tx, scheduleId);
    const override = toOverride(row, names);
    const target = { type: 'on_call_schedule', id: scheduleId, name: schedule.row.name };
    await recordAudit(tx, ctx, { teamId: team.id, action: 'on_call_override.create', target, after: override });
    await notify(tx, { team: team.id, kind: 'on-call', ids: [scheduleId] });
    return override;
  });
}

/** @throws AppError PLAN_LIMIT_REACHED if the schedule or the team has the maximum number of overrides */
async function assertRoom(tx: Tx, teamId: string, scheduleId: string): Promise<void> {
  if ((await tx.onCallOverride.count({ where: { scheduleId } })) >= MOST_OVERRIDES) {
    const message = `A schedule can have at most ${MOST_OVERRIDES} overrides. Delete past ones.`;
    throw new AppError('PLAN_LIMIT_REACHED', message);
  }
  if ((await tx.onCallOverride.count({ where: { teamId, endsAt: { gt: new Date() } } })) >= MOST_COMING) {
    throw new AppError('PLAN_LIMIT_REACHED', `A team can have at most ${MOST_COMING} overrides that are not over.`);
  }
}
