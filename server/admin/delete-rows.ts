import { unlinkChannels } from '@/server/notifications/unlink-channels';
import type { Tx } from '@/server/platform/db';
import { notifyAccess, notifySchedule, notifyStatusPages } from '@/server/platform/listen';
import { announceDeletion, lockDeletedUser, lockMonitorStatesOfTeams, lockTeams } from '@/server/platform/locks';
import { reviseSchedules } from '@/server/teams/revise-schedules';
import { deleteWaitingAttempts, readDeletedObjects } from './queries';
import type { Left } from './remove-rows';
import type { Removal } from './schema';

async function readTeamIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.membership.findMany({ where: { userId }, select: { teamId: true } });
  return rows.map(({ teamId }) => teamId);
}

/**
 * Locks everything that determines what is deleted: the user's teams, then the account. The account of an administrator is locked together with those
 * of all administrators.
 * @returns false if the user joined a team before the account was locked; the caller then starts a new transaction
 */
export async function lockRemoval(tx: Tx, userId: string): Promise<boolean> {
  const held = await readTeamIds(tx, userId);
  await lockTeams(tx, held);
  await lockDeletedUser(tx, userId);
  const now = await readTeamIds(tx, userId);
  return now.every((id) => held.includes(id));
}

/**
 * Deletes teams with their settings, the account with its sessions, keys and memberships, undelivered mail to it, and responses stored for idempotent
 * retries. The caller holds the locks of `lockRemoval`.
 * @returns the history, which nobody can reach and which `removeLeft` deletes
 */
export async function deleteRows(tx: Tx, { user, teams }: Removal): Promise<Left> {
  const left = await deleteTeams(
    tx,
    teams.map(({ id }) => id),
  );
  await notifyAccess(tx, [user.id]);
  const others = await readTeamIds(tx, user.id);
  await reviseSchedules(tx, others, user.id);
  for (const teamId of others) left.channelIds.push(...(await unlinkChannels(tx, { teamId, ownerId: user.id })));
  await tx.user.delete({ where: { id: user.id } });
  await tx.idempotentRequest.deleteMany({ where: { userId: user.id } });
  await deleteQuotas(tx, [`user:${user.id}`]);
  await tx.undeliveredMail.deleteMany({ where: { to: user.email } });
  return { ...left, objects: await readDeletedObjects(tx) };
}

/**
 * Deletes teams with their members, keys and settings; their number of rows is limited. The history of a team can have any number of rows and stays,
 * unreachable: deliveries, results, spans, incidents and the audit log. The caller has locked the teams' rows.
 * @returns the history that is left
 */
export async function deleteTeams(tx: Tx, teamIds: string[]): Promise<Omit<Left, 'objects'>> {
  const where = { teamId: { in: teamIds } };
  await announceDeletion(tx, teamIds);
  // Before the monitors, in the same order as the recorder.
  await lockMonitorStatesOfTeams(tx, teamIds);
  const members = await tx.membership.findMany({ where, select: { userId: true }, distinct: ['userId'] });
  await notifyAccess(
    tx,
    members.map(({ userId }) => userId),
  );
  const monitors = await tx.monitor.findMany({ where, select: { num: true } });
  await deleteWaitingAttempts(tx, teamIds);
  await tx.monitor.deleteMany({ where });
  const channelIds: string[] = [];
  for (const teamId of teamIds) channelIds.push(...(await unlinkChannels(tx, { teamId })));
  // Before the teams: a change of an incident locks members before the team, so the opposite order would deadlock.
  await tx.membership.deleteMany({ where });
  await tx.statusPage.deleteMany({ where });
  await tx.team.deleteMany({ where: { id: { in: teamIds } } });
  await tx.idempotentRequest.deleteMany({ where });
  await deleteQuotas(
    tx,
    teamIds.map((id) => `team:${id}`),
  );
  for (const id of teamIds) await notifyStatusPages(tx, id);
  await notifySchedule(tx);
  return { teamIds, channelIds, monitorNums: monitors.map(({ num }) => num) };
}

async function deleteQuotas(tx: Tx, keys: string[]): Promise<void> {
  const where = { key: { in: keys } };
  await tx.mailQuota.deleteMany({ where });
  await tx.idempotencyQuota.deleteMany({ where });
}
