import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { planLimits } from '@/server/plans/plans';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertMembers } from './assert-members';
import { auditSchedule } from './audit-on-call';
import { readNames, readSchedule } from './queries';
import type { CreateScheduleInput, Schedule } from './schema';

/** The maximum per team on every plan, because one request computes who is on call in all of them. */
const MOST_SCHEDULES = 200;

/**
 * Creates an on-call schedule.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR (a person of another team)
 */
export async function createSchedule({
  ctx,
  input: { name, timezone, layers, externalId = null },
}: Call<CreateScheduleInput>): Promise<Schedule> {
  const { team } = ctx;
  const id = newId();
  const create = async (tx: Tx) => {
    await lockTeam(tx, team.id);
    const cap = planLimits[team.plan].schedules;
    const count = await tx.onCallSchedule.count({ where: { teamId: team.id } });
    if (cap !== null && count >= cap) {
      const amount = cap === 1 ? 'one on-call schedule' : `${cap} on-call schedules`;
      throw new AppError('PLAN_LIMIT_REACHED', `The ${team.plan} plan allows ${amount}.`);
    }
    if (count >= MOST_SCHEDULES) {
      throw new AppError('PLAN_LIMIT_REACHED', `A team can have at most ${MOST_SCHEDULES} on-call schedules.`);
    }
    assertMembers(layers, await readNames(tx, team.id));
    await tx.onCallSchedule.create({ data: { id, teamId: team.id, name, timezone, layers, externalId } });
    const schedule = await readSchedule(tx, team.id, id);
    await auditSchedule(tx, ctx, 'on_call_schedule.create', null, schedule);
    await notify(tx, { team: team.id, kind: 'on-call', ids: [id] });
    return schedule;
  };
  return settingExternalId('on-call schedule', () => ctx.db.$transaction(create));
}
