import type { Tx } from '@/server/platform/db';
import { notifyAccess, notifySchedule, notifyStatusPages } from '@/server/platform/listen';
import { lockDeletedUser, lockMonitorStatesOfTeams, lockTeams } from '@/server/platform/locks';
import type { Removal } from './schema';

async function readTeamIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx.membership.findMany({ where: { userId }, select: { teamId: true } });
  return rows.map(({ teamId }) => teamId);
}

/**
 * Locks everything that decides what is deleted: the person's teams, then their account, with those of all administrators
 * if they are one. False if they joined a team before their account was locked; the transaction is then of no use.
 */
export async function lockRemoval(tx: Tx, userId: string): Promise<boolean> {
  const held = await readTeamIds(tx, userId);
  await lockTeams(tx, held);
  await lockDeletedUser(tx, userId);
  const now = await readTeamIds(tx, userId);
  return now.every((id) => held.includes(id));
}

/**
 * Deletes the rows: teams with all they have, kept mail too, the account with its sessions, keys and memberships, mail that
 * was kept for it, and answers that were kept for retries. The audit log of a team goes with the team. The caller holds
 * the locks of `lockRemoval`.
 */
export async function deleteRows(tx: Tx, { user, teams }: Removal): Promise<void> {
  await deleteTeams(
    tx,
    teams.map(({ id }) => id),
  );
  await notifyAccess(tx, [user.id]);
  await tx.user.delete({ where: { id: user.id } });
  await tx.idempotentRequest.deleteMany({ where: { userId: user.id } });
  await tx.mailQuota.deleteMany({ where: { key: `user:${user.id}` } });
  await tx.undeliveredMail.deleteMany({ where: { to: user.email } });
}

/** Deletes the rows of teams with all they have. The caller holds the teams' rows. */
export async function deleteTeams(tx: Tx, ids: string[]): Promise<void> {
  // Before the monitors, as a worker that records a result does.
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
  await tx.monitor.deleteMany({ where: { teamId: { in: ids } } });
  await tx.team.deleteMany({ where: { id: { in: ids } } });
  await tx.auditEntry.deleteMany({ where: { teamId: { in: ids } } });
  await tx.idempotentRequest.deleteMany({ where: { teamId: { in: ids } } });
  await tx.mailQuota.deleteMany({ where: { key: { in: ids.map((id) => `team:${id}`) } } });
  for (const id of ids) await notifyStatusPages(tx, id);
  await notifySchedule(tx);
}
