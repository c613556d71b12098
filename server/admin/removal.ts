import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { Removal } from './schema';

type LostTeam = Removal['teams'][number];

/** What is removed from the database and from external services. */
export interface PlannedRemoval {
  removal: Removal;
  /** Customers at Stripe. */
  customerIds: string[];
  statusPages: { id: string; slug: string }[];
  /** API keys of the deleted teams, and the user's in other teams. */
  apiKeyIds: string[];
  /** Deleted teams whose incidents have evidence. */
  evidenceOf: string[];
}

const lostTeam = {
  id: true,
  name: true,
  stripeCustomerId: true,
  _count: {
    select: {
      memberships: true,
      monitors: true,
      incidents: true,
      channels: true,
      statusPages: true,
      maintenanceWindows: true,
      apiKeys: true,
      invitations: true,
    },
  },
} satisfies Prisma.TeamSelect;

function toLostTeam({
  id,
  name,
  stripeCustomerId: customerId,
  _count,
}: Prisma.TeamGetPayload<{ select: typeof lostTeam }>) {
  const { memberships: members, ...counts } = _count;
  return { id, name, members, ...counts, billing: customerId !== null, customerId };
}

/** Returns the data of a team; null if it does not exist. */
export async function readTeam(db: Db, id: string): Promise<(LostTeam & { customerId: string | null }) | null> {
  const row = await db.team.findUnique({ where: { id }, select: lostTeam });
  return row && toLostTeam(row);
}

/** Returns the teams whose only owner is this user, in the order of joining. */
async function readLostTeams(db: Db, userId: string): Promise<(LostTeam & { customerId: string | null })[]> {
  const rows = await db.membership.findMany({
    where: { userId, role: 'owner', team: { memberships: { none: { role: 'owner', userId: { not: userId } } } } },
    select: { team: { select: lostTeam } },
    orderBy: [{ createdAt: 'asc' }, { teamId: 'asc' }],
  });
  return rows.map(({ team }) => toLostTeam(team));
}

/** Filters teams to those with evidence, which is stored outside of the database. */
export function teamsWithEvidence(db: Db, ids: string[]): Promise<{ id: string }[]> {
  return db.team.findMany({
    where: { id: { in: ids }, incidents: { some: { evidence: { some: {} } } } },
    select: { id: true },
  });
}

/**
 * Determines what a deletion of an account would remove at this time.
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
    evidenceOf: (await teamsWithEvidence(db, ids)).map(({ id }) => id),
  };
}

/** Returns why an account cannot be deleted; null if it can. An instance needs at least one administrator. */
export async function refusalOf(db: Db, { user }: Removal): Promise<string | null> {
  if (!user.isAdmin || (await db.user.count({ where: { isAdmin: true } })) > 1) return null;
  return 'This is the last administrator of the instance.';
}
