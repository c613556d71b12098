import type { RefreshInput, Tokens } from '@/server/auth/schema';
import { issueTokens } from '@/server/auth/start-session';
import { sha256 } from '@/server/platform/crypto';
import { AppError } from '@/server/platform/errors';
import type { Call, VerbContext } from '@/server/trpc/contexts';
import { idleEnd } from '@/server/trpc/session';
import { useRefreshToken } from './queries';

/** The maximum number of expired tokens that one refresh deletes. Later ones, or the daily job, delete the rest. */
const DELETED_AT_ONCE = 100;

/**
 * Exchanges a refresh token for a new pair. A token that is used again was copied, so its session is revoked with all of its tokens (RFC 9700
 * §4.14.2).
 * @throws AppError UNAUTHENTICATED
 */
export async function refresh({ ctx, input }: Call<RefreshInput, VerbContext>): Promise<Tokens> {
  const tokenHash = sha256(input.refreshToken);
  const tokens = await ctx.db.$transaction(async (tx) => {
    const session = await useRefreshToken(tx, tokenHash);
    if (!session) return null;
    // An expired token is rejected because of its age, so reuse detection does not need its row.
    const expired = { sessionId: session.id, expiresAt: { lt: new Date() } };
    await tx.refreshToken.deleteMany({ where: expired, limit: DELETED_AT_ONCE });
    await tx.session.update({ where: { id: session.id }, data: { lastUsedAt: new Date(), expiresAt: idleEnd() } });
    return issueTokens(tx, session);
  });
  if (tokens) return tokens;
  await ctx.db.session.updateMany({
    where: { refreshTokens: { some: { tokenHash, usedAt: { not: null } } }, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  throw new AppError('UNAUTHENTICATED', 'This refresh token is invalid, expired or already used. Sign in again.');
}
