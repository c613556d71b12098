import type { Db } from '@/server/platform/db';
import { kinds } from './kinds';
import type { SummaryKind, SummarySetting } from './schema';
import type { Subscriber } from './unsubscribe-link';

/** Returns a member's setting for a kind of mail, with the name of the team; null if the user is not a member. */
export async function findSubscriber(
  db: Db,
  kind: SummaryKind,
  { teamId, userId }: Subscriber,
): Promise<(SummarySetting & { teamName: string }) | null> {
  const row = await db.membership.findUnique({
    where: { teamId_userId: { teamId, userId } },
    select: {
      weeklySummarySince: true,
      monthlyReportSince: true,
      user: { select: { email: true, timeZone: true } },
      team: { select: { name: true } },
    },
  });
  if (!row) return null;
  const address = row.user.email;
  return {
    teamName: row.team.name,
    isActive: row[kinds[kind].since] !== null,
    address,
    isConfirmed: (await db.confirmedRecipient.count({ where: { teamId, address } })) > 0,
    timezone: row.user.timeZone ?? 'UTC',
  };
}
