import { planLimits } from '@/server/plans/plans';
import { randomToken, sha256 } from '@/server/platform/crypto';
import { AppError, invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import { toRange } from '@/server/platform/settings/trusted-proxies';
import type { Call } from '@/server/trpc/contexts';
import type { Scope } from '@/server/trpc/schema';
import { auditApiKey } from './audit-api-key';
import { apiKeyInclude, toApiKey } from './queries';
import { type CreateApiKeyInput, type CreatedApiKey, sortScopes } from './schema';

/** The length of the readable prefix, which distinguishes keys: `uw_` and 6 of the 43 characters. */
const PREFIX_LENGTH = 9;

/**
 * Normalizes addresses and ranges to CIDR notation, each once.
 * @throws AppError VALIDATION_ERROR
 */
function toNetworks(given: string[]): string[] {
  const ranges = given.map((item, index) => {
    const range = toRange(item);
    if (range !== null) return range;
    throw invalidField(`allowedNetworks.${index}`, 'Enter an IP address or a range such as 192.0.2.0/24.');
  });
  return [...new Set(ranges)];
}

/**
 * Returns the columns that store a key's scopes. Scopes of single resources, and those of a key with networks, go into `grants`, which processes of
 * the former version do not read, so that they reject the key.
 */
function toColumns(given: Scope[], networks: string[]) {
  const scopes = sortScopes(given);
  const whole = scopes.filter((scope) => scope === 'read' || scope === 'write');
  const isPlain = whole.length === scopes.length && networks.length === 0;
  return isPlain ? { scopes: whole } : { grants: scopes };
}

/**
 * Creates a key. Only this response contains its secret. The plain SHA-256 is stored, which suffices because 256 random bits cannot be guessed, and
 * allows looking a key up with one index read.
 * @throws AppError PLAN_LIMIT_REACHED, VALIDATION_ERROR for a network that is no address or range
 */
export async function createApiKey({ ctx, input }: Call<CreateApiKeyInput>): Promise<CreatedApiKey> {
  const { team, user } = ctx;
  const cap = planLimits[team.plan].apiKeys;
  const allowedNetworks = toNetworks(input.allowedNetworks ?? []);
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
        ...toColumns(input.scopes, allowedNetworks),
        allowedNetworks,
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
