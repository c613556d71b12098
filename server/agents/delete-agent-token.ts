import { AppError } from '@/server/platform/errors';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditAgentToken } from './audit-agent-token';
import { toAgentToken, tokenInclude } from './queries';

/**
 * Revokes a token. Its agents stop at their next request, and what they have claimed goes to others once the claims expire.
 * @throws AppError NOT_FOUND
 */
export async function deleteAgentToken({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const where = { id, teamId: ctx.team.id };
  await ctx.db.$transaction(async (tx) => {
    const row = await tx.agentToken.findFirst({ where, include: tokenInclude });
    const { count } = await tx.agentToken.deleteMany({ where });
    if (!row || count === 0) throw new AppError('NOT_FOUND', 'There is no such agent token.');
    await auditAgentToken(tx, ctx, 'agent_token.delete', toAgentToken(row));
  });
  return { ok: true };
}
