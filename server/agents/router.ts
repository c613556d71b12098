import { z } from 'zod';
import { IdPage } from '@/server/lists/schema';
import { operations, router, teamProcedure } from '@/server/trpc/procedures';
import { createAgentToken } from './create-agent-token';
import { deleteAgentToken } from './delete-agent-token';
import { listAgents, listAgentTokens } from './list-agents';
import { Agent, AgentToken, CreateAgentTokenInput, CreatedAgentToken } from './schema';

const rest = operations('Agents');

/** An agent gets the secrets of the monitors of its region, so only admins make its token. */
export const agentsRouter = router({
  list: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta(rest('GET', '/api/v1/agents', 'List agents'))
    .input(IdPage)
    .output(z.object({ agents: z.array(Agent), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listAgents({ ctx, input })),
  listTokens: teamProcedure({ role: 'viewer', scope: 'read' })
    .meta(rest('GET', '/api/v1/agent-tokens', 'List agent tokens'))
    .input(IdPage)
    .output(z.object({ agentTokens: z.array(AgentToken), nextCursor: z.string().nullable() }))
    .query(({ ctx, input }) => listAgentTokens({ ctx, input })),
  createToken: teamProcedure({ role: 'admin', scope: 'write' })
    .meta(
      rest('POST', '/api/v1/agent-tokens', 'Create an agent token', { errors: ['PLAN_LIMIT_REACHED'], created: true }),
    )
    .input(CreateAgentTokenInput)
    .output(CreatedAgentToken)
    .mutation(({ ctx, input }) => createAgentToken({ ctx, input })),
  deleteToken: teamProcedure({ role: 'admin', scope: 'write' })
    .meta(rest('DELETE', '/api/v1/agent-tokens/{id}', 'Revoke an agent token'))
    .input(z.strictObject({ id: z.string() }))
    .output(z.object({ ok: z.literal(true) }))
    .mutation(({ ctx, input }) => deleteAgentToken({ ctx, input })),
});
