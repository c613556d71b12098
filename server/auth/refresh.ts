import { sha256 } from '@/server/platform/crypto';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { VerbContext } from './contexts';
import type { RefreshInput, Tokens } from './schema';
import { idleEnd, issueTokens, type StartedSession } from './start-session';

/** Uses a refresh token up. Of two who come with the same one, the row's lock lets one see it unused. */
async function useToken(tx: Tx, tokenHash: string): Promise<StartedSession | null> {
  const rows = await tx.$queryRaw<StartedSession[]>`
    update refresh_tokens t set used_at = now()
    from sessions s
    join users u on u.id = s.user_id
    left join memberships m on m.user_id = s.user_id and m.team_id = s.team_id
    where t.token_hash = ${tokenHash} and t.used_at is null and t.expires_at > now()
      and s.id = t.session_id and s.revoked_at is null and s.session_version = u.session_version
    returning s.id, s.user_id as "userId", m.team_id as "teamId", s.session_version as "sessionVersion"`;
  return rows[0] ?? null;
}

/**
 * Gives a new pair of tokens for a refresh token, which is thereby used up. One that was used already has been copied,
 * so its whole family ends (RFC 9700 §4.14.2).
 * @throws AppError UNAUTHENTICATED
 */
export async function refresh({ ctx, input }: { ctx: VerbContext; input: RefreshInput }): Promise<Tokens> {
  const tokenHash = sha256(input.refreshToken);
  const tokens = await ctx.db.$transaction(async (tx) => {
    const session = await useToken(tx, tokenHash);
    if (!session) return null;
    // Past its time a token is refused for that alone; it is not needed to recognise a copy.
    await tx.refreshToken.deleteMany({ where: { sessionId: session.id, expiresAt: { lt: new Date() } } });
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
