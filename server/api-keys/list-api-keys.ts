import { cutPage } from '@/server/lists/cut-page';
import type { IdPage } from '@/server/lists/schema';
import type { Call } from '@/server/trpc/contexts';
import { apiKeyInclude, reachableKeys, toApiKey } from './queries';
import type { ApiKey } from './schema';

/** Returns a page of the keys that the caller may see, newest first. The cursor is the last ID of the previous page. */
export async function listApiKeys({
  ctx,
  input: { limit, cursor },
}: Call<IdPage>): Promise<{ apiKeys: ApiKey[]; nextCursor: string | null }> {
  const rows = await ctx.db.apiKey.findMany({
    where: { ...reachableKeys(ctx), ...(cursor === undefined ? {} : { id: { lt: cursor } }) },
    include: apiKeyInclude,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  return { apiKeys: page.map(toApiKey), nextCursor };
}
