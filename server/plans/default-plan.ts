import { env } from '@/server/platform/env';
import type { Plan } from '@/server/platform/generated/prisma/enums';

/** Returns the plan of a team without a subscription: DEFAULT_PLAN, else free if billing is configured, else self_hosted. */
export function defaultPlan(): Plan {
  return env.defaultPlan ?? (env.stripe ? 'free' : 'self_hosted');
}
