import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { holdMonitors } from '@/server/platform/locks';
import type { EscalationStep, EscalationTarget } from './schema';

/**
 * Stores the scope of a policy: these monitors, and all with any of these tags. Null without tags means all monitors of the team.
 * @throws AppError VALIDATION_ERROR for an ID that is not a monitor of the team
 */
export async function setPolicyScope(
  tx: Tx,
  teamId: string,
  policyId: string,
  { monitorIds, tags: given }: { monitorIds: string[] | null; tags: string[] },
): Promise<void> {
  const tags = [...new Set(given)];
  const wanted = [...new Set(monitorIds ?? [])];
  await tx.escalationPolicyMonitor.deleteMany({ where: { policyId } });
  const allMonitors = monitorIds === null && tags.length === 0;
  await tx.escalationPolicy.update({ where: { id: policyId }, data: { allMonitors, tags } });
  if (wanted.length === 0) return;
  const held = await holdMonitors(tx, teamId, wanted);
  if (held.size < wanted.length) throw invalidField('monitorIds', 'One of these monitors does not exist in this team.');
  await tx.escalationPolicyMonitor.createMany({ data: wanted.map((monitorId) => ({ policyId, monitorId })) });
}

/**
 * Checks that the targets of steps exist in the team.
 * @param before the former steps, whose targets may have been deleted since
 * @throws AppError VALIDATION_ERROR for a target that does not exist in the team
 */
export async function assertTargets(
  tx: Tx,
  teamId: string,
  steps: EscalationStep[],
  before: EscalationStep[] = [],
): Promise<void> {
  const idsOf = (type: string) =>
    steps.flatMap(({ targets }) => targets.flatMap((target) => (target.type === type ? target.id : [])));
  const some = (ids: string[]) => ({ where: { teamId, id: { in: ids } }, select: { id: true } });
  const [users, schedules, channels] = await Promise.all([
    tx.membership.findMany({ where: { teamId, userId: { in: idsOf('user') } }, select: { userId: true } }),
    tx.onCallSchedule.findMany(some(idsOf('schedule'))),
    tx.channel.findMany({ where: { ...some(idsOf('channel')).where, ownerId: null }, select: { id: true } }),
  ]);
  // Includes the type, because the ID of a person is not a channel.
  const keyOf = ({ type, id }: EscalationTarget) => `${type} ${id}`;
  const found: EscalationTarget[] = [
    ...users.map(({ userId: id }) => ({ type: 'user' as const, id })),
    ...schedules.map(({ id }) => ({ type: 'schedule' as const, id })),
    ...channels.map(({ id }) => ({ type: 'channel' as const, id })),
  ];
  const known = new Set([...found, ...before.flatMap(({ targets }) => targets)].map(keyOf));
  for (const [index, { targets }] of steps.entries()) {
    const place = targets.findIndex((target) => !known.has(keyOf(target)));
    if (place < 0) continue;
    const noun = { user: 'person', schedule: 'schedule', channel: 'channel' }[targets[place]?.type ?? 'user'];
    throw invalidField(`steps.${index}.targets.${place}`, `This ${noun} does not exist in this team.`);
  }
}
