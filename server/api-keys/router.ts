import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { router, teamProcedure } from '@/server/trpc/procedures';
import { createApiKey } from './create-api-key';
import { deleteApiKey } from './delete-api-key';
import { listApiKeys } from './list-api-keys';
import { ApiKey, CreateApiKeyInput, CreatedApiKey } from './schema';

const tags = ['API keys'];

/** Viewers can list and delete keys too, because they may have created some in an earlier role. */
export const apiKeysRouter = router({
  list: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta({ openapi: { method: 'GET', path: '/dashboard/api-keys', tags, summary: 'List API keys' } })
    .input(IdPage)
    .output(z.object({ apiKeys: z.array(ApiKey), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listApiKeys({ ctx, input })),
  create: teamProcedure({ role: 'member', scope: 'write' })
    .meta({
      errors: ['PLAN_LIMIT_REACHED'],
      openapi: { method: 'POST', path: '/dashboard/api-keys', tags, summary: 'Create an API key' },
      created: true,
    })
    .input(CreateApiKeyInput)
    .output(CreatedApiKey)
    .mutation(({ ctx, input }) => createApiKey({ ctx, input })),
  delete: teamProcedure({ role: 'viewer', scope: 'write' })
    .meta({ openapi: { method: 'DELETE', path: '/dashboard/api-keys/{id}', tags, summary: 'Delete an API key' } })
    .input(z.strictObject({ id: z.string() }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteApiKey({ ctx, input })),
});
