import { operations, router, teamProcedure } from '@/server/trpc/procedures';
import { getReport } from './get-report';
import { Report, ReportInput } from './schema';

const rest = operations('Monitors');

export const reportsRouter = router({
  get: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta(rest('GET', '/api/v1/report', 'Get a report of uptime and response time'))
    .input(ReportInput)
    .output(Report)
    .query(({ ctx, input }) => getReport(ctx.db, ctx.team.id, input)),
});
