import { z } from 'zod';
import { NoInput, operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createView } from './create-view';
import { deleteView } from './delete-view';
import { listViews } from './queries';
import { CreateViewInput, SavedView, UpdateViewInput } from './schema';
import { updateView } from './update-view';

const write = teamProcedure({ role: 'member', scope: 'write' });

const rest = operations('Saved views');
const all = '/api/v1/saved-views';
const one = '/api/v1/saved-views/{id}';
const One = z.object({ savedView: SavedView });

/** The team's views of its list of monitors. */
export const savedViewsRouter = router({
  list: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta(rest('GET', all, 'List saved views'))
    .input(NoInput)
    .output(z.object({ savedViews: z.array(SavedView) }))
    .query(async ({ ctx }) => ({ savedViews: await listViews(ctx.db, ctx.team.id) })),
  create: write
    .meta(rest('POST', all, 'Create a saved view', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(CreateViewInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ savedView: await createView({ ctx, input }) })),
  update: write
    .meta(rest('PATCH', one, 'Update a saved view', { errors: ['EDIT_CONFLICT'] }))
    .input(UpdateViewInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ savedView: await updateView({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', one, 'Delete a saved view'))
    .input(z.strictObject({ id: z.string() }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteView({ ctx, input })),
});
