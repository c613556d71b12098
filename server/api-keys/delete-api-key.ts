import type { TeamContext } from '@/server/auth/contexts';
import { AppError } from '@/server/platform/errors';
import { reachableKeys } from './queries';

/**
 * Deletes a key; requests with it are refused from then on.
 * @throws AppError NOT_FOUND (no such key, or not the caller's to delete)
 */
export async function deleteApiKey({
  ctx,
  input: { id },
}: {
  ctx: TeamContext;
  input: { id: string };
}): Promise<{ ok: true }> {
  const { count } = await ctx.db.apiKey.deleteMany({ where: { ...reachableKeys(ctx), id } });
  if (count === 0) throw new AppError('NOT_FOUND', 'There is no such API key.');
  return { ok: true };
}
