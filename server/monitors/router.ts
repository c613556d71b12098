import { z } from 'zod';
import { getChart } from '@/server/history/monitor/get-chart';
import { getLatency } from '@/server/history/monitor/get-latency';
import { listChecks } from '@/server/history/monitor/list-checks';
import { readUptime } from '@/server/history/monitor/read-uptime';
import { CheckAttempt } from '@/server/incidents/schema';
import { BulkResult, IdPage, Page } from '@/server/lists/schema';
import {
  BulkMonitorsInput,
  Check,
  CreateMonitorInput,
  Dependency,
  FindMonitorsInput,
  FoundMonitor,
  KnownRegion,
  Latency,
  ListMonitorsInput,
  Monitor,
  MonitorChart,
  MonitorChartInput,
  MonitorDetail,
  MonitorDetailInput,
  MonitorOverview,
  MonitorParent,
  OverviewInput,
  OverviewOrder,
  OverviewOrderInput,
  OverviewRow,
  OverviewRowsInput,
  PutMonitorInput,
  PutMonitorsInput,
  PutResult,
  SetParentInput,
  TagCount,
  TestMonitorInput,
  UpdateMonitorByScriptInput,
  UpdateMonitorInput,
  Uptime,
  UptimeRange,
} from '@/server/monitor-types/schema';
import { compiled, NoInput, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { bulkMonitors } from './bulk/bulk-monitors';
import { checkMonitor } from './check-monitor';
import { createMonitor } from './create-monitor';
import { deleteMonitor } from './delete-monitor';
import { getMonitorDetail } from './get-monitor-detail';
import { findMonitors } from './list/find-monitors';
import { listOverview, readOrder, readOverviewRows } from './list/list-overview';
import { readTags } from './list/list-queries';
import { putMonitor } from './put-monitor';
import { putMonitors } from './put-monitors';
import { listMonitors, readMonitor, readMonitorByExternalId, viewFor } from './queries';
import { listRegions } from './regions';
import { listParents, readParent, setParent } from './set-parent';
import { testMonitorSettings } from './test-monitor-settings';
import { updateMonitor } from './update-monitor';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
const write = teamProcedure({ role: 'member', scope: 'write' });

const DASHBOARD = 'Monitors in the dashboard';
const rest = operations('Monitors', DASHBOARD);
const all = '/api/v1/monitors';
const one = '/api/v1/monitors/{id}';
const byExternalId = '/api/v1/monitors/by-external-id/{externalId}';
const alsoAll = '/dashboard/monitors';
const alsoOne = '/dashboard/monitors/{id}';
/** The number of tags that are offered as a filter. */
const MOST_TAGS = 200;
const ById = z.strictObject({ id: z.string() });
const ByExternalId = z.strictObject({ externalId: z.string() });
const One = compiled(z.object({ monitor: Monitor }));
const Parent = z.object({ dependency: MonitorParent });
const Many = compiled(z.object({ monitors: z.array(Monitor), nextCursor: z.string().nullable() }));

export const monitorsRouter = router({
  list: read
    .meta(rest('GET', all, 'List monitors', { alsoAt: alsoAll }))
    .input(ListMonitorsInput)
    .output(Many)
    .query(({ ctx, input }) => listMonitors(ctx.db, ctx.team.id, input, viewFor(ctx))),
  get: read
    .meta(rest('GET', one, 'Get a monitor', { alsoAt: alsoOne }))
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ monitor: await readMonitor(ctx.db, ctx.team.id, input.id, viewFor(ctx)) })),
  parent: router({
    list: read
      .meta(rest('GET', '/api/v1/monitor-parents', 'List parents of monitors'))
      .input(IdPage)
      .output(z.object({ dependencies: z.array(Dependency), nextCursor: z.string().nullable() }))
      .query(({ ctx, input }) => listParents({ ctx, input })),
    get: read
      .meta(rest('GET', `${one}/parent`, "Get a monitor's parent"))
      .input(ById)
      .output(Parent)
      .query(async ({ ctx, input }) => ({ dependency: await readParent({ ctx, input }) })),
    set: write
      .meta(rest('PUT', `${one}/parent`, "Set a monitor's parent"))
      .input(SetParentInput)
      .output(Parent)
      .mutation(async ({ ctx, input }) => ({ dependency: await setParent({ ctx, input }) })),
  }),
  create: write
    .meta(rest('POST', all, 'Create a monitor', { errors: ['PLAN_LIMIT_REACHED'], alsoAt: alsoAll, created: true }))
    .input(CreateMonitorInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ monitor: await createMonitor({ ctx, input }) })),
  /** Accepts only booleans for `isActive`, as the interface requires; `updateByScript` also accepts a REST response sent back. */
  update: write
    .meta(rest('PUT', alsoOne, 'Update a monitor', { tag: DASHBOARD, errors: ['PLAN_LIMIT_REACHED', 'EDIT_CONFLICT'] }))
    .input(UpdateMonitorInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ monitor: await updateMonitor({ ctx, input }) })),
  updateByScript: write
    .meta(rest('PUT', one, 'Update a monitor', { errors: ['PLAN_LIMIT_REACHED', 'EDIT_CONFLICT'] }))
    .input(UpdateMonitorByScriptInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ monitor: await updateMonitor({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', one, 'Delete a monitor', { alsoAt: alsoOne }))
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteMonitor({ ctx, input })),
  bulk: write
    .meta(rest('POST', `${all}/bulk`, 'Change monitors in bulk', { isBulk: true }))
    .input(BulkMonitorsInput)
    .output(z.object({ results: z.array(BulkResult) }))
    .mutation(async ({ ctx, input }) => ({ results: await bulkMonitors({ ctx, input }) })),
  check: write
    .meta(rest('POST', `${one}/check`, 'Check a monitor now', { alsoAt: `${alsoOne}/check` }))
    .input(ById)
    .output(z.object({ check: Check }))
    .mutation(async ({ ctx, input }) => ({ check: await checkMonitor({ ctx, input }) })),
  testSettings: write
    .meta(
      rest('POST', `${all}/test`, 'Check a target with unsaved settings', {
        errors: ['NOT_FOUND'],
        limit: 'trying',
        changesNothing: true,
      }),
    )
    .input(TestMonitorInput)
    .output(z.object({ attempt: CheckAttempt }))
    .mutation(async ({ ctx, input }) => ({ attempt: await testMonitorSettings({ ctx, input }) })),
  overview: read
    .meta(rest('GET', '/api/v1/overview', 'List monitors by status'))
    .input(OverviewInput)
    .output(MonitorOverview)
    .query(({ ctx, input }) => listOverview(ctx.db, ctx.team.id, input)),
  /** The order of the whole list, and the rows of a part of it: a page shows any part of a long list without reading the others. */
  order: read
    .input(OverviewOrderInput)
    .output(OverviewOrder)
    .query(({ ctx, input }) => readOrder(ctx.db, ctx.team.id, input)),
  rows: read
    .input(OverviewRowsInput)
    .output(z.object({ rows: z.array(OverviewRow) }))
    .query(async ({ ctx, input }) => ({ rows: await readOverviewRows(ctx.db, ctx.team.id, input) })),
  find: read
    .input(FindMonitorsInput)
    .output(z.object({ monitors: z.array(FoundMonitor) }))
    .query(async ({ ctx, input }) => ({ monitors: await findMonitors(ctx.db, ctx.team.id, input) })),
  tags: read
    .meta(rest('GET', '/api/v1/monitor-tags', 'List tags of monitors'))
    .input(NoInput)
    .output(z.object({ tags: z.array(TagCount) }))
    .query(async ({ ctx }) => ({ tags: await readTags(ctx.db, ctx.team.id, MOST_TAGS) })),
  detail: read
    .meta(rest('GET', '/api/v1/monitors/{id}/detail', 'Get monitor status'))
    .input(MonitorDetailInput)
    .output(MonitorDetail)
    .query(({ ctx, input }) => getMonitorDetail(ctx.db, ctx.team.id, input, viewFor(ctx))),
  chart: read
    .meta(rest('GET', '/api/v1/monitors/{id}/chart', "Get a chart of a monitor's past"))
    .input(MonitorChartInput)
    .output(z.object({ chart: MonitorChart }))
    .query(({ ctx, input }) => getChart(ctx.db, ctx.team.id, input)),
  regions: read
    .meta(rest('GET', '/api/v1/regions', 'List regions'))
    .input(NoInput)
    .output(z.object({ regions: z.array(KnownRegion) }))
    .query(async ({ ctx }) => ({ regions: await listRegions(ctx.db, ctx.team.id) })),
  getByExternalId: read
    .meta(rest('GET', byExternalId, 'Get a monitor by its externalId', { errors: ['NOT_FOUND'] }))
    .input(ByExternalId)
    .output(One)
    .query(async ({ ctx, input }) => ({
      monitor: await readMonitorByExternalId(ctx.db, ctx.team.id, input.externalId, viewFor(ctx)),
    })),
  deleteByExternalId: write
    .meta(rest('DELETE', byExternalId, 'Delete a monitor by its externalId', { errors: ['NOT_FOUND'] }))
    .input(ByExternalId)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteMonitor({ ctx, input })),
  put: write
    .meta(
      rest('PUT', byExternalId, 'Create or update a monitor by its externalId', {
        errors: ['PLAN_LIMIT_REACHED'],
        created: 'sometimes',
      }),
    )
    .input(PutMonitorInput)
    .output(One)
    .mutation(async ({ ctx, input }) => {
      const { monitor, created } = await putMonitor({ ctx, input });
      ctx.answer.created = created;
      return { monitor };
    }),
  putMany: write
    .meta(
      rest('PUT', '/api/v1/monitors/by-external-id', 'Create or update monitors by their externalIds', {
        isBulk: true,
      }),
    )
    .input(PutMonitorsInput)
    .output(z.object({ results: z.array(PutResult) }))
    .mutation(async ({ ctx, input }) => ({ results: await putMonitors({ ctx, input }) })),
  checks: read
    .meta(rest('GET', '/api/v1/monitors/{id}/checks', "List a monitor's checks"))
    .input(Page.extend({ id: z.string() }))
    .output(z.object({ checks: z.array(Check), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listChecks(ctx.db, ctx.team.id, input)),
  uptime: read
    .meta(rest('GET', '/api/v1/monitors/{id}/uptime', "Get a monitor's uptime"))
    .input(z.strictObject({ id: z.string(), range: UptimeRange.default('24h') }))
    .output(z.object({ uptime: Uptime }))
    .query(async ({ ctx, input }) => ({ uptime: await readUptime(ctx.db, ctx.team.id, input) })),
  latency: read
    .meta(rest('GET', '/api/v1/monitors/{id}/latency', "Get a monitor's latency"))
    .input(z.strictObject({ id: z.string(), range: UptimeRange.default('24h') }))
    .output(z.object({ latency: Latency }))
    .query(async ({ ctx, input }) => ({ latency: await getLatency(ctx.db, ctx.team.id, input) })),
});
