import { channelStateOf } from '@/server/notifications/delivery-progress';
import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { readNames } from './queries';
import { Reachable } from './schema';

/** Returns the types and states of all members' contact methods, without their addresses. */
export async function listReachable(db: Db, teamId: string): Promise<Reachable[]> {
  const names = await readNames(db, teamId);
  const rows = await db.channel.findMany({
    where: { teamId, ownerId: { not: null } },
    select: {
      ownerId: true,
      type: true,
      delayMinutes: true,
      failedAt: true,
      failingSince: true,
      deliveredAt: true,
    },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  const byOwner = new Map<string | null, (typeof rows)[number][]>();
  for (const row of rows) {
    const own = byOwner.get(row.ownerId) ?? [];
    byOwner.set(row.ownerId, own);
    own.push(row);
  }
  const people = [...names].map(([id, name]) => {
    const methods = (byOwner.get(id) ?? []).map(({ ownerId: _owner, type, delayMinutes, ...health }) => {
      return { type, delayMinutes, state: channelStateOf(health) };
    });
    const usesAccountEmail = env.smtpUrl !== undefined && methods.every(({ state }) => state === 'failing');
    return { user: { id, name }, methods, usesAccountEmail };
  });
  return Reachable.array().parse(people);
}
