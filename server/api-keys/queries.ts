import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { TeamContext } from '@/server/trpc/contexts';
import { type ApiKey, sortScopes } from './schema';

/** The relations needed to map a row to an `ApiKey`. */
export const apiKeyInclude = {
  createdBy: { select: { id: true, name: true, email: true } },
} satisfies Prisma.ApiKeyInclude;

type Row = Prisma.ApiKeyGetPayload<{ include: typeof apiKeyInclude }>;

/** Selects the keys that a caller may see and delete: their own, and for an admin or owner all of the team. */
export function reachableKeys({ team, user }: TeamContext): Prisma.ApiKeyWhereInput {
  const seesAll = team.role === 'owner' || team.role === 'admin';
  return seesAll ? { teamId: team.id } : { teamId: team.id, createdById: user.id };
}

/** Maps a row to the API form. */
export function toApiKey(row: Row): ApiKey {
  const { id, name, scopes, grants, prefix, expiresAt, lastUsedAt, allowedNetworks, createdAt, createdBy } = row;
  return {
    id,
    name,
    scopes: sortScopes([...scopes, ...grants]),
    prefix,
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    allowedNetworks,
    createdAt: createdAt.toISOString(),
    createdBy,
  };
}
