import { cutPage } from '@/server/lists/cut-page';
import type { IdPage } from '@/server/lists/schema';
import type { Call } from '@/server/trpc/contexts';
import { readAgents, toAgentToken, tokenInclude } from './queries';
import type { Agent, AgentToken } from './schema';

/** Returns a page of the agents of the team, those that started last first. The cursor is the last ID of the previous page. */
export async function listAgents({
  ctx,
  input: { limit, cursor },
}: Call<IdPage>): Promise<{ agents: Agent[]; nextCursor: string | null }> {
  const rows = await readAgents(ctx.db, ctx.team.id, { limit: limit + 1, cursor });
  const { page, nextCursor } = cutPage(rows, limit);
  return { agents: page, nextCursor };
}

/** Returns a page of the agent tokens of the team, newest first. The cursor is the last ID of the previous page. */
export async function listAgentTokens({
  ctx,
  input: { limit, cursor },
}: Call<IdPage>): Promise<{ agentTokens: AgentToken[]; nextCursor: string | null }> {
  const rows = await ctx.db.agentToken.findMany({
    where: { teamId: ctx.team.id, ...(cursor === undefined ? {} : { id: { lt: cursor } }) },
    include: tokenInclude,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  return { agentTokens: page.map(toAgentToken), nextCursor };
}
