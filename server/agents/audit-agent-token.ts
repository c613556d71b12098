import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import type { AgentToken } from './schema';

/** Writes an audit entry for a token with its prefix, never its secret. */
export async function auditAgentToken(
  tx: Tx,
  ctx: TeamContext,
  action: 'agent_token.create' | 'agent_token.delete',
  { id, name, region, prefix, createdBy }: AgentToken,
): Promise<void> {
  const shown = { name, region, prefix, createdBy: createdBy?.email ?? null };
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'agent_token', id, name },
    ...(action === 'agent_token.create' ? { after: shown } : { before: shown }),
  });
}
