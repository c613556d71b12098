import type { StartedSession } from '@/server/auth/start-session';
import type { Tx } from '@/server/platform/db';

/**
 * Marks a valid refresh token as used and returns its session; null if it is unknown, used or expired, or its session has ended. Of two requests with
 * the same token, the row's lock lets only one see it unused.
 */
export async function useRefreshToken(tx: Tx, tokenHash: string): Promise<StartedSession | null> {
  // Raw: compares columns of two tables, in the statement that marks the token.
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
