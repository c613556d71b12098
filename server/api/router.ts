import type { z } from 'zod';
import { authRouter } from '@/server/account/router';
import { mailRouter, teamRemovalRouter, usersRouter, workersRouter } from '@/server/admin/router';
import { agentsRouter } from '@/server/agents/router';
import { apiKeysRouter } from '@/server/api-keys/router';
import { auditRouter } from '@/server/audit/router';
import { billingRouter } from '@/server/billing/router';
import { calendarFeedsRouter } from '@/server/calendar-feeds/router';
import { exclusionsRouter } from '@/server/history/router';
import { importsRouter } from '@/server/imports/router';
import { incidentsRouter } from '@/server/incidents/router';
import { liveRouter } from '@/server/live/router';
import { maintenanceRouter } from '@/server/maintenance/router';
import { monitorsRouter } from '@/server/monitors/router';
import { notificationsRouter } from '@/server/notifications/router';
import { contactMethodsRouter, escalationPoliciesRouter, onCallRouter } from '@/server/on-call/router';
import { reportsRouter } from '@/server/reports/router';
import { savedViewsRouter } from '@/server/saved-views/router';
import { statusPageComponentsRouter, statusPagesRouter } from '@/server/status-pages/router';
import { summariesRouter } from '@/server/summaries/router';
import { teamsRouter } from '@/server/teams/router';
import { router } from '@/server/trpc/procedures';
import type { TeamRouter } from '@/server/trpc/schema';
import { stopEarly } from '@/server/trpc/stop-early';

/**
 * Every procedure of the product. Procedures with `openapi` metadata are also REST operations. Routers of a team's procedures belong to a resource
 * (trpc/schema.ts).
 */
export const appRouter = router({
  auth: authRouter,
  teams: teamsRouter,
  teamRemoval: teamRemovalRouter,
  apiKeys: apiKeysRouter,
  agents: agentsRouter,
  monitors: monitorsRouter,
  exclusions: exclusionsRouter,
  incidents: incidentsRouter,
  maintenance: maintenanceRouter,
  imports: importsRouter,
  notifications: notificationsRouter,
  contactMethods: contactMethodsRouter,
  onCall: onCallRouter,
  escalationPolicies: escalationPoliciesRouter,
  calendarFeeds: calendarFeedsRouter,
  statusPages: statusPagesRouter,
  statusPageComponents: statusPageComponentsRouter,
  summaries: summariesRouter,
  savedViews: savedViewsRouter,
  reports: reportsRouter,
  live: liveRouter,
  billing: billingRouter,
  audit: auditRouter,
  mail: mailRouter,
  users: usersRouter,
  workers: workersRouter,
} satisfies Record<TeamRouter | 'auth' | 'mail' | 'users' | 'workers', object>);

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>;
stopEarly(Object.values(procedures).flatMap(({ _def }) => _def.inputs));

export type AppRouter = typeof appRouter;
