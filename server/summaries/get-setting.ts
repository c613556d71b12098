import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { TeamContext } from '@/server/trpc/contexts';
import type { SummaryKind, SummarySetting } from './schema';
import { findSubscriber } from './subscriber';

/**
 * Returns whether the caller gets the team's mails of a kind, and at which address.
 * @throws AppError NOT_FOUND (the caller was removed from the team in between)
 */
export async function getSetting(
  db: Db,
  kind: SummaryKind,
  { team, user }: Pick<TeamContext, 'team' | 'user'>,
): Promise<SummarySetting> {
  const found = await findSubscriber(db, kind, { teamId: team.id, userId: user.id });
  if (!found) throw new AppError('NOT_FOUND', 'You are no longer a member of this team.');
  const { teamName: _team, ...setting } = found;
  return setting;
}
