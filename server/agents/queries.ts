import { databaseNow } from '@/server/platform/database-now';
import { type Db, db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { Agent, AgentToken } from './schema';

/** An agent without a report for this long has stopped. */
export const GONE_AFTER_MS = 35_000;

/** How long an agent that was killed is listed. */
const KEPT_MS = 24 * 3_600_000;
/** How many agents of a token are kept, running or not. */
const MOST_KEPT = 100;

/** The relations needed to map a row to an `AgentToken`. */
export const tokenInclude = {
  createdBy: { select: { id: true, name: true, email: true } },
} satisfies Prisma.AgentTokenInclude;

type TokenRow = Prisma.AgentTokenGetPayload<{ include: typeof tokenInclude }>;

/** Maps a row to the API form. */
export function toAgentToken({ id, name, region, prefix, lastUsedAt, createdAt, createdBy }: TokenRow): AgentToken {
  return {
    id,
    name,
    region,
    prefix,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    createdBy,
  };
}

const agentInclude = { token: { select: { region: true } } } satisfies Prisma.AgentInclude;

/** Returns agents of a team, those that started last first: at most `limit`, before the one with the ID `cursor`. */
export async function readAgents(
  on: Db,
  teamId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Agent[]> {
  const now = (await databaseNow()).getTime();
  const seenAt = { gt: new Date(now - KEPT_MS) };
  const where = { token: { teamId }, seenAt, ...(cursor === undefined ? {} : { id: { lt: cursor } }) };
  const rows = await on.agent.findMany({ where, include: agentInclude, orderBy: { id: 'desc' }, take: limit });
  return rows.map(({ publicKey: _key, token, startedAt, seenAt, ...row }) => ({
    ...row,
    region: token.region,
    startedAt: startedAt.toISOString(),
    lastSeenAt: seenAt.toISOString(),
    isAlive: now - seenAt.getTime() < GONE_AFTER_MS,
  }));
}

/** Returns the token with this hash, and the agent with this ID if it was started with the token; null without such a token. */
export async function findAgent(secretHash: string, agentId: string) {
  const token = await db.agentToken.findUnique({
    where: { secretHash },
    include: { agents: { where: { id: agentId } } },
  });
  if (!token) return null;
  const { id, teamId, region, agents } = token;
  return { token: { id, teamId, region }, agent: agents[0] };
}

/**
 * Returns how many agents of a token run. Deletes those that stopped a day ago, had this name, or are too many. The caller has locked the token.
 */
export async function countRunning(tx: Db, tokenId: string, name: string): Promise<number> {
  const now = (await databaseNow()).getTime();
  const gone = { tokenId, seenAt: { lt: new Date(now - GONE_AFTER_MS) } };
  const all = await tx.agent.count({ where: { tokenId } });
  const old = { OR: [{ name }, { seenAt: { lt: new Date(now - KEPT_MS) } }] };
  await tx.agent.deleteMany({ where: all >= MOST_KEPT ? gone : { ...gone, ...old } });
  return tx.agent.count({ where: { tokenId, seenAt: { gte: gone.seenAt.lt } } });
}

/** Locks a token, so that concurrent starts of its agents are counted one after the other. False if it was revoked. */
export async function lockToken(tx: Db, id: string): Promise<boolean> {
  // Raw: locks the row.
  const rows = await tx.$queryRaw<unknown[]>`select from agent_tokens where id = ${id} for update`;
  return rows.length > 0;
}

/** Records that an agent runs, and that its token is used, with the time of the database. */
export async function touchAgent(id: string, figures: Prisma.AgentUpdateManyMutationInput): Promise<void> {
  const seenAt = await databaseNow();
  await db.agent.updateMany({ where: { id }, data: { ...figures, seenAt } });
  await db.agentToken.updateMany({ where: { agents: { some: { id } } }, data: { lastUsedAt: seenAt } });
}
