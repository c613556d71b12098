import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';

/** Rows per statement, which is its own transaction: so short that nobody notices it. */
const ROWS_AT_ONCE = 500;
/** Per run, of each kind; the next run continues. */
const MOST_PER_RUN = 1_000;

type DeleteSome = () => Promise<{ count: number }>;

/** @returns false if it was aborted before everything was deleted */
async function deleteAll(tables: DeleteSome[], signal: AbortSignal): Promise<boolean> {
  for (const deleteSome of tables) {
    for (let count = ROWS_AT_ONCE; count === ROWS_AT_ONCE; ) {
      if (signal.aborted) return false;
      ({ count } = await deleteSome());
    }
  }
  return true;
}

/** The channel itself goes last: until then, another run continues. */
async function removeChannel(id: string, signal: AbortSignal): Promise<void> {
  const limited = { where: { channelId: id }, limit: ROWS_AT_ONCE };
  const tables = [
    () => db.delivery.deleteMany(limited),
    () => db.deliveryExchange.deleteMany(limited),
    () => db.acknowledgeGroup.deleteMany(limited),
  ];
  if (await deleteAll(tables, signal)) await db.channel.deleteMany({ where: { id, teamId: null } });
}

/** What a monitor leaves by its number, which is not used again. */
async function removeHistory(num: number, signal: AbortSignal): Promise<void> {
  const limited = { where: { monitorNum: num }, limit: ROWS_AT_ONCE };
  const tables = [
    () => db.check.deleteMany(limited),
    () => db.checkHour.deleteMany(limited),
    () => db.checkDay.deleteMany(limited),
  ];
  if (await deleteAll(tables, signal)) await db.deletedMonitor.deleteMany({ where: { num } });
}

/** Removes the rows of deleted channels and monitors, of which there may be millions, in slices. A run that is cut off is continued by the next one. */
export const removeDeleted = defineJob({
  name: 'remove-deleted',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    const page = { take: MOST_PER_RUN };
    const channels = await db.channel.findMany({ where: { teamId: null }, select: { id: true }, ...page });
    for (const { id } of channels) await removeChannel(id, signal);
    for (const { num } of await db.deletedMonitor.findMany({ orderBy: { deletedAt: 'asc' }, ...page })) {
      await removeHistory(num, signal);
    }
  },
});
