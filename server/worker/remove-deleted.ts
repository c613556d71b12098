import { z } from 'zod';
import { removeLeft } from '@/server/admin/remove-rows';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';

/** The maximum number of deleted objects of each kind per run. */
const MOST_PER_RUN = 1_000;

/** Removes the history of deleted objects, which may have millions of rows, in slices. The next run continues an interrupted one. */
export const removeDeleted = defineJob({
  name: 'remove-deleted',
  schema: z.object({}),
  maxAttempts: 3,
  async run(_payload, { signal }) {
    const page = { orderBy: { deletedAt: 'asc' as const }, take: MOST_PER_RUN };
    const channels = await db.channel.findMany({ where: { teamId: null }, select: { id: true }, take: MOST_PER_RUN });
    const teams = await db.deletedTeam.findMany(page);
    const monitors = await db.deletedMonitor.findMany(page);
    const left = {
      channelIds: channels.map(({ id }) => id),
      teamIds: teams.map(({ id }) => id),
      monitorNums: monitors.map(({ num }) => num),
      objects: await db.deletedObject.findMany(page),
    };
    await removeLeft(left, signal);
  },
});
