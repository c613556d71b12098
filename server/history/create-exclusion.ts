import { monitorNotFound } from '@/server/monitors/output/to-monitor';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockMonitorWithoutState } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { auditExclusion } from './audit-exclusion';
import { markStale } from './mark-stale';
import { toExclusion } from './queries';
import type { CreateExclusionInput, Exclusion } from './schema';

/** Per monitor, on every plan: computing uptime reads the exclusions of the requested time. */
const MAX_EXCLUSIONS = 1_000;

/**
 * Excludes time from a monitor's uptime. It takes effect at once; roll-ups of its days are rebuilt soon.
 * @throws AppError NOT_FOUND, PLAN_LIMIT_REACHED
 */
export async function createExclusion({
  ctx,
  input: { id, from, to, reason },
}: {
  ctx: TeamContext;
  input: CreateExclusionInput;
}): Promise<Exclusion> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Locked, so that the monitor cannot be deleted before the exclusion refers to it, and the count below stays correct.
    const monitor = await lockMonitorWithoutState(tx, team.id, id);
    if (!monitor) throw monitorNotFound();
    if ((await tx.uptimeExclusion.count({ where: { monitorId: id } })) >= MAX_EXCLUSIONS) {
      throw new AppError(
        'PLAN_LIMIT_REACHED',
        `A monitor can have at most ${MAX_EXCLUSIONS} exclusions. Replace several with a longer one.`,
      );
    }
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
