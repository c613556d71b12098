import { PRIVATE_PREFIX } from '@/server/monitor-types/private-regions';
import { randomToken, sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { auditAgentToken } from './audit-agent-token';
import { TOKEN_START } from './identify-agent';
import { toAgentToken, tokenInclude } from './queries';
import type { CreateAgentTokenInput, CreatedAgentToken } from './schema';

/** Tokens of a team. Each may have several agents. */
const MOST_TOKENS = 50;
/** The start of a secret that is shown: `uwa_` and 6 of the 43 characters. */
const PREFIX_LENGTH = TOKEN_START.length + 6;

/**
 * Creates a token for agents of a private region. Only this response contains its secret; the SHA-256 is stored, as for API keys.
 * @throws AppError PLAN_LIMIT_REACHED
 */
export async function createAgentToken({ ctx, input }: Call<CreateAgentTokenInput>): Promise<CreatedAgentToken> {
  const { team, user } = ctx;
  const secret = `${TOKEN_START}${randomToken()}`;
  const agentToken = await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    if ((await tx.agentToken.count({ where: { teamId: team.id } })) >= MOST_TOKENS) {
      throw new AppError('PLAN_LIMIT_REACHED', `A team has at most ${MOST_TOKENS} agent tokens. Revoke one first.`);
    }
    const row = await tx.agentToken.create({
      data: {
        id: newId(),
        teamId: team.id,
        createdById: user.id,
        name: input.name,
        region: `${PRIVATE_PREFIX}${input.region}`,
        prefix: secret.slice(0, PREFIX_LENGTH),
        secretHash: sha256(secret),
      },
      include: tokenInclude,
    });
    const created = toAgentToken(row);
    await auditAgentToken(tx, ctx, 'agent_token.create', created);
    return created;
  });
  return { agentToken, secret };
}
