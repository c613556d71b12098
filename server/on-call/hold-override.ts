import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { OnCallOverride } from '@/server/platform/generated/prisma/client';
import { lockTeam } from '@/server/platform/locks';
import { isStronger } from '@/server/teams/schema';
import type { TeamContext } from '@/server/trpc/contexts';

/** An override with the name of its schedule. */
export interface HeldOverride extends OnCallOverride {
  schedule: { name: string };
}

/**
 * Locks the team and reads an override that the caller may change. Members may only change overrides in which they are on call or that they created.
 * @throws AppError NOT_FOUND, FORBIDDEN
 */
export async function holdOverride(
  tx: Tx,
  { team, user }: TeamContext,
  { id: scheduleId, overrideId }: { id: string; overrideId: string },
): Promise<HeldOverride> {
  await lockTeam(tx, team.id);
  const row = await tx.onCallOverride.findFirst({
    where: { id: overrideId, scheduleId, teamId: team.id },
    include: { schedule: { select: { name: true } } },
  });
  if (!row) throw new AppError('NOT_FOUND', 'There is no such override.');
  const isOwn = row.userId === user.id || row.createdById === user.id;
  if (!isOwn && !isStronger(team.role, 'member')) {
    throw new AppError('FORBIDDEN', 'Members can change only their own overrides. Ask an admin or owner.');
  }
  return row;
}
