import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { MINUTE_MS } from '@/server/time/schema';
import { whoIsOnCall } from '../rota/who-is-on-call';
import type { EscalationStep, EscalationTarget } from '../schema';
import { accountMethodId } from './account-method';
import type { Reach } from './advance';
import { type KnownTargets, readTargets } from './known-targets';

/** Returns the person or channel of a target; for a schedule, who is on call. Otherwise says why there is none. */
export function resolveTarget(
  { type, id }: EscalationTarget,
  { names, schedules, onCall, channels }: KnownTargets,
): { userId: string } | { channelId: string } | { missing: string; isDeleted: boolean } {
  switch (type) {
    case 'user':
      return names.has(id) ? { userId: id } : { missing: 'A person of this step has left the team.', isDeleted: true };
    case 'schedule': {
      const schedule = schedules.get(id);
      if (!schedule) return { missing: 'A schedule of this step was deleted.', isDeleted: true };
      const userId = onCall.get(id) ?? null;
      return userId === null ? { missing: `Nobody is on call in ${schedule.row.name}.`, isDeleted: false } : { userId };
    }
    case 'channel':
      return channels.has(id) ? { channelId: id } : { missing: 'A channel of this step was deleted.', isDeleted: true };
    default:
      return type satisfies never;
  }
}

/** Returns the contact methods of a person. Adds the email address of the account if no other method works and there is a mail server. */
function reachPerson(teamId: string, userId: string, { names, methods }: KnownTargets) {
  const own = methods.get(userId) ?? [];
  const works = own.some(({ isFailing }) => !isFailing);
  const account = accountMethodId(teamId, userId);
  const addsAccount = !works && env.smtpUrl !== undefined && !own.some(({ channelId }) => channelId === account);
  const name = names.get(userId) ?? userId;
  const why = own.length === 0 ? `${name} has no contact method.` : `Every contact method of ${name} is failing.`;
  const instead = addsAccount ? ' Upwatch uses the email address of the account.' : '';
  return {
    methods: [...own, ...(addsAccount ? [{ channelId: account, delayMinutes: 0 }] : [])],
    canReach: works || addsAccount,
    missing: works ? [] : [why + instead],
  };
}

/** Returns the people and channels that a step reaches if it begins at the time for which `known` was read. */
export function reachOf(teamId: string, { targets }: EscalationStep, known: KnownTargets): Reach {
  const reach: Reach = { people: [], channelIds: [], canReach: false, missing: [] };
  for (const target of targets) {
    const found = resolveTarget(target, known);
    if ('missing' in found) reach.missing.push(found.missing);
    else if ('channelId' in found) {
      const channel = known.channels.get(found.channelId);
      reach.channelIds.push(found.channelId);
      reach.canReach ||= !channel?.isFailing || channel.hasFallback;
      if (channel?.isFailing) reach.missing.push(`The channel ${channel.name} is failing.`);
    } else if (!reach.people.some(({ userId }) => userId === found.userId)) {
      const { methods, canReach, missing } = reachPerson(teamId, found.userId, known);
      if (methods.length > 0) reach.people.push({ userId: found.userId, methods });
      reach.canReach ||= canReach;
      reach.missing.push(...missing);
    }
  }
  return reach;
}

/** For how long overrides are read ahead: longer than an escalation waits for its locks. */
const AHEAD_MS = 10 * MINUTE_MS;

/**
 * Reads what steps may reach from a given time on. `reachOf` then returns what a step reaches if it begins at a later time, without waiting, so that it
 * can be called with locks. Also returns the names of all members. Takes turns with other teams: do not call it in a transaction that has locks.
 */
export async function resolveReach(
  db: Db,
  teamId: string,
  steps: EscalationStep[],
  from: Date,
): Promise<{ reachOf: (step: number, at: Date) => Reach; names: ReadonlyMap<string, string> }> {
  const known = await readTargets(db, teamId, steps, { from, to: new Date(from.getTime() + AHEAD_MS) });
  return {
    names: known.names,
    reachOf: (index, at) => {
      const step = steps[index];
      if (!step) return { people: [], channelIds: [], canReach: false, missing: [] };
      const onCall = new Map(
        step.targets.flatMap(({ type, id }) => {
          const schedule = type === 'schedule' ? known.schedules.get(id) : undefined;
          return schedule ? [[id, whoIsOnCall(schedule.rota, at)]] : [];
        }),
      );
      return reachOf(teamId, step, { ...known, onCall });
    },
  };
}
