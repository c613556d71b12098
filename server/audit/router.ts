import { adminProcedure, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { listEntries } from './list-entries';
import { AuditPage, ListAuditInput } from './schema';

const rest = operations('Audit log');

export const auditRouter = router({
  list: teamProcedure({ role: 'admin', scope: 'read' })
    .meta(rest('GET', '/dashboard/audit-log', "List the team's audit log", { alsoAt: '/api/v1/audit-log' }))
    .input(ListAuditInput)
    .output(AuditPage)
    .query(({ ctx, input }) => listEntries(ctx.db, ctx.team.id, input)),
  listAll: adminProcedure
    .meta(rest('GET', '/admin/audit-log', "List the instance's audit log"))
    .input(ListAuditInput)
    .output(AuditPage)
    .query(({ ctx, input }) => listEntries(ctx.db, null, input)),
});
