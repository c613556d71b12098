import type { Db } from '@/server/platform/db';
import type { WeeklySummary } from './schema';
import type { Subscriber } from './unsubscribe-link';

/** Returns a member's setting with the name of the team; null if the user is not a member. */
export async function findSubscriber(
  db: Db,
  { teamId, userId }: Subscriber,
): Promise<(WeeklySummary & { teamName: string }) | null> {
  const row = await db.membership.findUnique({
    where: { teamId_userId: { teamId, userId } },
    select: {
      weeklySummarySince: true,
      user: { select: { email: true, timeZone: true } },
      team: { select: { name: true } },
    },
  });
  if (!row) return null;
  const address = row.user.email;
  return {
    teamName: row.team.name,
    isActive: row.weeklySummarySince !== null,
    address,
    isConfirmed: (await db.confirmedRecipient.count({ where: { teamId, address } })) > 0,
    timezone: row.user.timeZone ?? 'UTC',
  };
}
