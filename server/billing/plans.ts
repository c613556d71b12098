import type { Plan } from '@/server/platform/generated/prisma/enums';

/** What a plan allows. A null is "no cap". */
export interface PlanLimits {
  monitors: number | null;
  /** The shortest time between two checks of a monitor, in seconds. */
  minIntervalSeconds: number;
  /** Members and pending invitations together. */
  members: number | null;
  statusPages: number | null;
  apiKeys: number | null;
  /** How far back the history of checks is kept, in days. */
  historyDays: number;
}

/** The limits of every plan. */
export const planLimits: Record<Plan, PlanLimits> = {
  free: { monitors: 20, minIntervalSeconds: 60, members: 3, statusPages: 1, apiKeys: 2, historyDays: 30 },
  pro: { monitors: 200, minIntervalSeconds: 30, members: 15, statusPages: 10, apiKeys: 20, historyDays: 180 },
  business: { monitors: 2_000, minIntervalSeconds: 10, members: 100, statusPages: 100, apiKeys: 200, historyDays: 400 },
  self_hosted: {
    monitors: null,
    minIntervalSeconds: 5,
    members: null,
    statusPages: null,
    apiKeys: null,
    historyDays: 400,
  },
};
