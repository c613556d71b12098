import { z } from 'zod';
import { operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createWindow } from './create-window';
import { deleteWindow } from './delete-window';
import { endMaintenance, extendMaintenance } from './occurrences/change-end';
import { listOccurrences } from './occurrences/list-occurrences';
import { previewOccurrences } from './occurrences/preview-occurrences';
import { skipOccurrence, unskipOccurrence } from './occurrences/skip-occurrence';
import { listWindows, readWindow } from './queries';
import {
  CreateMaintenanceWindowInput,
  ExtendMaintenanceInput,
  ListMaintenanceWindowsInput,
  MaintenanceWindow,
  Occurrence,
  OccurrencesInput,
  PreviewOccurrencesInput,
  SkipOccurrenceInput,
  StartMaintenanceInput,
  UpdateMaintenanceWindowInput,
  WindowOccurrence,
} from './schema';
import { startMaintenance } from './start-maintenance';
import { updateWindow } from './update-window';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
const write = teamProcedure({ role: 'member', scope: 'write' });

const rest = operations('Maintenance windows');
const all = '/api/v1/maintenance-windows';
const one = '/api/v1/maintenance-windows/{id}';
const ById = z.strictObject({ id: z.string() });
const One = z.object({ maintenanceWindow: MaintenanceWindow });

export const maintenanceRouter = router({
  list: read
    .meta(rest('GET', all, 'List maintenance windows'))
    .input(ListMaintenanceWindowsInput)
    .output(z.object({ maintenanceWindows: z.array(MaintenanceWindow), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listWindows(ctx.db, ctx.team.id, input)),
  occurrences: read
    .meta(rest('GET', '/api/v1/maintenance-occurrences', 'List maintenance occurrences'))
    .input(OccurrencesInput)
    .output(z.object({ occurrences: z.array(WindowOccurrence) }))
    .query(async ({ ctx, input }) => ({ occurrences: await listOccurrences(ctx.db, ctx.team.id, input) })),
  preview: read
    .meta(rest('GET', '/api/v1/maintenance-preview', 'Preview maintenance occurrences'))
    .input(PreviewOccurrencesInput)
    .output(z.object({ occurrences: z.array(Occurrence) }))
    .query(async ({ ctx, input }) => ({
      occurrences: await previewOccurrences(ctx.db, ctx.team.id, input, new Date()),
    })),
  get: read
    .meta(rest('GET', one, 'Get a maintenance window'))
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ maintenanceWindow: await readWindow(ctx.db, ctx.team.id, input.id) })),
  create: write
    .meta(rest('POST', all, 'Create a maintenance window', { created: true }))
    .input(CreateMaintenanceWindowInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ maintenanceWindow: await createWindow({ ctx, input }) })),
  start: write
    .meta(rest('POST', `${all}/start`, 'Start maintenance now', { created: true }))
    .input(StartMaintenanceInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ maintenanceWindow: await startMaintenance({ ctx, input }) })),
  update: write
    .meta(rest('PUT', one, 'Update a maintenance window', { errors: ['EDIT_CONFLICT'] }))
    .input(UpdateMaintenanceWindowInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ maintenanceWindow: await updateWindow({ ctx, input }) })),
  end: write
    .meta(rest('POST', `${one}/end`, 'End maintenance now'))
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ maintenanceWindow: await endMaintenance({ ctx, input }) })),
  extend: write
    .meta(rest('POST', `${one}/extend`, 'Extend maintenance'))
    .input(ExtendMaintenanceInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ maintenanceWindow: await extendMaintenance({ ctx, input }) })),
  skip: write
    .meta(rest('POST', `${one}/skip`, 'Skip an occurrence of maintenance'))
    .input(SkipOccurrenceInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ maintenanceWindow: await skipOccurrence({ ctx, input }) })),
  unskip: write
    .meta(rest('POST', `${one}/unskip`, 'Undo a skip of maintenance'))
    .input(SkipOccurrenceInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ maintenanceWindow: await unskipOccurrence({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', one, 'Delete a maintenance window'))
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteWindow({ ctx, input })),
});
