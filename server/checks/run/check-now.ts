import { setTimeout as sleep } from 'node:timers/promises';
import { countAgents } from '@/server/agents/count-agents';
import { toCheck, toCheckRow } from '@/server/history/monitor/to-check';
import { toBareAttempt } from '@/server/incidents/evidence/to-attempt';
import type { CheckAttempt } from '@/server/incidents/schema';
import { isCheckedByAgents } from '@/server/monitor-types/private-regions';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import type { Check } from '@/server/monitor-types/schema';
import { databaseNow } from '@/server/platform/database-now';
import { db, isDataError } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError, invalidField } from '@/server/platform/errors';
import { FairPool } from '@/server/platform/fair-pool';
import { notifySchedule } from '@/server/platform/listen';
import { lockMonitorState } from '@/server/platform/locks';
import { log } from '@/server/platform/log';
import type { Finding } from '../finding';
import { recordResults } from '../record/record';
import { toUnknownResult } from '../record/storable';
import type { Result } from '../record/write-results';
import { Clock } from '../schedule/clock';
import { type MonitorRow, type Plan, toPlan } from '../schedule/plan';
import type { Judged } from './egress';
import { judgeNow } from './judge-now';
import { runCheck } from './run';

/** Uses the database's clock, like the workers' checks. */
const clock = new Clock();

/** The maximum number of concurrent checks in this process, in total and per team and host. */
const slots = new FairPool({ kind: 'check-now', slots: 100, perHost: 20 });
/** How long a check may wait beyond its timeout: for a slot, and for the team's share of the thread. */
const MOST_WAIT_MS = 30_000;
/** How long agents may take beyond the timeout of a check, and the interval in which their result is looked for. */
const MOST_AGENT_WAIT_MS = 15_000;
const AGENT_POLL_MS = 500;
/** Calls that wait for an agent. Each holds a place among the unfinished calls of its team. */
const waits = new FairPool({ kind: 'check-by-agents', slots: 50, perHost: 10 });
/** Running and waiting checks, by the monitor's ID and version. */
const underWay = new Map<string, Promise<Check>>();

/** Makes a monitor's check in each other region due now, because only results of its regions count. Skips checks that are claimed. */
async function askRegions(monitorId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockMonitorState(tx, monitorId);
    const asked = await tx.$executeRaw`
      update monitor_states set due_at = now()
      where monitor_id = ${monitorId} and region <> '' and region <> ${env.region} and due_at > now()
        and (claimed_until is null or claimed_until < now())`;
    if (asked > 0) await notifySchedule(tx);
  });
}

/**
 * Runs a check in a slot.
 * @throws AppError RATE_LIMITED if it does not end in time because other checks of its team use the team's whole share
 */
async function inSlot<T>(plan: Plan, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const busy =
    'The check could not end in time, because other checks of your team or of this host are running. Try again in a minute.';
  const timer = setTimeout(
    () => stop.abort(new AppError('RATE_LIMITED', busy, { retryAfterSeconds: 60 })),
    (plan.target?.config.timeoutMs ?? 0) + MOST_WAIT_MS,
  );
  const { monitor, host } = plan;
  try {
    return await slots.run({ team: monitor.teamId, host }, () => work(stop.signal), stop.signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Makes the checks of a monitor due in its private regions, and returns the first result of their agents, because this instance must not connect to
 * its target. A check that is running counts too.
 * @throws AppError VALIDATION_ERROR for a paused monitor, UNAVAILABLE without an agent that checks it in time
 */
async function checkByAgents(monitor: MonitorRow, plan: Plan, signal: AbortSignal): Promise<Check> {
  const { id: monitorId, num: monitorNum, teamId, regions } = monitor;
  const names = regions.join(', ');
  const running = await countAgents(db, teamId);
  if (!regions.some((region) => running.get(region))) {
    throw new AppError('UNAVAILABLE', `No agent is running in ${names}, so this monitor cannot be checked now.`);
  }
  const states = await db.monitorState.findMany({ where: { monitorId } });
  if (states.some(({ status }) => status === 'paused')) throw invalidField('id', 'This monitor is paused.');
  const after = new Date(Math.max(0, ...states.map(({ lastCheckedAt }) => lastCheckedAt?.getTime() ?? 0)));
  await askRegions(monitorId);
  const until = performance.now() + (plan.target?.config.timeoutMs ?? 0) + MOST_AGENT_WAIT_MS;
  while (performance.now() < until) {
    await sleep(AGENT_POLL_MS);
    signal.throwIfAborted();
    const row = await db.check.findFirst({ where: { monitorNum, at: { gt: after } }, orderBy: { at: 'asc' } });
    if (row) return toCheck(monitorId, row);
  }
  throw new AppError('UNAVAILABLE', `The agents in ${names} have not checked this monitor in time.`);
}

async function check(monitor: MonitorRow, plan: Plan, judged: Judged, signal: AbortSignal): Promise<Check> {
  if (isCheckedByAgents(plan.regions)) {
    const found = waits.tryRun({ team: plan.monitor.teamId }, () => checkByAgents(monitor, plan, signal));
    if (found) return found;
    throw new AppError('RATE_LIMITED', 'Your team waits for too many checks by agents. Try again in a moment.', {
      retryAfterSeconds: 10,
    });
  }
  if (plan.regions.length > 0) await askRegions(monitor.id);
  const { region } = env;
  const asked = Date.now();
  const [row] = await db.$queryRaw<{ now: Date; wasDown: boolean }[]>`
    select clock_timestamp() as now, (
      select status from monitor_states where monitor_id = ${monitor.id} and region in ('', ${region})
      order by region desc limit 1
    ) is not distinct from 'down' as "wasDown"`;
  if (row) clock.sample(row.now, asked);
  const wasDown = row?.wasDown ?? false;
  const keepsEvidence = ({ status }: Verdict) => status !== 'unknown' && (status !== 'up' || wasDown);
  const seen = await runCheck(plan, clock, { signal, fresh: true, keepsEvidence, region });
  if ('event' in seen) throw new Error('Heartbeat monitors are not checked; they wait for pings.');
  const finding = await judgeNow(plan, seen, { ...judged, wasDown, region });
  const result = { plan, finding, region, takenAt: clock.now(), claim: null };
  const recorded = await record(result).catch((error: unknown) => {
    if (!isDataError(error)) throw error;
    log.error({ err: error, monitor: monitor.id }, 'A result was rejected; it counts as unknown');
    return record(toUnknownResult(result));
  });
  return toCheck(monitor.id, toCheckRow(recorded, region));
}

async function record(result: Result & { finding: Finding }): Promise<Finding> {
  const { plan, region } = result;
  if (plan.regions.length === 0 || plan.regions.includes(region)) await recordResults(null, [result]);
  return result.finding;
}

/**
 * Checks a monitor at once in this process. The result counts like any other: it may open, confirm or resolve an incident, and a failure of our own
 * network is unknown. A check that a worker has claimed still runs. For a paused monitor, or in a region that the monitor does not use, the result is
 * returned but not recorded. The monitor's other regions check it too. Concurrent requests for the same monitor share one check.
 * @throws Error for a heartbeat; AppError RATE_LIMITED as `inSlot` does
 */
export function checkNow(monitor: MonitorRow, judged: Judged = { canaries: env.egressCanaries }): Promise<Check> {
  const key = `${monitor.id} ${monitor.version}`;
  const present = underWay.get(key);
  if (present) return present;
  const plan = toPlan(monitor);
  const made = inSlot(plan, (signal) => check(monitor, plan, judged, signal)).finally(() => underWay.delete(key));
  underWay.set(key, made);
  return made;
}

/**
 * Checks a target once for a monitor that is not saved. Shares the slots of `checkNow`; records nothing, and changes the state of no monitor.
 * @throws AppError RATE_LIMITED, as `inSlot` does
 */
export function tryNow(draft: MonitorRow): Promise<CheckAttempt> {
  const plan = toPlan(draft);
  const { region } = env;
  return inSlot(plan, async (signal) => {
    const asked = Date.now();
    clock.sample(await databaseNow(), asked);
    const seen = await runCheck(plan, clock, { signal, fresh: true, keepsEvidence: () => true, region, isDraft: true });
    if ('event' in seen) throw new Error('Heartbeat monitors are not checked; they wait for pings.');
    return (seen.kept ?? toBareAttempt(seen, region)).attempt;
  });
}
