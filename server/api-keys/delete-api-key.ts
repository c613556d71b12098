import { AppError } from '@/server/platform/errors';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditApiKey } from './audit-api-key';
import { apiKeyInclude, reachableKeys, toApiKey } from './queries';

/**
 * Deletes a key; further requests with it are rejected.
 * @throws AppError NOT_FOUND (missing, or not deletable by the caller)
 */
export async function deleteApiKey({ ctx, input: { id } }: OnOneObject): Promise<{ ok: true }> {
  const where = { ...reachableKeys(ctx), id };
  await ctx.db.$transaction(async (tx) => {
    const row = await tx.apiKey.findFirst({ where, include: apiKeyInclude });
    const { count } = await tx.apiKey.deleteMany({ where });
    if (!row || count === 0) throw new AppError('NOT_FOUND', 'There is no such API key.');
    await auditApiKey(tx, ctx, 'api_key.delete', toApiKey(row));
  });
  return { ok: true };
}
