import { planLimits } from '@/server/billing/plans';
import { AppError, invalidField } from '@/server/platform/errors';
import type { Plan } from '@/server/platform/generated/prisma/enums';
import type { HeartbeatConfig, TypedConfig } from './schema';
import { longestGapSeconds } from './types/heartbeat/cron';

/** Throws PLAN_LIMIT_REACHED where a plan does not check as often as this. Seconds. */
export function assertInterval(plan: Plan, intervalSeconds: number): void {
  const { minIntervalSeconds } = planLimits[plan];
  if (intervalSeconds >= minIntervalSeconds) return;
  throw new AppError('PLAN_LIMIT_REACHED', `The plan ${plan} checks every ${minIntervalSeconds} s at most.`);
}

/** How often a monitor is checked that does not say: every minute, or as often as the plan allows. Seconds. */
export function defaultInterval(plan: Plan): number {
  return Math.max(60, planLimits[plan].minIntervalSeconds);
}

/** The interval of a heartbeat that follows a cron schedule: the longest time between two runs. Seconds. */
function cronInterval({ cron = '' }: HeartbeatConfig, asked: number | undefined): number {
  if (asked === undefined) return longestGapSeconds(cron);
  throw invalidField('intervalSeconds', 'This heartbeat follows its cron schedule, so it has no interval.');
}

/** How often a new monitor is checked, or a new heartbeat is pinged. @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR */
export function newInterval(plan: Plan, { type, config }: TypedConfig, asked: number | undefined): number {
  if (type === 'heartbeat' && config.cron !== undefined) return cronInterval(config, asked);
  const intervalSeconds = asked ?? defaultInterval(plan);
  assertInterval(plan, intervalSeconds);
  return intervalSeconds;
}

/**
 * The interval after a change, undefined where it stays. `present` is the config as it is stored, `next` a new one.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR
 */
export function changedInterval(
  plan: Plan,
  present: unknown,
  next: TypedConfig | null,
  { type, asked }: { type: TypedConfig['type']; asked: number | undefined },
): number | undefined {
  const before = type === 'heartbeat' ? (present as HeartbeatConfig) : null;
  const after = next?.type === 'heartbeat' ? next.config : before;
  if (after?.cron !== undefined && (next || asked !== undefined)) return cronInterval(after, asked);
  if (asked !== undefined) assertInterval(plan, asked);
  const leavesCron = before?.cron !== undefined && after?.cron === undefined;
  return asked ?? (leavesCron ? defaultInterval(plan) : undefined);
}
