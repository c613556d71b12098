import { channelStateOf } from '@/server/notifications/delivery-progress';
import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { readContactMethods, readNames } from './queries';
import { Reachable } from './schema';

/** Returns the types and states of all members' contact methods, without their addresses. */
export async function listReachable(db: Db, teamId: string): Promise<Reachable[]> {
  const names = await readNames(db, teamId);
  const methodsOf = await readContactMethods(db, teamId, [...names.keys()]);
  const people = [...names].map(([id, name]) => {
    const methods = (methodsOf.get(id) ?? []).map(({ type, delayMinutes, ...health }) => {
      return { type, delayMinutes, state: channelStateOf(health) };
    });
    const usesAccountEmail = env.smtpUrl !== undefined && methods.every(({ state }) => state === 'failing');
    return { user: { id, name }, methods, usesAccountEmail };
  });
  return Reachable.array().parse(people);
}
