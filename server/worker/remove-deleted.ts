import { z } from 'zod';
import { removeLeft } from '@/server/admin/remove-rows';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';

/** Per run, of each kind; the next run continues. */
const MOST_PER_RUN = 1_000;

/** Removes the rows that deleted objects leave, of which there may be millions, in slices. A run that is cut off is continued by the next one. */
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
