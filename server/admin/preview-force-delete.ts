import type { Call, PersonContext } from '@/server/trpc/contexts';
import { planRemoval, refusalOf } from './removal';
import type { RemovalPreview } from './schema';

/**
 * Returns what a force delete of this account would remove.
 * @throws AppError NOT_FOUND
 */
export async function previewForceDelete({
  ctx,
  input: { userId },
}: Call<{ userId: string }, PersonContext>): Promise<RemovalPreview> {
  const { removal } = await planRemoval(ctx.db, userId);
  return { ...removal, refusal: await refusalOf(ctx.db, removal) };
}
