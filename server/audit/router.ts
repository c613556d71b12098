import { adminProcedure, router, teamProcedure } from '@/server/trpc/procedures';
import { listEntries } from './list-entries';
import { AuditPage, ListAuditInput } from './schema';

const tags = ['Audit log'];

export const auditRouter = router({
  list: teamProcedure({ role: 'admin', scope: 'read' })
    .meta({ openapi: { method: 'GET', path: '/dashboard/audit-log', tags, summary: "List the team's audit log" } })
    .input(ListAuditInput)
    .output(AuditPage)
    .query(({ ctx, input }) => listEntries(ctx.db, ctx.team.id, input)),
  listAll: adminProcedure
    .meta({ openapi: { method: 'GET', path: '/admin/audit-log', tags, summary: "List the instance's audit log" } })
    .input(ListAuditInput)
    .output(AuditPage)
    .query(({ ctx, input }) => listEntries(ctx.db, null, input)),
});
