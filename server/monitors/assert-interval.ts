import { planLimits } from '@/server/billing/plans';
import { AppError } from '@/server/platform/errors';
import type { Plan } from '@/server/platform/generated/prisma/enums';

/** Throws PLAN_LIMIT_REACHED where a plan does not check as often as this. Seconds. */
export function assertInterval(plan: Plan, intervalSeconds: number): void {
  const { minIntervalSeconds } = planLimits[plan];
  if (intervalSeconds >= minIntervalSeconds) return;
  throw new AppError('PLAN_LIMIT_REACHED', `The plan ${plan} checks every ${minIntervalSeconds} s at most.`);
}
