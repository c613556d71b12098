import type { Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { loadSchedules, readNames } from '../queries';
import { whoIsOnCall } from '../rota/who-is-on-call';
import type { EscalationStep, EscalationTarget } from '../schema';
import { accountMethodId } from './account-method';
import type { Reach } from './advance';

interface Known {
  names: ReadonlyMap<string, string>;
  /** Contact methods of each member, in order. */
  methods: Map<string, { channelId: string; delayMinutes: number }[]>;
  onCall: Map<string, { name: string; userId: string | null }>;
  channels: Set<string>;
}

/** The person of a target, a channel, or why there is neither. */
function resolve({ type, id }: EscalationTarget, { names, onCall, channels }: Known) {
  switch (type) {
    case 'user':
      return names.has(id) ? { userId: id } : { missing: 'A person of this step has left the team.' };
    case 'schedule': {
      const schedule = onCall.get(id);
      if (!schedule) return { missing: 'A schedule of this step was deleted.' };
      return schedule.userId === null
        ? { missing: `Nobody is on call in ${schedule.name}.` }
        : { userId: schedule.userId };
    }
    case 'channel':
      return channels.has(id) ? { channelId: id } : { missing: 'A channel of this step was deleted.' };
    default:
      return type satisfies never;
  }
}

function reachOf(teamId: string, { targets }: EscalationStep, known: Known): Reach {
  const reach: Reach = { people: [], channelIds: [], missing: [] };
  for (const target of targets) {
    const found = resolve(target, known);
    if ('missing' in found && found.missing !== undefined) reach.missing.push(found.missing);
    if ('channelId' in found && found.channelId !== undefined) reach.channelIds.push(found.channelId);
    const { userId } = 'userId' in found ? found : {};
    if (userId === undefined || reach.people.some((person) => person.userId === userId)) continue;
    const methods = known.methods.get(userId) ?? [];
    const name = known.names.get(userId) ?? userId;
    if (methods.length > 0) reach.people.push({ userId, methods });
    else if (env.smtpUrl) {
      reach.people.push({ userId, methods: [{ channelId: accountMethodId(teamId, userId), delayMinutes: 0 }] });
      reach.missing.push(`${name} has no contact method and is notified by email.`);
    } else reach.missing.push(`${name} has no contact method.`);
  }
  return reach;
}

/** Whom each step reaches if it begins at a moment, with the names of all members. */
export async function resolveReach(
  tx: Tx,
  teamId: string,
  steps: EscalationStep[],
  at: Date,
): Promise<{ reachOf: (step: number) => Reach; names: ReadonlyMap<string, string> }> {
  const targets = steps.flatMap((step) => step.targets);
  const idsOf = (type: EscalationTarget['type']) => targets.flatMap((each) => (each.type === type ? each.id : []));
  const names = await readNames(tx, teamId);
  const range = { from: at, to: new Date(at.getTime() + 1) };
  const schedules = await loadSchedules(tx, teamId, { ids: idsOf('schedule'), ...range }, names);
  const channels = await tx.channel.findMany({
    where: { teamId, OR: [{ ownerId: { not: null } }, { id: { in: idsOf('channel') } }] },
    select: { id: true, ownerId: true, delayMinutes: true },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  const methods: Known['methods'] = new Map();
  for (const { id: channelId, ownerId, delayMinutes } of channels) {
    if (ownerId !== null) methods.set(ownerId, [...(methods.get(ownerId) ?? []), { channelId, delayMinutes }]);
  }
  const known: Known = {
    names,
    methods,
    onCall: new Map(
      schedules.map(({ row, rota }) => [row.id, { name: row.name, userId: whoIsOnCall(rota, at) }] as const),
    ),
    channels: new Set(channels.flatMap(({ id, ownerId }) => (ownerId === null ? id : []))),
  };
  const reaches = steps.map((step) => reachOf(teamId, step, known));
  return { names, reachOf: (step) => reaches[step] ?? { people: [], channelIds: [], missing: [] } };
}
