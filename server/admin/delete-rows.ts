import type { Tx } from '@/server/platform/db';
import { notifyAccess, notifySchedule, notifyStatusPages } from '@/server/platform/listen';
import { announceDeletion, lockDeletedUser, lockMonitorStatesOfTeams, lockTeams } from '@/server/platform/locks';
import { reviseSchedules } from '@/server/teams/revise-schedules';
import type { Removal } from './schema';

async function readTeamIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.membership.findMany({ where: { userId }, select: { teamId: true } });
  return rows.map(({ teamId }) => teamId);
}

/**
 * Locks everything that determines what is deleted: the user's teams, then the account, with those of all administrators if it is one. Returns false
 * if the user joined a team before the account was locked; the caller then starts a new transaction.
 */
export async function lockRemoval(tx: Tx, userId: string): Promise<boolean> {
  const held = await readTeamIds(tx, userId);
  await lockTeams(tx, held);
  await lockDeletedUser(tx, userId);
  const now = await readTeamIds(tx, userId);
  return now.every((id) => held.includes(id));
}

/**
 * Deletes the rows: teams with their data and undelivered mail, the account with its sessions, keys and memberships, undelivered mail to it, and
 * responses stored for idempotent retries. The audit log of a team is deleted with it. The caller holds the locks of `lockRemoval`.
 */
export async function deleteRows(tx: Tx, { user, teams }: Removal): Promise<void> {
  await deleteTeams(
    tx,
    teams.map(({ id }) => id),
  );
  await notifyAccess(tx, [user.id]);
  await reviseSchedules(tx, await readTeamIds(tx, user.id), user.id);
  await tx.user.delete({ where: { id: user.id } });
  await tx.idempotentRequest.deleteMany({ where: { userId: user.id } });
  await deleteQuotas(tx, [`user:${user.id}`]);
  await tx.undeliveredMail.deleteMany({ where: { to: user.email } });
}

/** Deletes the rows of teams with their data. The caller has locked the teams' rows. */
export async function deleteTeams(tx: Tx, ids: string[]): Promise<void> {
  await announceDeletion(tx, ids);
  // Before the monitors, in the same order as the recorder.
  await lockMonitorStatesOfTeams(tx, ids);
  const members = await tx.membership.findMany({
    where: { teamId: { in: ids } },
    select: { userId: true },
    distinct: ['userId'],
  });
  await notifyAccess(
    tx,
    members.map(({ userId }) => userId),
  );
  await deleteMonitors(tx, ids);
  await tx.team.deleteMany({ where: { id: { in: ids } } });
  await tx.auditEntry.deleteMany({ where: { teamId: { in: ids } } });
  await tx.idempotentRequest.deleteMany({ where: { teamId: { in: ids } } });
  await deleteQuotas(
    tx,
    ids.map((id) => `team:${id}`),
  );
  for (const id of ids) await notifyStatusPages(tx, id);
  await notifySchedule(tx);
}

/** With their results, which a job removes when a single monitor is deleted: what belongs to a person is gone at once. */
async function deleteMonitors(tx: Tx, teamIds: string[]): Promise<void> {
  const where = { teamId: { in: teamIds } };
  const nums = (await tx.monitor.findMany({ where, select: { num: true } })).map(({ num }) => num);
  await tx.monitor.deleteMany({ where });
  const history = { where: { monitorNum: { in: nums } } };
  await tx.check.deleteMany(history);
  await tx.checkHour.deleteMany(history);
  await tx.checkDay.deleteMany(history);
  await tx.deletedMonitor.deleteMany({ where: { num: { in: nums } } });
}

async function deleteQuotas(tx: Tx, keys: string[]): Promise<void> {
  const where = { key: { in: keys } };
  await tx.mailQuota.deleteMany({ where });
  await tx.idempotencyQuota.deleteMany({ where });
}
