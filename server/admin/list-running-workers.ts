import { listWorkers } from '@/server/checks/schedule/list-workers';
import type { IdPage } from '@/server/lists/schema';
import type { Call, PersonContext } from '@/server/trpc/contexts';
import type { ListedWorkers } from './schema';

const toTenths = (value: number) => Math.round(value * 10) / 10;

/** Returns a page of the running workers, oldest first. The cursor is the last ID of the previous page. */
export async function listRunningWorkers({
  ctx,
  input: { limit, cursor },
}: Call<IdPage, PersonContext>): Promise<ListedWorkers> {
  const rows = await listWorkers(ctx.db, { limit: limit + 1, ...(cursor && { cursor }) });
  const workers = rows
    .slice(0, limit)
    .map(({ id, region, version, startedAt, seenAt, checksPerMinute, latenessP99Ms }) => ({
      id,
      region,
      version,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      checksPerMinute: toTenths(checksPerMinute),
      latenessP99Ms: latenessP99Ms === null ? null : toTenths(latenessP99Ms),
    }));
  return { workers, nextCursor: rows.length > limit ? (workers.at(-1)?.id ?? null) : null };
}
