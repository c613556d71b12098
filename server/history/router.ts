import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createExclusion } from './create-exclusion';
import { deleteExclusion } from './delete-exclusion';
import { listExclusions } from './queries';
import { CreateExclusionInput, Exclusion } from './schema';

const read = teamProcedure({ role: 'viewer', scope: 'read' });
const write = teamProcedure({ role: 'member', scope: 'write' });

const rest = operations('Monitors');
const all = '/api/v1/monitors/{id}/exclusions';

export const exclusionsRouter = router({
  list: read
    .meta(rest('GET', all, "List a monitor's exclusions"))
    .input(IdPage.extend({ id: z.string() }))
    .output(z.object({ exclusions: z.array(Exclusion), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listExclusions(ctx.db, ctx.team.id, input)),
  create: write
    .meta(rest('POST', all, 'Create an exclusion', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(CreateExclusionInput)
    .output(z.object({ exclusion: Exclusion }))
    .mutation(async ({ ctx, input }) => ({ exclusion: await createExclusion({ ctx, input }) })),
  delete: write
    .meta(rest('DELETE', `${all}/{exclusionId}`, 'Remove an exclusion'))
    .input(z.strictObject({ id: z.string(), exclusionId: z.string() }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteExclusion({ ctx, input })),
});
