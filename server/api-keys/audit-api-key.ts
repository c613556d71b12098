import { recordAudit } from '@/server/audit/record-audit';
import type { Tx } from '@/server/platform/db';
import type { TeamContext } from '@/server/trpc/contexts';
import type { ApiKey } from './schema';

/** Writes an audit entry for a key with its prefix, never its secret. */
export async function auditApiKey(
  tx: Tx,
  ctx: TeamContext,
  action: 'api_key.create' | 'api_key.delete',
  { id, name, prefix, scopes, expiresAt, allowedNetworks, createdBy }: ApiKey,
): Promise<void> {
  const shown = { name, prefix, scopes, expiresAt, allowedNetworks, createdBy: createdBy.email };
  await recordAudit(tx, ctx, {
    teamId: ctx.team.id,
    action,
    target: { type: 'api_key', id, name },
    ...(action === 'api_key.create' ? { after: shown } : { before: shown }),
  });
}
