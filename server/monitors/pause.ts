import { z } from 'zod';
import { markStale } from '@/server/history/mark-stale';
import { knownUntil } from '@/server/history/watch';
import {
  notifyEnded,
  reopenUnnotified,
  resolveWithoutNotifications,
  UnnotifiedEnd,
} from '@/server/incidents/unnotified-end';
import { MonitorStatus } from '@/server/monitor-types/schema';
import { db, type Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { type Monitor as MonitorRow, type MonitorState, Prisma } from '@/server/platform/generated/prisma/client';
import { BEHIND_ALERTS, defineJob, enqueueMany } from '@/server/platform/jobs';
import { lockMonitorState } from '@/server/platform/locks';
import { HOUR_MS } from '@/server/time/schema';
import { changeStatuses, restoreStates, restoreStatuses, startSpans, storeUndoState } from './state-queries';

/**
 * How long a pause can be undone. Notifications of the incidents that it resolved are delayed by this time. Longer than the dashboard offers the
 * undo.
 */
const UNDO_MS = 30_000;

/** The maximum number of pauses of a monitor per hour, because each pause adds two spans, which every figure of its history reads. */
const MOST_PAUSES = 60;

/** The status of a monitor before a pause, with its streaks. */
const Status = z.object({
  /** The version of the monitor after the pause. If it was edited since, the status no longer applies. */
  version: z.int(),
  status: MonitorStatus,
  statusSince: z.coerce.date(),
  failures: z.int(),
  recoveries: z.int(),
  turnedAt: z.coerce.date().nullable(),
  latencyStreak: z.int(),
  latencyTurnedAt: z.coerce.date().nullable(),
});

/** The state that a pause changes and that undoing it restores. */
const BeforePause = z.object({
  /** Null if the last check was no longer valid at the pause. Missing in pauses by earlier versions. */
  status: Status.nullish(),
  at: z.coerce.date(),
  incidents: z.array(UnnotifiedEnd),
  openIncident: z.enum(['downtime', 'degraded']).nullable(),
  changes: z.array(z.coerce.date()),
  steadySince: z.coerce.date().nullable(),
  certificateWarned: z.boolean(),
  held: z.json(),
});

/** The columns of a state without an open incident. */
const NOTHING_OPEN = { openIncident: null, changes: [], steadySince: null, held: null };

/** A monitor that is paused or resumed, and when. */
export interface Switched {
  row: MonitorRow;
  at: Date;
}

const idsOf = (monitors: Switched[]) => monitors.map(({ row }) => row.id);

/** Reads the own states of monitors, by monitor. */
async function readStates(tx: Tx, monitorIds: string[]): Promise<Map<string, MonitorState>> {
  const states = await tx.monitorState.findMany({ where: { monitorId: { in: monitorIds }, region: '' } });
  return new Map(states.map((state) => [state.monitorId, state]));
}

/** Returns the error for a monitor that was paused too often. */
export function pausedTooOften(): AppError {
  const message = `A monitor can be paused ${MOST_PAUSES} times an hour. Try again later.`;
  return new AppError('RATE_LIMITED', message, { retryAfterSeconds: HOUR_MS / 1000 / MOST_PAUSES });
}

/** Returns the IDs of the monitors that were paused the maximum number of times within the last hour. The caller has locked their states. */
export async function findPausedTooOften(tx: Tx, monitors: Switched[]): Promise<Set<string>> {
  if (monitors.length === 0) return new Set();
  const hourAgo = new Date(Math.min(...monitors.map(({ at }) => at.getTime())) - HOUR_MS);
  const pauses = await tx.statusSpan.groupBy({
    by: 'monitorNum',
    where: { monitorNum: { in: monitors.map(({ row }) => row.num) }, status: 'paused', startedAt: { gt: hourAgo } },
    having: { monitorNum: { _count: { gte: MOST_PAUSES } } },
  });
  const nums = new Set(pauses.map(({ monitorNum }) => monitorNum));
  return new Set(monitors.flatMap(({ row }) => (nums.has(row.num) ? [row.id] : [])));
}

/**
 * Starts a span of the status unknown where the last check ceased to be valid before the pause.
 * @returns the IDs of the monitors with such a span
 */
async function endUnwatched(tx: Tx, monitors: Switched[], states: Map<string, MonitorState>): Promise<Set<string>> {
  const ended = monitors.flatMap(({ row, at }) => {
    const state = states.get(row.id);
    const known = knownUntil(row, state?.lastCheckedAt ?? null);
    const isWatched = state && ['up', 'degraded', 'down'].includes(state.status);
    return known && known < at && isWatched
      ? [{ id: row.id, num: row.num, at: known, status: 'unknown' as const }]
      : [];
  });
  await startSpans(tx, ended);
  await markStale(
    tx,
    ended.map(({ num: monitorNum, at: since }) => ({ monitorNum, since })),
  );
  return new Set(ended.map(({ id }) => id));
}

/**
 * Pauses monitors of a team. Resolves their incidents, but delays the notifications, which are not sent if the pause is undone before. Stores what an
 * undo restores. The caller has locked the states. Takes a constant number of statements.
 */
export async function pause(tx: Tx, teamId: string, monitors: Switched[]): Promise<void> {
  const states = await readStates(tx, idsOf(monitors));
  const unwatched = await endUnwatched(tx, monitors, states);
  await changeStatuses(
    tx,
    monitors.map(({ row: { id, num }, at }) => ({ id, num, status: 'paused', at })),
  );
  const ended = await resolveWithoutNotifications(
    tx,
    teamId,
    monitors.map(({ row: { id }, at }) => ({ id, at })),
  );
  const undoable = monitors.flatMap(({ row: { id, version }, at }) => {
    const state = states.get(id);
    if (!state) return [];
    const { openIncident, changes, steadySince, certificateWarned, held } = state;
    const status = unwatched.has(id) ? null : Status.parse({ ...state, version: version + 1 });
    const incidents = ended.get(id) ?? [];
    return [{ id, before: { at, status, incidents, openIncident, changes, steadySince, certificateWarned, held } }];
  });
  await storeUndoState(tx, undoable);
  await enqueueMany(
    tx,
    notifyPaused,
    undoable
      .filter(({ before }) => before.incidents.length > 0)
      .map(({ id, before: { at } }) => ({
        payload: { monitorId: id },
        runAt: new Date(at.getTime() + UNDO_MS),
        jobKey: `tell-paused:${id}`,
        priority: BEHIND_ALERTS,
      })),
  );
}

/** Removes from locked states what their pauses stored for an undo, and returns it by monitor. */
async function takeUndoState(tx: Tx, states: MonitorState[]): Promise<Map<string, z.output<typeof BeforePause>>> {
  const kept = states.filter(({ beforePause }) => beforePause !== null);
  if (kept.length === 0) return new Map();
  await tx.monitorState.updateMany({
    where: { monitorId: { in: kept.map(({ monitorId }) => monitorId) }, region: '' },
    data: { beforePause: Prisma.DbNull },
  });
  return new Map(kept.map(({ monitorId, beforePause }) => [monitorId, BeforePause.parse(beforePause)]));
}

/**
 * Enqueues the notifications of the incidents that the pause of a monitor resolved, unless that was done before. Ends the time for an undo. The
 * caller has locked the monitor's state.
 */
export async function notifyPause(
  tx: Tx,
  monitorId: string,
  resolution: 'paused' | 'deleted' = 'paused',
): Promise<void> {
  const state = (await readStates(tx, [monitorId])).get(monitorId);
  const before = state && (await takeUndoState(tx, [state])).get(monitorId);
  if (before) await notifyEnded(tx, state.teamId, before.incidents, resolution);
}

/**
 * Resumes monitors of a team. The caller has locked their states. Takes a constant number of statements.
 * - Within the time for an undo, restores the status from before the pause with its history, and reopens the incidents that the pause resolved. A
 *   monitor that was edited since, or whose last check was not valid any more, is pending; or unknown if it has a reopened incident.
 * - After that time, enqueues the notifications of the pause. The monitor is pending.
 */
export async function resume(tx: Tx, teamId: string, monitors: Switched[]): Promise<void> {
  const states = await readStates(tx, idsOf(monitors));
  const kept = await takeUndoState(tx, [...states.values()]);
  const paused = monitors.flatMap(({ row, at }) => {
    const before = kept.get(row.id);
    return before ? [{ row, before, isUndone: at.getTime() - before.at.getTime() <= UNDO_MS }] : [];
  });
  const [undone, notified] = [paused.filter(({ isUndone }) => isUndone), paused.filter(({ isUndone }) => !isUndone)];
  await notifyEnded(
    tx,
    teamId,
    notified.flatMap(({ before }) => before.incidents),
    'paused',
  );
  const reopened = await reopenUnnotified(
    tx,
    teamId,
    undone.flatMap(({ before }) => before.incidents),
  );
  const same = undone.flatMap(({ row: { id, num, version }, before }) => {
    const { at: pausedAt, status, incidents, ...rest } = before;
    const isSame = status?.version === version && incidents.every((each) => reopened.has(each.id));
    return isSame ? [{ ...rest, ...status, id, num, pausedAt }] : [];
  });
  const others = undone.filter(({ row }) => !same.some(({ id }) => id === row.id));
  const restored = others.flatMap(({ row, before }) => restoredState(row.id, before, reopened) ?? []);
  const open = new Set(restored.flatMap(({ id, isOpen }) => (isOpen ? [id] : [])));
  await changeStatuses(
    tx,
    monitors.map(({ row: { id, num }, at }) => ({ id, num, status: open.has(id) ? 'unknown' : 'pending', at })),
  );
  await restoreStates(tx, [...restored, ...same]);
  await restoreStatuses(tx, same);
}

/** Returns the part of a monitor's state that undoing a pause restores; null if none of its incidents was reopened. */
function restoredState(id: string, before: z.output<typeof BeforePause>, reopened: ReadonlySet<string>) {
  const subjects = new Set(before.incidents.flatMap((each) => (reopened.has(each.id) ? [each.subject] : [])));
  if (subjects.size === 0) return null;
  const { openIncident, changes, steadySince, held, certificateWarned } = before;
  const isOpen = openIncident !== null && subjects.has('status');
  return {
    id,
    isOpen,
    ...(isOpen ? { openIncident, changes, steadySince, held } : NOTHING_OPEN),
    certificateWarned: subjects.has('certificate') && certificateWarned,
  };
}

/**
 * Enqueues the notifications of a pause once it can no longer be undone. Resuming locks the same row, so that either the pause is notified or undone.
 * The job's name is stored in queued jobs and must not change.
 */
export const notifyPaused = defineJob({
  name: 'tell-paused',
  schema: z.object({ monitorId: z.string() }),
  async run({ monitorId }) {
    await db.$transaction(async (tx) => {
      await lockMonitorState(tx, monitorId);
      await notifyPause(tx, monitorId);
    });
  },
});
