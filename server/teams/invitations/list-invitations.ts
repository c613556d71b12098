import { cutPage } from '@/server/lists/cut-page';
import type { IdPage } from '@/server/lists/schema';
import type { Call } from '@/server/trpc/contexts';
import type { PendingInvitation } from '../schema';
import { pendingInvitations } from './pending-invitations';

/** Returns the team's pending and expired invitations, newest first. The cursor is the ID of the last one. */
export async function listInvitations({
  ctx,
  input: { limit, cursor },
}: Call<IdPage>): Promise<{ invitations: PendingInvitation[]; nextCursor: string | null }> {
  const rows = await ctx.db.invitation.findMany({
    where: { ...pendingInvitations(ctx.team.id), ...(cursor !== undefined && { id: { lt: cursor } }) },
    include: { createdBy: { select: { id: true, name: true, email: true } } },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const now = new Date();
  const { page, nextCursor } = cutPage(rows, limit);
  const invitations = page.map(({ id, email, role, createdAt, expiresAt, createdBy }) => ({
    id,
    email,
    role,
    status: expiresAt > now ? ('open' as const) : ('expired' as const),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    createdBy,
  }));
  return { invitations, nextCursor };
}
