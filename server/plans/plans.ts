import type { Plan } from '@/server/platform/generated/prisma/enums';

/** The limits of a plan. Null means unlimited. */
export interface PlanLimits {
  monitors: number | null;
  /** The minimum check interval in seconds. */
  minIntervalSeconds: number;
  /** Members and pending invitations together. */
  members: number | null;
  statusPages: number | null;
  /** Components without a monitor on each status page. */
  pageComponents: number | null;
  /** On-call schedules. */
  schedules: number | null;
  escalationPolicies: number | null;
  apiKeys: number | null;
  /** The retention of the check history in days. */
  historyDays: number;
}

/** The limits of every plan. */
export const planLimits: Record<Plan, PlanLimits> = {
  free: {
    monitors: 20,
    minIntervalSeconds: 60,
    members: 3,
    statusPages: 1,
    apiKeys: 2,
    historyDays: 30,
    schedules: 1,
    escalationPolicies: 1,
    pageComponents: 5,
  },
  pro: {
    monitors: 200,
    minIntervalSeconds: 30,
    members: 15,
    statusPages: 10,
    apiKeys: 20,
    historyDays: 180,
    schedules: 10,
    escalationPolicies: 10,
    pageComponents: 50,
  },
  business: {
    monitors: 2_000,
    minIntervalSeconds: 10,
    members: 100,
    statusPages: 100,
    apiKeys: 200,
    historyDays: 400,
    schedules: 100,
    escalationPolicies: 100,
    pageComponents: 200,
  },
  self_hosted: {
    monitors: null,
    minIntervalSeconds: 5,
    members: null,
    statusPages: null,
    pageComponents: null,
    schedules: null,
    escalationPolicies: null,
    apiKeys: null,
    historyDays: 400,
  },
};
