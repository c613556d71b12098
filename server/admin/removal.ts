import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Removal } from './schema';

type LostTeam = Removal['teams'][number];

/** What is removed, and what of it lies outside the database. */
export interface PlannedRemoval {
  removal: Removal;
  /** Customers at Stripe. */
  customerIds: string[];
  statusPages: { id: string; slug: string }[];
  /** API keys of the teams that go, and the person's in those that stay. */
  apiKeyIds: string[];
}

/** What teams have, in the order of their ids in `ids`. */
export function readTeams(db: Db, ids: string[]): Promise<(LostTeam & { customerId: string | null })[]> {
  return db.$queryRaw`
    select t.id, t.name,
      (select count(*)::int from memberships where team_id = t.id) as members,
      (select count(*)::int from monitors where team_id = t.id) as monitors,
      (select count(*)::int from incidents where team_id = t.id) as incidents,
      (select count(*)::int from channels where team_id = t.id) as channels,
      (select count(*)::int from status_pages where team_id = t.id) as "statusPages",
      (select count(*)::int from maintenance_windows where team_id = t.id) as "maintenanceWindows",
      (select count(*)::int from api_keys where team_id = t.id) as "apiKeys",
      (select count(*)::int from invitations where team_id = t.id) as invitations,
      t.stripe_customer_id is not null as billing,
      t.stripe_customer_id as "customerId"
    from teams t where t.id = any(${ids})
    order by array_position(${ids}, t.id)`;
}

/** The teams of which the person is the only owner. */
async function readLostTeams(db: Db, userId: string): Promise<(LostTeam & { customerId: string | null })[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select m.team_id as id from memberships m
    where m.user_id = ${userId} and m.role = 'owner'
      and not exists (
        select 1 from memberships o where o.team_id = m.team_id and o.role = 'owner' and o.user_id <> m.user_id)
    order by m.created_at, m.team_id`;
  return readTeams(
    db,
    rows.map(({ id }) => id),
  );
}

/**
 * Works out what deleting an account removes, at this moment.
 * @throws AppError NOT_FOUND
 */
export async function planRemoval(db: Db, userId: string): Promise<PlannedRemoval> {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: { id: true, email: true, name: true, isAdmin: true, createdAt: true },
  });
  if (!user) throw new AppError('NOT_FOUND', 'There is no such user.');
  const lost = await readLostTeams(db, userId);
  const ids = lost.map(({ id }) => id);
  const memberships = await db.membership.findMany({
    where: { userId, teamId: { notIn: ids } },
    select: { role: true, team: { select: { id: true, name: true } } },
    orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
  });
  const pages = await db.statusPage.findMany({ where: { teamId: { in: ids } }, select: { id: true, slug: true } });
  const keys = await db.apiKey.findMany({
    where: { OR: [{ teamId: { in: ids } }, { createdById: userId }] },
    select: { id: true, teamId: true },
  });
  return {
    removal: {
      user: { ...user, createdAt: user.createdAt.toISOString() },
      teams: lost.map(({ customerId: _customer, ...team }) => team),
      memberships: memberships.map(({ role, team }) => ({
        ...team,
        role,
        apiKeys: keys.filter(({ teamId }) => teamId === team.id).length,
      })),
    },
    customerIds: lost.flatMap(({ customerId }) => (customerId ? [customerId] : [])),
    statusPages: pages,
    apiKeyIds: keys.map(({ id }) => id),
  };
}

/** Why the account may not be deleted, or null. The last administrator stays, or nobody could administer the instance. */
export async function refusalOf(db: Db, { user }: Removal): Promise<string | null> {
  if (!user.isAdmin || (await db.user.count({ where: { isAdmin: true } })) > 1) return null;
  return 'This is the last administrator of the instance.';
}
