import type { Prisma } from '@/server/platform/generated/prisma/client';

/** Matches the invitations of a team that were neither used nor revoked. With `at`, only those that are valid at that time. */
export function pendingInvitations(teamId: string, at?: Date): Prisma.InvitationWhereInput {
  return { teamId, usedAt: null, revokedAt: null, ...(at && { expiresAt: { gt: at } }) };
}
