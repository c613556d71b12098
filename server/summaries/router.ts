import { z } from 'zod';
import { NoInput, operations, publicProcedure, router, teamProcedure } from '@/server/trpc/procedures';
import { getWeeklySummary } from './get-weekly-summary';
import { SummarySubscription, SummaryToken, UpdateWeeklySummaryInput, WeeklySummary } from './schema';
import { getSubscription, unsubscribe } from './unsubscribe';
import { updateWeeklySummary } from './update-weekly-summary';

const rest = operations('Team');
const own = '/api/v1/me/weekly-summary';
const link = '/auth/weekly-summary/{token}';
const OneSummary = z.object({ weeklySummary: WeeklySummary });
const OneSubscription = z.object({ subscription: SummarySubscription });

/** The summary of a team's week that members get by email. */
export const summariesRouter = router({
  get: teamProcedure({ role: 'viewer', scope: 'read', isPersonal: true })
    .meta(rest('GET', own, 'Get your weekly summary setting'))
    .input(NoInput)
    .output(OneSummary)
    .query(async ({ ctx }) => ({ weeklySummary: await getWeeklySummary(ctx.db, ctx) })),
  update: teamProcedure({ role: 'viewer', scope: 'write', isPersonal: true })
    .meta(rest('PATCH', own, 'Switch your weekly summary'))
    .input(UpdateWeeklySummaryInput)
    .output(OneSummary)
    .mutation(async ({ ctx, input }) => ({ weeklySummary: await updateWeeklySummary({ ctx, input }) })),
  getSubscription: publicProcedure
    .meta(rest('GET', link, 'Get the summary of an unsubscribe link', { errors: ['NOT_FOUND'] }))
    .input(SummaryToken)
    .output(OneSubscription)
    .query(async ({ ctx, input }) => ({ subscription: await getSubscription({ ctx, input }) })),
  unsubscribe: publicProcedure
    .meta(rest('POST', link, 'Unsubscribe from a weekly summary', { errors: ['NOT_FOUND'], limit: 'auth' }))
    .input(SummaryToken)
    .output(OneSubscription)
    .mutation(async ({ ctx, input }) => ({ subscription: await unsubscribe({ ctx, input }) })),
});
