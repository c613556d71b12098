import type { SessionPage } from '@/server/auth/schema';
import type { PersonContext } from '@/server/trpc/contexts';

/** Returns the caller's active sessions, most recently used first, at most 100. */
export async function listSessions({ ctx }: { ctx: PersonContext }): Promise<SessionPage> {
  const { user, actor } = ctx;
  const rows = await ctx.db.session.findMany({
    where: {
      userId: user.id,
      revokedAt: null,
      expiresAt: { gt: new Date() },
      sessionVersion: actor.sessionVersion,
    },
    select: { id: true, kind: true, address: true, userAgent: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
    take: 100,
  });
  return {
    sessions: rows.map(({ createdAt, lastUsedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
      isCurrent: row.id === actor.sessionId,
    })),
  };
}
