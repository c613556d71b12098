import { env } from '@/server/platform/env';
import type { Plan } from '@/server/platform/generated/prisma/enums';

/** The plan of a team that pays for none: DEFAULT_PLAN, else free where plans are sold and self_hosted where not. */
export function defaultPlan(): Plan {
  return env.defaultPlan ?? (env.stripe ? 'free' : 'self_hosted');
}
