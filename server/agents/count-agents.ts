import { databaseNow } from '@/server/platform/database-now';
import type { Db } from '@/server/platform/db';
import { GONE_AFTER_MS } from './queries';

/** Returns the number of running agents for each private region of a team that has a token. */
export async function countAgents(db: Db, teamId: string): Promise<Map<string, number>> {
  const seenAt = { gt: new Date((await databaseNow()).getTime() - GONE_AFTER_MS) };
  const tokens = await db.agentToken.findMany({
    where: { teamId },
    select: { region: true, _count: { select: { agents: { where: { seenAt } } } } },
  });
  const counts = new Map<string, number>();
  for (const { region, _count } of tokens) counts.set(region, (counts.get(region) ?? 0) + _count.agents);
  return counts;
}
