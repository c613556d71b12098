import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockMonitorWithoutState, lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { auditExclusion } from './audit-exclusion';
import { markStale } from './mark-stale';
import { toExclusion } from './queries';
import type { CreateExclusionInput, Exclusion } from './schema';

/**
 * The maximum number of exclusions per monitor and per team on every plan, because uptime reads all exclusions of the requested time, and a status
 * page those of all its monitors.
 */
const [MAX_OF_MONITOR, MAX_OF_TEAM] = [1_000, 10_000];

/** @throws AppError PLAN_LIMIT_REACHED if the monitor or the team has the maximum number of exclusions */
async function assertBelowLimits(tx: Tx, teamId: string, monitorId: string): Promise<void> {
  const [ofMonitor, ofTeam] = await Promise.all([
    tx.uptimeExclusion.count({ where: { monitorId } }),
    tx.uptimeExclusion.count({ where: { teamId } }),
  ]);
  if (ofMonitor < MAX_OF_MONITOR && ofTeam < MAX_OF_TEAM) return;
  const limit =
    ofMonitor < MAX_OF_MONITOR
      ? `A team can have at most ${MAX_OF_TEAM}`
      : `A monitor can have at most ${MAX_OF_MONITOR}`;
  throw new AppError('PLAN_LIMIT_REACHED', `${limit} exclusions. Replace several with a longer one.`);
}

/**
 * Excludes a time range from a monitor's uptime. It takes effect at once: marks the roll-ups of these days as stale, so that they are not read until
 * they are rebuilt.
 * @throws AppError NOT_FOUND, PLAN_LIMIT_REACHED
 */
export async function createExclusion({
  ctx,
  input: { id, from, to, reason },
}: Call<CreateExclusionInput>): Promise<Exclusion> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Locks the team, so that the monitor cannot be deleted before the exclusion references it, and the counts below stay correct.
    await lockTeam(tx, team.id);
    const monitor = await lockMonitorWithoutState(tx, team.id, id);
    if (!monitor) throw monitorNotFound();
    await assertBelowLimits(tx, team.id, id);
    const row = await tx.uptimeExclusion.create({
      data: {
        id: newId(),
        teamId: team.id,
        monitorId: id,
        startsAt: new Date(from),
        endsAt: new Date(to),
        reason,
        authorName: user.name ?? user.email,
      },
    });
    await markStale(tx, [{ monitorNum: monitor.num, since: row.startsAt }]);
    const exclusion = toExclusion(row);
    await auditExclusion(tx, ctx, { id, name: monitor.name }, null, exclusion);
    await notify(tx, { team: team.id, kind: 'monitor', ids: [id] });
    return exclusion;
  });
}
