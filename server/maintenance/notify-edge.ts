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

/** How many monitors are read and notified at once: a window can cover all monitors of a team. */
const MONITORS_AT_ONCE = 500;

/**
 * Sends live events for the monitors of a window that entered or left it lately, and adds lines to the timelines of their incidents. Returns
 * their team; null without such monitors.
 */
async function notifyMonitors(windowId: string, now: Date): Promise<string | null> {
  const lately = { lte: now, gt: new Date(now.getTime() - HOUR_MS) };
  const maintenancePeriods = { some: { windowId, OR: [{ startsAt: lately }, { endsAt: lately }] } };
  let teamId: string | null = null;
  for (let after = 0; ; ) {
    const monitors = await db.monitor.findMany({
      where: { num: { gt: after }, maintenancePeriods },
      select: { id: true, num: true, teamId: true },
      orderBy: { num: 'asc' },
      take: MONITORS_AT_ONCE,
    });
    const last = monitors.at(-1);
    if (!last) return teamId;
    const team = last.teamId;
    const ids = monitors.map(({ id }) => id);
    await db.$transaction(async (tx) => {
      await notePausedChecks(tx, ids, now);
      await notify(tx, { team, kind: 'monitor', ids });
    });
    teamId = team;
    after = last.num;
  }
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
    const teamId = await notifyMonitors(windowId, now);
    await db.$transaction(async (tx) => {
      if (teamId !== null) await notifyStatusPages(tx, teamId);
      const runAt = await nextEdgeOf(tx, windowId, now);
      if (runAt)
        await enqueue(tx, notifyEdge, { windowId }, { runAt, jobKey: edgeKey(windowId), priority: BEHIND_ALERTS });
    });
  },
});
