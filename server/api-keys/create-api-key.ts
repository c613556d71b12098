import { planLimits } from '@/server/plans/plans';
import { randomToken, sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { auditApiKey } from './audit-api-key';
import { apiKeyInclude, toApiKey } from './queries';
import type { CreateApiKeyInput, CreatedApiKey } from './schema';

/** The length of the readable prefix, which distinguishes keys: `uw_` and 6 of the 43 characters. */
const PREFIX_LENGTH = 9;

/**
 * Creates a key. Only this response contains its secret. The plain SHA-256 is stored, which suffices because 256 random bits cannot be guessed, and
 * allows looking a key up with one index read.
 * @throws AppError PLAN_LIMIT_REACHED
 */
export async function createApiKey({ ctx, input }: Call<CreateApiKeyInput>): Promise<CreatedApiKey> {
  const { team, user } = ctx;
  const cap = planLimits[team.plan].apiKeys;
  const secret = `uw_${randomToken()}`;
  const apiKey = await ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    if (cap !== null && (await tx.apiKey.count({ where: { teamId: team.id } })) >= cap) {
      throw new AppError('PLAN_LIMIT_REACHED', `The ${team.plan} plan allows ${cap} API keys. Delete one first.`);
    }
    const row = await tx.apiKey.create({
      data: {
        id: newId(),
        teamId: team.id,
        createdById: user.id,
        name: input.name,
        prefix: secret.slice(0, PREFIX_LENGTH),
        secretHash: sha256(secret),
        scopes: [...new Set(input.scopes)].sort(),
        expiresAt: input.expiresAt ? new Date(input.expiresAt) : null,
      },
      include: apiKeyInclude,
    });
    const created = toApiKey(row);
    await auditApiKey(tx, ctx, 'api_key.create', created);
    return created;
  });
  return { apiKey, secret };
}
