import type { Tx } from '@/server/platform/db';
import { notifyAccess, notifySchedule, notifyStatusPages } from '@/server/platform/listen';
import type { Removal } from './schema';

function readTeamIds(tx: Tx, userId: string): Promise<{ id: string }[]> {
  return tx.$queryRaw`select team_id as id from memberships where user_id = ${userId} order by team_id`;
}

/**
 * Holds everything that decides what goes: the person's teams, then their row, with all administrators' where they are
 * one. False where they joined a team before their row was held; the transaction is then of no use.
 */
export async function lockRemoval(tx: Tx, userId: string): Promise<boolean> {
  const held = (await readTeamIds(tx, userId)).map(({ id }) => id);
  await tx.$queryRaw`select 1 from teams where id = any(${held}) order by id for no key update`;
  await tx.$queryRaw`
    select 1 from users
    where id = ${userId} or (is_admin and exists (select 1 from users where id = ${userId} and is_admin))
    order by id for update`;
  const now = await readTeamIds(tx, userId);
  return now.every(({ id }) => held.includes(id));
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
  await tx.keptMail.deleteMany({ where: { to: user.email } });
}

/** Deletes the rows of teams with all they have. The caller holds the teams' rows. */
export async function deleteTeams(tx: Tx, ids: string[]): Promise<void> {
  // Before the monitors, as a worker that records a result does: one order of locks everywhere.
  await tx.$queryRaw`
    select 1 from monitor_states where monitor_id in (select id from monitors where team_id = any(${ids}))
    order by monitor_id for update`;
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
