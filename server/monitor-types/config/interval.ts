import { planLimits } from '@/server/plans/plans';
import { AppError, invalidField } from '@/server/platform/errors';
import type { Plan } from '@/server/platform/generated/prisma/enums';
import { definitionOf } from '../definitions';
import type { MonitorType, TypedConfig } from '../schema';

/**
 * Rejects an interval below the plan's minimum, in seconds.
 * @throws AppError PLAN_LIMIT_REACHED
 */
export function assertInterval(plan: Plan, intervalSeconds: number): void {
  const { minIntervalSeconds } = planLimits[plan];
  if (intervalSeconds >= minIntervalSeconds) return;
  throw new AppError('PLAN_LIMIT_REACHED', `The ${plan} plan's minimum interval is ${minIntervalSeconds} s.`);
}

/** Returns the default interval in seconds: 1 min, or the plan's minimum if that is longer. */
export function defaultInterval(plan: Plan): number {
  return Math.max(60, planLimits[plan].minIntervalSeconds);
}

/** Returns the cron expression that replaces the interval; null if the interval applies. */
export function cronOf(type: MonitorType, config: unknown): string | null {
  return definitionOf(type).schedule?.(config).cron ?? null;
}

/**
 * Rejects an interval, because a cron schedule replaces it.
 * @throws AppError VALIDATION_ERROR
 */
function assertNotAsked(asked: number | undefined): void {
  if (asked === undefined) return;
  throw invalidField('intervalSeconds', 'Leave this out: the cron schedule takes its place.');
}

/**
 * Returns the interval of a new monitor's checks, or of its expected pings, in seconds.
 * @param cronSeconds the longest time between two runs of its cron schedule, if it has one
 * @param asked the interval in the input; it must be missing for a cron schedule
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR
 */
export function newInterval(plan: Plan, cronSeconds: number | null, asked: number | undefined): number {
  if (cronSeconds !== null) {
    assertNotAsked(asked);
    return cronSeconds;
  }
  const intervalSeconds = asked ?? defaultInterval(plan);
  assertInterval(plan, intervalSeconds);
  return intervalSeconds;
}

/**
 * Returns the interval after an update, in seconds; undefined if it does not change. A monitor that no longer has a cron schedule gets the default.
 * @param present the stored config
 * @param next the new config; null if it does not change
 * @param cronSeconds the longest time between two runs of the new config's cron schedule, if it has one
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR
 */
export function changedInterval(
  plan: Plan,
  present: unknown,
  next: TypedConfig | null,
  { type, asked, cronSeconds }: { type: MonitorType; asked: number | undefined; cronSeconds: number | null },
): number | undefined {
  const before = cronOf(type, present);
  const after = next ? cronOf(type, next.config) : before;
  if (after !== null) {
    assertNotAsked(asked);
    return (next && cronSeconds) ?? undefined;
  }
  if (asked !== undefined) assertInterval(plan, asked);
  return asked ?? (before !== null ? defaultInterval(plan) : undefined);
}
