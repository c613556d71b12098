import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { router, teamProcedure } from '@/server/trpc/procedures';
import { createStatusPage } from './create-status-page';
import { deleteStatusPage } from './delete-status-page';
import { getStatusPageEditor } from './get-status-page-editor';
import { isSlugFree } from './is-slug-free';
import { listStatusPages, readStatusPage } from './queries';
import { removeLogo } from './remove-logo';
import {
  CreateStatusPageInput,
  SetLogoInput,
  SlugQuery,
  StatusPage,
  StatusPageEditor,
  UpdateStatusPageInput,
} from './schema';
import { setLogo } from './set-logo';
import { updateStatusPage } from './update-status-page';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
// Members, as for monitors and incidents: whoever may open an incident at night must be able to inform the customers.
const write = teamProcedure({ role: 'member', scope: 'write' });

const tags = ['Status pages'];
const ById = z.strictObject({ id: z.string() });
const One = z.object({ statusPage: StatusPage });
const all = '/dashboard/status-pages';
const one = '/dashboard/status-pages/{id}';
const logo = '/dashboard/status-pages/{id}/logo';

export const statusPagesRouter = router({
  list: read
    .meta({ openapi: { method: 'GET', path: all, tags, summary: 'List status pages' } })
    .input(IdPage)
    .output(z.object({ statusPages: z.array(StatusPage), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listStatusPages(ctx.db, ctx.team.id, input)),
  get: read
    .meta({ openapi: { method: 'GET', path: one, tags, summary: 'Get a status page' } })
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ statusPage: await readStatusPage(ctx.db, ctx.team.id, input.id) })),
  create: write
    .meta({
      errors: ['PLAN_LIMIT_REACHED', 'SLUG_TAKEN'],
      openapi: { method: 'POST', path: all, tags, summary: 'Create a status page' },
      created: true,
    })
    .input(CreateStatusPageInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ statusPage: await createStatusPage({ ctx, input }) })),
  update: write
    .meta({
      errors: ['SLUG_TAKEN', 'EDIT_CONFLICT'],
      openapi: { method: 'PUT', path: one, tags, summary: 'Update a status page' },
    })
    .input(UpdateStatusPageInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ statusPage: await updateStatusPage({ ctx, input }) })),
  delete: write
    .meta({ openapi: { method: 'DELETE', path: one, tags, summary: 'Delete a status page' } })
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteStatusPage({ ctx, input })),
  setLogo: write
    .meta({ openapi: { method: 'PUT', path: logo, tags, summary: "Set a status page's logo" } })
    .input(SetLogoInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ statusPage: await setLogo({ ctx, input }) })),
  removeLogo: write
    .meta({ openapi: { method: 'DELETE', path: logo, tags, summary: "Remove a status page's logo" } })
    .input(ById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ statusPage: await removeLogo({ ctx, input }) })),
  editor: read
    .input(ById)
    .output(StatusPageEditor)
    .query(({ ctx, input }) => getStatusPageEditor({ ctx, input })),
  isSlugFree: read
    .input(SlugQuery)
    .output(z.object({ free: z.boolean() }))
    .query(async ({ ctx, input }) => ({ free: await isSlugFree(ctx.db, input) })),
});
