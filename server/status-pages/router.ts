import { z } from 'zod';
import { ExternalIdPage } from '@/server/lists/schema';
import { operations, router, teamProcedure } from '@/server/trpc/procedures';
import { listComponents, readComponent } from './components/component-queries';
import { createComponent } from './components/create-component';
import { deleteComponent } from './components/delete-component';
import { updateComponent } from './components/update-component';
import { createStatusPage } from './create-status-page';
import { deleteStatusPage } from './delete-status-page';
import { getStatusPageEditor } from './get-status-page-editor';
import { isSlugFree } from './is-slug-free';
import { listStatusPages, readStatusPage } from './queries';
import { removeLogo } from './remove-logo';
import {
  CreateComponentInput,
  CreateStatusPageInput,
  ListComponentsInput,
  SetLogoInput,
  SlugQuery,
  StatusPage,
  StatusPageComponent,
  StatusPageEditor,
  UpdateComponentInput,
  UpdateStatusPageInput,
} from './schema';
import { setLogo } from './set-logo';
import { updateStatusPage } from './update-status-page';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
// Members, as for monitors and incidents: whoever opens an incident must also be able to inform customers.
const write = teamProcedure({ role: 'member', scope: 'write' });

const rest = operations('Status pages');
const ById = z.strictObject({ id: z.string() });
const One = z.object({ statusPage: StatusPage });
const all = '/api/v1/status-pages';
const one = '/api/v1/status-pages/{id}';
const logo = '/api/v1/status-pages/{id}/logo';
/** The paths of the dashboard's REST API. */
const alsoAll = '/dashboard/status-pages';
const alsoOne = '/dashboard/status-pages/{id}';
const alsoLogo = '/dashboard/status-pages/{id}/logo';
const components = '/api/v1/status-page-components';
const component = '/api/v1/status-page-components/{id}';
const OneComponent = z.object({ component: StatusPageComponent });

export const statusPagesRouter = router({
  list: read
    .meta(rest('GET', all, 'List status pages', { alsoAt: alsoAll }))
    .input(ExternalIdPage)
    .output(z.object({ statusPages: z.array(StatusPage), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listStatusPages(ctx.db, ctx.team.id, input)),
  get: read
    .meta(rest('GET', one, 'Get a status page', { alsoAt: alsoOne }))
    .input(ById)
    .output(One)
    .query(async ({ ctx, input }) => ({ statusPage: await readStatusPage(ctx.db, ctx.team.id, input.id) })),
  create: write
    .meta(
      rest('POST', all, 'Create a status page', {
        errors: ['PLAN_LIMIT_REACHED', 'SLUG_TAKEN'],
        alsoAt: alsoAll,
        created: true,
      }),
    )
    .input(CreateStatusPageInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ statusPage: await createStatusPage({ ctx, input }) })),
  update: write
    .meta(rest('PUT', one, 'Update a status page', { errors: ['SLUG_TAKEN', 'EDIT_CONFLICT'], alsoAt: alsoOne }))
    .input(UpdateStatusPageInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ statusPage: await updateStatusPage({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', one, 'Delete a status page', { alsoAt: alsoOne }))
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteStatusPage({ ctx, input })),
  setLogo: write
    .meta(rest('PUT', logo, "Set a status page's logo", { alsoAt: alsoLogo }))
    .input(SetLogoInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ statusPage: await setLogo({ ctx, input }) })),
  removeLogo: write
    .meta(rest('DELETE', logo, "Remove a status page's logo", { alsoAt: alsoLogo }))
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

/** Components without a monitor. */
export const statusPageComponentsRouter = router({
  list: read
    .meta(rest('GET', components, 'List components'))
    .input(ListComponentsInput)
    .output(z.object({ components: z.array(StatusPageComponent), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listComponents(ctx.db, ctx.team.id, input)),
  get: read
    .meta(rest('GET', component, 'Get a component'))
    .input(ById)
    .output(OneComponent)
    .query(async ({ ctx, input }) => ({ component: await readComponent(ctx.db, ctx.team.id, input.id) })),
  create: write
    .meta(rest('POST', components, 'Create a component', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(CreateComponentInput)
    .output(OneComponent)
    .mutation(async ({ ctx, input }) => ({ component: await createComponent({ ctx, input }) })),
  update: write
    .meta(rest('PUT', component, 'Update a component', { errors: ['EDIT_CONFLICT'] }))
    .input(UpdateComponentInput)
    .output(OneComponent)
    .mutation(async ({ ctx, input }) => ({ component: await updateComponent({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', component, 'Delete a component'))
    .input(ById)
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteComponent({ ctx, input })),
});
