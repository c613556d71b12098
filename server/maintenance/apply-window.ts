import { markStale } from '@/server/history/mark-stale';
import type { Tx } from '@/server/platform/db';
import { BEHIND_ALERTS, enqueue, enqueueMany } from '@/server/platform/jobs';
import { notify, notifySchedule, notifyStatusPages } from '@/server/platform/listen';
import type { Period } from '@/server/time/edges';
import { assertFewPeriods } from './assert-few-periods';
import { type ListedWindow, readWindows, withChanges } from './listed-windows';
import { edgeKey, nextEdgeOf, notifyEdge } from './notify-edge';
import {
  addPeriods,
  type Covered,
  continuePeriods,
  endPeriods,
  PLANNED_MS,
  type PlannedPeriod,
  readPlanned,
  readScope,
  removeWithin,
  type Scope,
} from './period-queries';
import { keptOccurrences } from './recurrence/kept-occurrences';
import { occurrencesOf, type Times } from './recurrence/recurrence';
import { replan } from './replan';
import type { MaintenanceChecks } from './schema';

/** The columns of a window that determine which monitors are in maintenance and when. */
export interface Planned extends Scope, Times {
  checks: MaintenanceChecks;
  plannedUntil: Date | null;
}

/** Returns until when the occurrences of a created or changed window are planned; null for a window without recurrence, which has no plan. */
export function plannedUntil({ recurrence }: Times, now: Date): Date | null {
  return recurrence === null ? null : new Date(now.getTime() + PLANNED_MS);
}

/** The number of windows whose periods one statement adds. */
const WINDOWS_AT_ONCE = 50;

const numsOf = (monitors: Covered[]) => monitors.map(({ num }) => num);

/** Maps occurrences of a window to planned periods. */
const periodsOf = ({ id, checks }: Pick<Planned, 'id' | 'checks'>, occurrences: Period[]): PlannedPeriod[] =>
  occurrences.map(({ startsAt, endsAt }) => ({ windowId: id, checks, startsAt, endsAt }));

/** Updates the states of monitors after their plan changed, and wakes the schedulers and open pages. The caller has locked the states. */
async function applyPlan(tx: Tx, teamId: string, ids: string[], now: Date): Promise<void> {
  await replan(tx, teamId, ids, now);
  await notifySchedule(tx);
  await notifyStatusPages(tx, teamId);
  await notify(tx, { team: teamId, kind: 'monitor', ids });
}

/** Queues the job that updates open pages for the next planned start or end of a window. Queues none if nothing is planned. */
export async function queueEdge(tx: Tx, windowId: string, now: Date): Promise<void> {
  const runAt = await nextEdgeOf(tx, windowId, now);
  if (runAt) await enqueue(tx, notifyEdge, { windowId }, { runAt, jobKey: edgeKey(windowId), priority: BEHIND_ALERTS });
}

/**
 * Plans the occurrences of a recurring window from the end of its plan to `until`, for the monitors that it covers now. The caller has locked the
 * team. Does not store the new end of the plan.
 * @param most the maximum number of periods (occurrences times monitors), but at least one occurrence is planned
 * @returns the monitors, the start of the first new occurrence (null for none), and the new end of the plan
 */
export async function extendPlan(
  tx: Tx,
  window: Planned,
  until: Date,
  most = Number.POSITIVE_INFINITY,
): Promise<{ scope: Covered[]; first: Date | null; until: Date | null }> {
  const from = window.plannedUntil;
  if (window.recurrence === null || !from || from >= until) return { scope: [], first: null, until: from };
  const scope = await readScope(tx, window);
  const coming = occurrencesOf(window, from, until).filter(({ startsAt }) => startsAt >= from && startsAt < until);
  const periods = coming.slice(0, Math.max(1, Math.floor(most / Math.max(1, scope.length))));
  await addPeriods(tx, numsOf(scope), periodsOf(window, periods));
  return { scope, first: periods[0]?.startsAt ?? null, until: coming[periods.length]?.startsAt ?? until };
}

/** Plans the occurrences until now before a change. If no worker ran for days, they took place with the former times without being planned. */
export async function planMissed(tx: Tx, window: Planned, now: Date): Promise<void> {
  const { scope, first } = await extendPlan(tx, window, now);
  if (first) await markStale(tx, staleFrom(scope, first));
}

export const staleFrom = (monitors: Covered[], since: Date) =>
  numsOf(monitors).map((monitorNum) => ({ monitorNum, since }));

/**
 * Adds the periods of a window. A window without recurrence is planned whole, even in the past. For a recurring one, plans current and future
 * occurrences: the current one continues for monitors that were in it, and starts now for the others.
 */
async function planOccurrences(tx: Tx, window: Planned, scope: Covered[], now: Date): Promise<void> {
  const once = window.recurrence === null;
  const until = window.plannedUntil ?? window.endsAt;
  const periods = once ? [window] : occurrencesOf(window, now, until).filter((each) => each.startsAt < until);
  const running = once ? undefined : periods.find(({ startsAt }) => startsAt < now);
  const others = periods.filter((each) => each !== running);
  await addPeriods(tx, numsOf(scope), periodsOf(window, others));
  if (!running) return;
  const continued = await continuePeriods(tx, window, numsOf(scope), { ...running, now });
  const joining = numsOf(scope).filter((num) => !continued.has(num));
  await addPeriods(tx, joining, periodsOf(window, [{ startsAt: now, endsAt: running.endsAt }]));
}

/**
 * Applies a created, changed or deleted window to the planned periods, the history and the states of its monitors, and to the schedule. The caller
 * has locked the team, the window and, with `lockScope`, the states, so that changes of a team's windows are serialized.
 * @param before the window before the change; null for a new one
 * @param after null for a deleted window, which ends now
 */
export async function applyWindow(tx: Tx, before: Planned | null, after: Planned | null, now: Date): Promise<void> {
  const window = after ?? before;
  if (!window) return;
  const { id, teamId } = window;
  const scope = after ? await readScope(tx, after) : [];
  const planned = await readPlanned(tx, id, now);
  const monitors = new Map([...planned, ...scope].map((each) => [each.id, each]));
  await endPeriods(tx, [id], numsOf(planned), now);
  if (after) {
    // Without recurrence, the new times replace the former ones, even in the past. If the window had a rule before, its past does not change.
    if (after.recurrence === null && before?.recurrence === null) await removeWithin(tx, id, numsOf(scope), before);
    await planOccurrences(tx, after, scope, now);
    await markStale(tx, pastOf(before, after, scope, now));
  }
  await applyPlan(tx, teamId, [...monitors.keys()], now);
  await queueEdge(tx, id, now);
}

/** Returns from when on roll-ups of the monitors are stale; empty if their past does not change. */
function pastOf(before: Planned | null, after: Planned, scope: Covered[], now: Date) {
  if (after.recurrence !== null) return [];
  const starts = [after, ...(before?.recurrence === null ? [before] : [])].map(({ startsAt }) => startsAt.getTime());
  const since = new Date(Math.min(...starts));
  return since < now ? staleFrom(scope, since) : [];
}

/**
 * Plans the periods of a created or changed monitor for the windows that cover it now, ends those of other windows, and updates its state. The caller
 * has a shared lock on the team, and has locked the monitor's own state.
 * @param mayDiffer false only updates the state, because the same windows cover the monitor as before
 * @throws AppError PLAN_LIMIT_REACHED
 */
export async function applyToMonitor(
  tx: Tx,
  teamId: string,
  monitor: Covered,
  { now, mayDiffer }: { now: Date; mayDiffer: boolean },
): Promise<void> {
  const current = { OR: [{ recurrence: { not: null } }, { endsAt: { gt: now } }] };
  if (!(await tx.maintenanceWindow.findFirst({ where: { teamId, ...current }, select: { id: true } }))) return;
  if (mayDiffer) {
    await assertFewPeriods(tx, teamId, now);
    const windows: ListedWindow[] = [];
    for await (const some of readWindows(tx, teamId, current)) windows.push(...some);
    await replanMonitor(tx, monitor, windows, now);
  }
  await replan(tx, teamId, [monitor.id], now);
}

/**
 * Plans the periods of monitors that got or lost a tag: adds those of windows with the tag that cover them now, and ends those of windows that do not
 * any more. Updates their states. The caller has a shared lock on the team, and has locked the monitors' own states.
 * @throws AppError PLAN_LIMIT_REACHED
 */
export async function applyTag(
  tx: Tx,
  teamId: string,
  monitors: Covered[],
  { tag, isAdded, now }: { tag: string; isAdded: boolean; now: Date },
): Promise<void> {
  const windows: ListedWindow[] = [];
  const covering = { tags: { has: tag }, OR: [{ recurrence: { not: null } }, { endsAt: { gt: now } }] };
  for await (const some of readWindows(tx, teamId, covering)) windows.push(...some);
  if (windows.length === 0) return;
  if (isAdded) await assertFewPeriods(tx, teamId, now);
  for (const monitor of monitors) await replanMonitor(tx, monitor, windows, now);
  await replan(
    tx,
    teamId,
    monitors.map(({ id }) => id),
    now,
  );
}

/**
 * Updates the states of monitors that were paused or resumed by the existing plan, if the team has current or future windows. The caller has a shared
 * lock on the team, and has locked the monitors' own states.
 */
export async function followWindows(tx: Tx, teamId: string, monitorIds: string[], now: Date): Promise<void> {
  const window = { teamId, OR: [{ recurrence: { not: null } }, { endsAt: { gt: now } }] };
  if (await tx.maintenanceWindow.findFirst({ where: window, select: { id: true } })) {
    await replan(tx, teamId, monitorIds, now);
  }
}

/** Ends the periods of windows that no longer cover a monitor, and adds those of windows that cover it now. Does not update its state. */
async function replanMonitor(tx: Tx, monitor: Covered, windows: ListedWindow[], now: Date): Promise<void> {
  const { tags } = await tx.monitor.findUniqueOrThrow({ where: { id: monitor.id }, select: { tags: true } });
  const planned = await tx.maintenancePeriod.findMany({
    where: { monitorNum: monitor.num, endsAt: { gt: now } },
    select: { windowId: true },
  });
  const naming = await tx.maintenanceWindowMonitor.findMany({
    where: { monitorId: monitor.id },
    select: { maintenanceWindowId: true },
  });
  const before = new Set(planned.map(({ windowId }) => windowId));
  const named = new Set(naming.map(({ maintenanceWindowId }) => maintenanceWindowId));
  const covers = (window: ListedWindow) =>
    window.allMonitors || named.has(window.id) || window.tags.some((tag) => tags.includes(tag));
  // The existing plan of a window that covers the monitor as before stays.
  const changed = windows.filter((window) => covers(window) !== before.has(window.id));
  if (changed.length === 0) return;
  const ids = changed.map(({ id }) => id);
  await endPeriods(tx, ids, [monitor.num], now);
  const joined = changed.filter(covers);
  for (let first = 0; first < joined.length; first += WINDOWS_AT_ONCE) {
    const plans: { windowId: string; periods: PlannedPeriod[] }[] = [];
    const expanded = await keptOccurrences(
      joined.slice(first, first + WINDOWS_AT_ONCE),
      ({ plannedUntil: planned, endsAt }) => ({ from: now, to: planned ?? endsAt }),
      (missing) => withChanges(tx, missing),
    );
    for (const { window, occurrences } of expanded) {
      const rest = occurrences.map(({ startsAt, endsAt }) => ({ startsAt: startsAt < now ? now : startsAt, endsAt }));
      plans.push({ windowId: window.id, periods: periodsOf(window, rest) });
    }
    await addPeriods(
      tx,
      [monitor.num],
      plans.flatMap(({ periods }) => periods),
    );
    await queueEdges(tx, plans, now);
  }
}

/** Queues the jobs that update open pages when windows start or end next. Keeps queued ones, because a window has the same times for all monitors. */
async function queueEdges(tx: Tx, plans: { windowId: string; periods: Period[] }[], now: Date): Promise<void> {
  const items = plans.flatMap(({ windowId, periods }) => {
    const edges = periods.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]).filter((edge) => edge > now);
    if (edges.length === 0) return [];
    const runAt = new Date(Math.min(...edges.map((edge) => edge.getTime())));
    return [{ payload: { windowId }, runAt, jobKey: edgeKey(windowId), priority: BEHIND_ALERTS }];
  });
  await enqueueMany(tx, notifyEdge, items, { keepRunAt: true });
}
