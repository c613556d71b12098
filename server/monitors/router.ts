import { z } from 'zod';
import { getLatency } from '@/server/history/monitor/get-latency';
import { listChecks } from '@/server/history/monitor/list-checks';
import { readUptime } from '@/server/history/monitor/read-uptime';
import { BulkResult, Page } from '@/server/lists/schema';
import {
  BulkMonitorsInput,
  Check,
  CreateMonitorInput,
  KnownRegion,
  Latency,
  ListMonitorsInput,
  Monitor,
  MonitorDetail,
  MonitorDetailInput,
  MonitorOverview,
  MonitorParent,
  OverviewInput,
  PutMonitorInput,
  SetParentInput,
  UpdateMonitorByScriptInput,
  UpdateMonitorInput,
  Uptime,
  UptimeRange,
} from '@/server/monitor-types/schema';
import { compiled, NoInput, router, teamProcedure } from '@/server/trpc/procedures';
import { bulkMonitors } from './bulk-monitors';
import { checkMonitor } from './check-monitor';
import { createMonitor } from './create-monitor';
import { deleteMonitor } from './delete-monitor';
import { getMonitorDetail } from './get-monitor-detail';
import { listOverview } from './list-overview';
import { putMonitor } from './put-monitor';
import { listMonitors, readMonitor, readMonitorByExternalId, viewFor } from './queries';
import { listRegions } from './regions';
import { readParent, setParent } from './set-parent';
import { updateMonitor } from './update-monitor';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
const write = teamProcedure({ role: 'member', scope: 'write' });

const tags = ['Monitors'];
const dashboardTags = ['Monitors in the dashboard'];
const all = '/api/v1/monitors';
const one = '/api/v1/monitors/{id}';
const byExternalId = '/api/v1/monitors/by-external-id/{externalId}';
const alsoAll = { path: '/dashboard/monitors', tags: dashboardTags } as const;
const alsoOne = { path: '/dashboard/monitors/{id}', tags: dashboardTags } as const;
const ById = z.strictObject({ id: z.string() });
const ByExternalId = z.strictObject({ externalId: z.string() });
const One = compiled(z.object({ monitor: Monitor }));
const Parent = z.object({ dependency: MonitorParent });
const Many = compiled(z.object({ monitors: z.array(Monitor), nextCursor: z.string().nullable() }));

export const monitorsRouter = router({
  list: read
    .meta({ openapi: { method: 'GET', path: all, tags, summary: 'List monitors' }, alsoAt: alsoAll })
    .input(ListMonitorsInput)
    .output(Many)
    .query(({ ctx, input }) => listMonitors(ctx.db, ctx.team.id, input, viewFor(ctx))),
  get: read
    .meta({ openapi: { method: 'GET', path: one, tags, summary: 'Get a monitor' }, alsoAt: alsoOne })
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ monitor: await readMonitor(ctx.db, ctx.team.id, input.id, viewFor(ctx)) })),
  parent: router({
    get: read
      .meta({ openapi: { method: 'GET', path: `${one}/parent`, tags, summary: "Get a monitor's parent" } })
      .input(ById)
      .output(Parent)
      .query(async ({ ctx, input }) => ({ dependency: await readParent({ ctx, input }) })),
    set: write
      .meta({ openapi: { method: 'PUT', path: `${one}/parent`, tags, summary: "Set a monitor's parent" } })
      .input(SetParentInput)
      .output(Parent)
      .mutation(async ({ ctx, input }) => ({ dependency: await setParent({ ctx, input }) })),
  }),
  create: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: all, tags, summary: 'Create a monitor' },
      alsoAt: alsoAll,
      created: true,
    })
    .input(CreateMonitorInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ monitor: await createMonitor({ ctx, input }) })),
  /** Accepts only booleans for `isActive`, as the interface requires; `updateByScript` also accepts a REST response sent back. */
  update: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED', 'EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: alsoOne.path, tags: dashboardTags, summary: 'Update a monitor' },
    })
    .input(UpdateMonitorInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ monitor: await updateMonitor({ ctx, input }) })),
  updateByScript: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED', 'EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: one, tags, summary: 'Update a monitor' },
    })
    .input(UpdateMonitorByScriptInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ monitor: await updateMonitor({ ctx, input }) })),
  delete: write
    .meta({ openapi: { method: 'DELETE', path: one, tags, summary: 'Delete a monitor' }, alsoAt: alsoOne })
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteMonitor({ ctx, input })),
  bulk: write
    .meta({ openapi: { method: 'POST', path: `${all}/bulk`, tags, summary: 'Pause or resume monitors' }, isBulk: true })
    .input(BulkMonitorsInput)
    .output(z.object({ results: z.array(BulkResult) }))
    .mutation(async ({ ctx, input }) => ({ results: await bulkMonitors({ ctx, input }) })),
  check: write
    .meta({
      openapi: {
        method: 'POST',
        path: '/dashboard/monitors/{id}/check',
        tags: dashboardTags,
        summary: 'Check a monitor now',
      },
    })
    .input(ById)
    .output(z.object({ check: Check }))
    .mutation(async ({ ctx, input }) => ({ check: await checkMonitor({ ctx, input }) })),
  overview: read
    .meta({ openapi: { method: 'GET', path: '/api/v1/overview', tags, summary: 'List monitors by status' } })
    .input(OverviewInput)
    .output(MonitorOverview)
    .query(({ ctx, input }) => listOverview(ctx.db, ctx.team.id, input)),
  detail: read
    .meta({
      openapi: { method: 'GET', path: '/api/v1/monitors/{id}/detail', tags, summary: 'Get monitor status' },
    })
    .input(MonitorDetailInput)
    .output(MonitorDetail)
    .query(({ ctx, input }) => getMonitorDetail(ctx.db, ctx.team.id, input, viewFor(ctx))),
  regions: read
    .meta({
      openapi: { method: 'GET', path: '/api/v1/regions', tags, summary: 'List regions' },
    })
    .input(NoInput)
    .output(z.object({ regions: z.array(KnownRegion) }))
    .query(async ({ ctx }) => ({ regions: await listRegions(ctx.db, ctx.team.id) })),
  getByExternalId: read
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'GET', path: byExternalId, tags, summary: 'Get a monitor by its externalId' },
    })
    .input(ByExternalId)
    .output(One)
    .query(async ({ ctx, input }) => ({
      monitor: await readMonitorByExternalId(ctx.db, ctx.team.id, input.externalId, viewFor(ctx)),
    })),
  deleteByExternalId: write
    .meta({
      errors: ['NOT_FOUND'],
      openapi: { method: 'DELETE', path: byExternalId, tags, summary: 'Delete a monitor by its externalId' },
    })
    .input(ByExternalId)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteMonitor({ ctx, input })),
  put: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: {
        method: 'PUT',
        path: byExternalId,
        tags,
        summary: 'Create or update a monitor by its externalId',
      },
      created: 'sometimes',
    })
    .input(PutMonitorInput)
    .output(One)
    .mutation(async ({ ctx, input }) => {
      const { monitor, created } = await putMonitor({ ctx, input });
      ctx.answer.created = created;
      return { monitor };
    }),
  checks: read
    .meta({
      openapi: { method: 'GET', path: '/api/v1/monitors/{id}/checks', tags, summary: "List a monitor's checks" },
    })
    .input(Page.extend({ id: z.string() }))
    .output(z.object({ checks: z.array(Check), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listChecks(ctx.db, ctx.team.id, input)),
  uptime: read
    .meta({
      openapi: { method: 'GET', path: '/api/v1/monitors/{id}/uptime', tags, summary: "Get a monitor's uptime" },
    })
    .input(z.strictObject({ id: z.string(), range: UptimeRange.default('24h') }))
    .output(z.object({ uptime: Uptime }))
    .query(async ({ ctx, input }) => ({ uptime: await readUptime(ctx.db, ctx.team.id, input) })),
  latency: read
    .meta({
      openapi: { method: 'GET', path: '/api/v1/monitors/{id}/latency', tags, summary: "Get a monitor's latency" },
    })
    .input(z.strictObject({ id: z.string(), range: UptimeRange.default('24h') }))
    .output(z.object({ latency: Latency }))
    .query(async ({ ctx, input }) => ({ latency: await getLatency(ctx.db, ctx.team.id, input) })),
});
