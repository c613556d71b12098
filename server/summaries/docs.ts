import { user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const weeklySummary = { isActive: true, address: user.email, isConfirmed: true, timezone: 'Europe/Berlin' };
const subscription = { kind: 'weekly', teamName: 'Shop team', address: user.email, isActive: true };
const token = 'v1.3q2-7wEj.kV3nT8yQ1wZ5sX7dL2mB9pJ4rF6hC0gA';

export const summaryDocs: Record<string, OperationDoc> = {
  'summaries.get': {
    id: 'getWeeklySummary',
    description: "Returns whether you get the team's weekly summary by email.",
    answer: { weeklySummary },
  },
  'summaries.update': {
    id: 'updateWeeklySummary',
    description:
      "Switches your weekly summary of the team: an email every Monday at 08:00 in your profile's time zone (UTC without one), with incidents, outages, the time to acknowledge, and the monitors with the lowest uptime, each compared with the week before. An address that is not confirmed for the team is sent a confirmation link, again with every such request; nothing else is sent before.",
    body: { isActive: true },
    answer: { weeklySummary },
  },
  'summaries.getReport': {
    id: 'getMonthlyReport',
    description: "Returns whether you get the team's monthly report by email.",
    answer: { monthlyReport: weeklySummary },
  },
  'summaries.updateReport': {
    id: 'updateMonthlyReport',
    description:
      "Switches your monthly report of the team: an email on the first of each month at 08:00 in your profile's time zone (UTC without one), not before 01:00 UTC. It has the uptime of the month before against an objective of 99.9 %, the error budget that is left, and uptime, downtime and incidents of the 20 monitors with the least error budget left; the figures are those of `GET /api/v1/report`. An address that is not confirmed for the team is sent a confirmation link, again with every such request; nothing else is sent before.",
    body: { isActive: true },
    answer: { monthlyReport: weeklySummary },
  },
  'summaries.getSubscription': {
    id: 'getSummarySubscription',
    description: 'Returns what the unsubscribe link of a weekly summary or monthly report is about. Changes nothing.',
    params: { token },
    answer: { subscription },
  },
  'summaries.unsubscribe': {
    id: 'unsubscribeFromSummary',
    description: 'Ends the weekly summary or monthly report that the link came with. Idempotent.',
    params: { token },
    answer: { subscription: { ...subscription, isActive: false } },
  },
};
