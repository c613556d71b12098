import { z } from 'zod';
import { markStale } from '@/server/history/mark-stale';
import { knownUntil } from '@/server/history/watch';
import { endUntold, reopenUntold, tellEnded, UntoldEnd } from '@/server/incidents/untold-end';
import { db, type Tx } from '@/server/platform/db';
import { type Monitor as MonitorRow, type MonitorState, Prisma } from '@/server/platform/generated/prisma/client';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { lockMonitorState } from '@/server/platform/locks';
import { changeStatus } from './change-status';

/** How long a pause can be undone; nobody is told of what it ended before. Longer than the dashboard offers it. */
const UNDO_MS = 30_000;

/** What pausing changes in the state and undoing it brings back. */
const BeforePause = z.object({
  at: z.coerce.date(),
  incidents: z.array(UntoldEnd),
  openIncident: z.enum(['downtime', 'degraded']).nullable(),
  changes: z.array(z.coerce.date()),
  steadySince: z.coerce.date().nullable(),
  certificateWarned: z.boolean(),
  held: z.json(),
});

/** Time before a pause without a valid check was unknown, not the status of the last check. */
async function endUnwatched(tx: Tx, row: MonitorRow, at: Date): Promise<void> {
  const { status, lastCheckedAt } = await tx.monitorState.findUniqueOrThrow({
    where: { monitorId_region: { monitorId: row.id, region: '' } },
  });
  const known = knownUntil(row, lastCheckedAt);
  if (!known || known >= at || !['up', 'degraded', 'down'].includes(status)) return;
  const monitorNum = row.num;
  await tx.statusSpan.updateMany({ where: { monitorNum, endedAt: null }, data: { endedAt: known } });
  await tx.statusSpan.create({ data: { monitorNum, startedAt: known, status: 'unknown' } });
  await markStale(tx, [{ monitorNum, since: known }]);
}

const ownState = (monitorId: string) => ({ monitorId_region: { monitorId, region: '' } });

/** Pauses a monitor. What that ends is told a moment later, unless the pause is undone until then. */
export async function pause(tx: Tx, row: MonitorRow, at: Date): Promise<void> {
  const state = await tx.monitorState.findUniqueOrThrow({ where: ownState(row.id) });
  await endUnwatched(tx, row, at);
  await changeStatus(tx, row, { status: 'paused', at });
  const incidents = await endUntold(tx, row, at);
  if (incidents.length === 0) return;
  const { openIncident, changes, steadySince, certificateWarned, held } = state;
  const before = { at, incidents, openIncident, changes, steadySince, certificateWarned, held };
  await tx.monitorState.update({ where: ownState(row.id), data: { beforePause: before as unknown as object } });
  const runAt = new Date(at.getTime() + UNDO_MS);
  await enqueue(tx, tellPaused, { monitorId: row.id }, { runAt, jobKey: `tell-paused:${row.id}` });
}

/** Takes what a pause ended out of the state, whose row is locked. */
async function takeBeforePause(tx: Tx, { monitorId, beforePause }: MonitorState) {
  await tx.monitorState.update({ where: ownState(monitorId), data: { beforePause: Prisma.DbNull } });
  return BeforePause.parse(beforePause);
}

/** Tells what the pause of a monitor ended, if nobody was told yet. The monitor's state is locked. */
export async function tellPause(tx: Tx, monitorId: string, resolution: 'paused' | 'deleted' = 'paused'): Promise<void> {
  const state = await tx.monitorState.findUnique({ where: ownState(monitorId) });
  if (!state?.beforePause) return;
  const { incidents } = await takeBeforePause(tx, state);
  await tellEnded(tx, incidents, resolution);
}

/**
 * Resumes a monitor. As long as nobody was told of what pausing it ended, that is an undo: its incidents are open again as
 * they were, and its checks go on to decide about them. The status between is not known.
 */
export async function resume(tx: Tx, row: MonitorRow, at: Date): Promise<void> {
  const state = await tx.monitorState.findUniqueOrThrow({ where: ownState(row.id) });
  const before = state.beforePause ? await takeBeforePause(tx, state) : null;
  const isUndone = before !== null && at.getTime() - before.at.getTime() <= UNDO_MS;
  if (before && !isUndone) await tellEnded(tx, before.incidents, 'paused');
  const reopened = isUndone ? await reopenUntold(tx, row.teamId, before.incidents) : new Set();
  const isOpen = before !== null && before.openIncident !== null && reopened.has('status');
  await changeStatus(tx, row, { status: isOpen ? 'unknown' : 'pending', at });
  if (!before || reopened.size === 0) return;
  const { openIncident, changes, steadySince, held, certificateWarned } = before;
  await tx.monitorState.update({
    where: ownState(row.id),
    data: {
      ...(isOpen && { openIncident, changes, steadySince, held: held ?? Prisma.DbNull }),
      ...(reopened.has('certificate') && { certificateWarned }),
    },
  });
}

/** Tells what a pause ended once it cannot be undone any more. Resuming takes the same row, so that either happens. */
export const tellPaused = defineJob({
  name: 'tell-paused',
  schema: z.object({ monitorId: z.string() }),
  async run({ monitorId }) {
    await db.$transaction(async (tx) => {
      await lockMonitorState(tx, monitorId);
      await tellPause(tx, monitorId);
    });
  },
});
