import { z } from 'zod';
import { type Db, db } from '@/server/platform/db';
import { BEHIND_ALERTS, defineJob, enqueue } from '@/server/platform/jobs';
import { notify, notifyStatusPages } from '@/server/platform/listen';
import { HOUR_MS } from '@/server/time/schema';
import { notePausedChecks } from './note-paused-checks';

export const edgeKey = (windowId: string) => `maintenance-edge:${windowId}`;

/** Returns when a window starts or ends next for any monitor; null if nothing is planned. */
export async function nextEdgeOf(db: Db, windowId: string, now: Date): Promise<Date | null> {
  const [start, end] = await Promise.all([
    db.maintenancePeriod.aggregate({ where: { windowId, startsAt: { gt: now } }, _min: { startsAt: true } }),
    db.maintenancePeriod.aggregate({ where: { windowId, endsAt: { gt: now } }, _min: { endsAt: true } }),
  ]);
  const edges = [start._min.startsAt, end._min.endsAt].filter((edge) => edge !== null);
  return edges.length > 0 ? new Date(Math.min(...edges.map((edge) => edge.getTime()))) : null;
}

/**
 * Sends live events when a window has started or ended, adds lines to the timelines of incidents if it pauses checks, and queues itself for the next
 * start or end. Nothing else depends on this job. Its name is stored in queued jobs and must not change.
 */
export const notifyEdge = defineJob({
  name: 'tell-maintenance-edge',
  schema: z.object({ windowId: z.string() }),
  maxAttempts: 3,
  async run({ windowId }) {
    const now = new Date();
    const lately = { lte: now, gt: new Date(now.getTime() - HOUR_MS) };
    const monitors = await db.monitor.findMany({
      where: { maintenancePeriods: { some: { windowId, OR: [{ startsAt: lately }, { endsAt: lately }] } } },
      select: { id: true, teamId: true },
    });
    await db.$transaction(async (tx) => {
      for (const team of new Set(monitors.map(({ teamId }) => teamId))) {
        const ids = monitors.filter(({ teamId }) => teamId === team).map(({ id }) => id);
        await notePausedChecks(tx, ids, now);
        await notify(tx, { team, kind: 'monitor', ids });
        await notifyStatusPages(tx, team);
      }
      const runAt = await nextEdgeOf(tx, windowId, now);
      if (runAt)
        await enqueue(tx, notifyEdge, { windowId }, { runAt, jobKey: edgeKey(windowId), priority: BEHIND_ALERTS });
    });
  },
});
