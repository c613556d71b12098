import { z } from 'zod';
import { NoInput, operations, publicProcedure, router, teamProcedure } from '@/server/trpc/procedures';
import { getSetting } from './get-setting';
import { SummarySetting, SummarySubscription, SummaryToken, UpdateSummaryInput } from './schema';
import { getSubscription, unsubscribe } from './unsubscribe';
import { updateSetting } from './update-setting';

const rest = operations('Team');
const own = '/api/v1/me/weekly-summary';
const ownReport = '/api/v1/me/monthly-report';
const link = '/auth/weekly-summary/{token}';
const OneSummary = z.object({ weeklySummary: SummarySetting });
const OneReport = z.object({ monthlyReport: SummarySetting });
const OneSubscription = z.object({ subscription: SummarySubscription });

/** The mails about a team's week or month that members get. */
export const summariesRouter = router({
  get: teamProcedure({ role: 'viewer', scope: 'read', isPersonal: true })
    .meta(rest('GET', own, 'Get your weekly summary setting'))
    .input(NoInput)
    .output(OneSummary)
    .query(async ({ ctx }) => ({ weeklySummary: await getSetting(ctx.db, 'weekly', ctx) })),
  update: teamProcedure({ role: 'viewer', scope: 'write', isPersonal: true })
    .meta(rest('PATCH', own, 'Update your weekly summary setting'))
    .input(UpdateSummaryInput)
    .output(OneSummary)
    .mutation(async ({ ctx, input }) => ({ weeklySummary: await updateSetting('weekly', { ctx, input }) })),
  getReport: teamProcedure({ role: 'viewer', scope: 'read', isPersonal: true })
    .meta(rest('GET', ownReport, 'Get your monthly report setting'))
    .input(NoInput)
    .output(OneReport)
    .query(async ({ ctx }) => ({ monthlyReport: await getSetting(ctx.db, 'monthly', ctx) })),
  updateReport: teamProcedure({ role: 'viewer', scope: 'write', isPersonal: true })
    .meta(rest('PATCH', ownReport, 'Update your monthly report setting'))
    .input(UpdateSummaryInput)
    .output(OneReport)
    .mutation(async ({ ctx, input }) => ({ monthlyReport: await updateSetting('monthly', { ctx, input }) })),
  getSubscription: publicProcedure
    .meta(rest('GET', link, 'Get the subscription of an unsubscribe link', { errors: ['NOT_FOUND'] }))
    .input(SummaryToken)
    .output(OneSubscription)
    .query(async ({ ctx, input }) => ({ subscription: await getSubscription({ ctx, input }) })),
  unsubscribe: publicProcedure
    .meta(
      rest('POST', link, 'Unsubscribe from a weekly summary or monthly report', {
        errors: ['NOT_FOUND'],
        limit: 'auth',
      }),
    )
    .input(SummaryToken)
    .output(OneSubscription)
    .mutation(async ({ ctx, input }) => ({ subscription: await unsubscribe({ ctx, input }) })),
});
