import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createApiKey } from './create-api-key';
import { deleteApiKey } from './delete-api-key';
import { listApiKeys } from './list-api-keys';
import { ApiKey, CreateApiKeyInput, CreatedApiKey } from './schema';

const rest = operations('API keys');

/** Viewers can list and delete keys too, because they may have created some in an earlier role. */
export const apiKeysRouter = router({
  list: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta(rest('GET', '/dashboard/api-keys', 'List API keys', { alsoAt: '/api/v1/api-keys' }))
    .input(IdPage)
    .output(z.object({ apiKeys: z.array(ApiKey), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listApiKeys({ ctx, input })),
  create: teamProcedure({ role: 'member', scope: 'write' })
    .meta(rest('POST', '/dashboard/api-keys', 'Create an API key', { errors: ['PLAN_LIMIT_REACHED'], created: true }))
    .input(CreateApiKeyInput)
    .output(CreatedApiKey)
    .mutation(({ ctx, input }) => createApiKey({ ctx, input })),
  delete: teamProcedure({ role: 'viewer', scope: 'write' })
    .meta(rest('DELETE', '/dashboard/api-keys/{id}', 'Delete an API key', { alsoAt: '/api/v1/api-keys/{id}' }))
    .input(z.strictObject({ id: z.string() }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteApiKey({ ctx, input })),
});
