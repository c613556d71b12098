import { AppError, invalidField } from '@/server/platform/errors';
import { isStronger } from '@/server/teams/schema';
import type { TeamContext } from '@/server/trpc/contexts';
import type { Rota } from './rota/rota';
import { timelineOf } from './rota/timeline';

/** Who is on call by an override, and when. */
interface Cover {
  userId: string;
  startsAt: Date;
  endsAt: Date;
}

/**
 * Checks that the caller may create an override. Members can take a shift, and give away a time in which only they are on call; admins and owners can
 * create any.
 * @throws AppError VALIDATION_ERROR (a person of another team), FORBIDDEN
 */
export function assertMayCover({ team, user }: TeamContext, rota: Rota, { userId, startsAt, endsAt }: Cover): void {
  if (!rota.members.has(userId)) throw invalidField('userId', 'This person is not a member of the team.');
  if (userId === user.id || isStronger(team.role, 'member')) return;
  if (timelineOf(rota, startsAt, endsAt).every((shift) => shift.userId === user.id)) return;
  throw new AppError('FORBIDDEN', 'Members can take shifts and give away their own. Ask an admin or owner.');
}
